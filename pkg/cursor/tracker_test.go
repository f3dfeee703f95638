package cursor_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// step is one input of a tracker's story: an event, or what the text in do says.
type step struct {
	do    string // "": observe event; "begin": a head with generation; "settle", "unanchor", "doubt", "force"
	event *events.Envelope
	want  cursor.Verdict
	at    string // token of the cursor afterwards
}

func see(session string, seq events.Seq, generation string, want cursor.Verdict, at string) step {
	return step{event: envelope(session, seq, generation), want: want, at: at}
}

// begin is a head far above what comes, beginAt one with a last seq.
func begin(generation, at string) step { return beginAt(99, generation, at) }

func beginAt(last events.Seq, generation, at string) step {
	return step{do: "begin", event: envelope("", last, generation), at: at}
}

// Stories that the vectors cannot tell, because they know nothing of heads.
func TestTracker(t *testing.T) {
	for name, story := range map[string][]step{
		"a head is adopted with the first event that carries it": {
			begin("2", "s1:0"), see("", 1, "1", cursor.Accept, "s1:1"), see("", 2, "", cursor.Accept, "s1:2"),
			see("", 3, "2", cursor.Accept, "s1:3@2"), see("", 4, "3", cursor.GenerationChanged, "s1:3@2"),
		},
		"or when the replay has ended": {
			begin("2", "s1:0"), see("", 1, "1", cursor.Accept, "s1:1"), {do: "settle", at: "s1:1@2"}, see("", 2, "1", cursor.GenerationChanged, "s1:1@2"),
		},
		"before that generations rise to it and no further": {
			begin("5", "s1:0"), see("", 1, "3", cursor.Accept, "s1:1"), see("", 2, "2", cursor.GenerationChanged, "s1:1"),
			see("", 2, "6", cursor.GenerationChanged, "s1:1"), see("", 0, "2", cursor.Duplicate, "s1:1"), see("", 0, "6", cursor.GenerationChanged, "s1:1"),
			see("", 2, "4", cursor.Accept, "s1:2"),
		},
		"a break in between forgets nothing": {
			begin("5", "s1:0"), see("", 1, "3", cursor.Accept, "s1:1"), begin("5", "s1:1"), see("", 2, "2", cursor.GenerationChanged, "s1:1"), see("", 2, "5", cursor.Accept, "s1:2@5"),
		},
		"a head without a generation: the newest one seen, when the replay has ended": {
			begin("", "s1:0"), see("", 1, "1", cursor.Accept, "s1:1"), see("", 2, "2", cursor.Accept, "s1:2"), {do: "settle", at: "s1:2@2"},
		},
		"above a head its generation alone stands": {
			beginAt(2, "5", "s1:0"), see("", 1, "3", cursor.Accept, "s1:1"), see("", 2, "3", cursor.Accept, "s1:2"),
			see("", 3, "3", cursor.GenerationChanged, "s1:2"), see("", 3, "4", cursor.GenerationChanged, "s1:2"), see("", 3, "6", cursor.GenerationChanged, "s1:2"),
			see("", 0, "3", cursor.Pass, "s1:2"), see("", 3, "", cursor.Accept, "s1:3"), see("", 4, "3", cursor.GenerationChanged, "s1:3"), see("", 4, "5", cursor.Accept, "s1:4@5"),
		},
		"a head that names none says nothing of what is above it": {
			beginAt(1, "", "s1:0"), see("", 1, "3", cursor.Accept, "s1:1"), see("", 2, "4", cursor.Accept, "s1:2"),
		},
		"a cursor that moves leaves its head behind": {
			beginAt(1, "5", "s1:0"), {do: "doubt", at: "s1:0"}, see("", 7, "3", cursor.Accept, "s1:7"),
		},
		"who only observes is told once that something else stands above the head": {
			beginAt(1, "5", "s1:0"), see("", 1, "3", cursor.Accept, "s1:1"), see("", 2, "3", cursor.GenerationChanged, "s1:1"),
			{do: "force", event: envelope("", 2, "3"), at: "s1:2"}, see("", 3, "3", cursor.Accept, "s1:3"),
		},
		"a head says nothing to a fenced cursor": {
			see("", 1, "1", cursor.Accept, "s1:1@1"), begin("2", "s1:1@1"), {do: "settle", at: "s1:1@1"}, see("", 2, "2", cursor.GenerationChanged, "s1:1@1"),
		},
		"without a position any seq is the first": {
			{do: "unanchor", at: "s1:0"}, see("", 0, "", cursor.Pass, "s1:0"), see("", 41, "7", cursor.Accept, "s1:41@7"), see("", 41, "7", cursor.Duplicate, "s1:41@7"), see("", 43, "7", cursor.Gap, "s1:41@7"),
		},
		"a position in doubt stands until an event sets another": {
			see("", 1, "7", cursor.Accept, "s1:1@7"), {do: "doubt", at: "s1:1@7"}, see("", 0, "8", cursor.Pass, "s1:1@7"), see("", 41, "8", cursor.Accept, "s1:41@8"),
		},
		"seq and generation are of one event": {
			see("", 1, "7", cursor.Accept, "s1:1@7"), {do: "doubt", at: "s1:1@7"}, see("", 41, "", cursor.Accept, "s1:41"),
		},
		"who only observes moves on": {
			see("", 1, "7", cursor.Accept, "s1:1@7"), see("", 5, "8", cursor.GenerationChanged, "s1:1@7"),
			{do: "force", event: envelope("", 5, "8"), at: "s1:5@8"}, see("", 6, "8", cursor.Accept, "s1:6@8"),
			{do: "force", event: envelope("", 0, "9"), at: "s1:6@8"}, {do: "force", event: envelope("s2", 9, "9"), at: "s1:6@8"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tr := started(cursor.Cursor{Session: "s1"})
			for i, s := range story {
				s.play(t, &tr, i)
			}
		})
	}
}

func (s *step) play(t *testing.T, tr *cursor.Tracker, i int) {
	switch s.do {
	case "":
		got := verdict(tr, s.event)
		require.Equal(t, s.want, got, "step %d: %s", i, got)
	case "begin":
		tr.Begin(events.Generation(s.event.Generation), s.event.Seq)
	case "settle":
		tr.Settle()
	case "unanchor":
		tr.Unanchor()
	case "doubt":
		tr.Doubt()
	case "force":
		tr.Force(s.event)
	}
	require.Equal(t, s.at, tr.Place().Token(1), "step %d", i)
}

// An unnamed tracker takes its session from the first recorded event, or is told.
func TestTrackerLearnsItsSession(t *testing.T) {
	tr := started(cursor.Cursor{})
	require.Equal(t, cursor.Pass, verdict(&tr, envelope("s1", 0, "")))
	require.Empty(t, tr.Place().Session)
	require.Equal(t, cursor.Accept, verdict(&tr, envelope("s2", 1, "")))
	require.Equal(t, "s2", tr.Place().Session)
	require.Equal(t, cursor.Invalid, verdict(&tr, envelope("s1", 2, "")))
	tr.Name("s3")
	require.Equal(t, cursor.Accept, verdict(&tr, envelope("s3", 2, "")))
}

func verdict(tr *cursor.Tracker, e *events.Envelope) cursor.Verdict {
	return observed(tr, e, events.NoProblem).Verdict
}

func observed(tr *cursor.Tracker, e *events.Envelope, p events.Problem) (d cursor.Decision) {
	tr.Observe(&d, e, p)
	return d
}

func started(c cursor.Cursor) (tr cursor.Tracker) {
	tr.Start(&profile.Session, &c)
	return tr
}

// Decisions carry their evidence, and what they would be refused for.
func TestDecisions(t *testing.T) {
	start := cursor.Cursor{Session: "s1", Seq: 5, Generation: "7"}
	for name, c := range map[string]struct {
		event   *events.Envelope
		problem events.Problem
		want    cursor.Decision
		reason  fault.Reason
	}{
		"accept":     {envelope("", 6, "7"), 0, cursor.Decision{Verdict: cursor.Accept, Seq: 6, Generation: []byte("7")}, fault.NoReason},
		"pass":       {envelope("", 0, ""), 0, cursor.Decision{Verdict: cursor.Pass}, fault.NoReason},
		"duplicate":  {envelope("", 5, ""), 0, cursor.Decision{Verdict: cursor.Duplicate, Seq: 5}, fault.NoReason},
		"late":       {envelope("", 0, "6"), 0, cursor.Decision{Verdict: cursor.Duplicate, Detail: fault.DetailStaleGeneration, Generation: []byte("6")}, fault.NoReason},
		"gap":        {envelope("", 9, ""), 0, cursor.Decision{Verdict: cursor.Gap, Detail: fault.DetailHole, Seq: 9}, fault.ReasonGap},
		"stale":      {envelope("", 6, "6"), 0, cursor.Decision{Verdict: cursor.GenerationChanged, Detail: fault.DetailStaleGeneration, Seq: 6, Generation: []byte("6")}, fault.ReasonGenerationChanged},
		"taken over": {envelope("", 6, "8"), 0, cursor.Decision{Verdict: cursor.GenerationChanged, Detail: fault.DetailEventGeneration, Seq: 6, Generation: []byte("8")}, fault.ReasonGenerationChanged},
		"foreign":    {envelope("s2", 6, ""), 0, cursor.Decision{Verdict: cursor.Invalid, Detail: fault.DetailForeignSession, Seq: 6}, fault.ReasonGap},
		"malformed":  {envelope("", 0, ""), events.BadSeq, cursor.Decision{Verdict: cursor.Invalid, Detail: fault.DetailBadEvent, Problem: events.BadSeq}, fault.ReasonGap},
		// The order of the checks.
		"malformed, then session":  {envelope("s2", 9, "8"), events.BadSeq, cursor.Decision{Verdict: cursor.Invalid, Detail: fault.DetailBadEvent, Problem: events.BadSeq, Seq: 9, Generation: []byte("8")}, fault.ReasonGap},
		"session, then generation": {envelope("s2", 6, "8"), 0, cursor.Decision{Verdict: cursor.Invalid, Detail: fault.DetailForeignSession, Seq: 6, Generation: []byte("8")}, fault.ReasonGap},
		"generation, then seq":     {envelope("", 5, "8"), 0, cursor.Decision{Verdict: cursor.GenerationChanged, Detail: fault.DetailEventGeneration, Seq: 5, Generation: []byte("8")}, fault.ReasonGenerationChanged},
	} {
		t.Run(name, func(t *testing.T) {
			tr := started(start)
			c.want.Expected, c.want.Saved = 6, "7"
			d := observed(&tr, c.event, c.problem)
			require.Equal(t, c.want, d)
			require.Equal(t, c.reason, d.Refuses())
			require.Equal(t, d.Verdict == cursor.Accept || d.Verdict == cursor.Pass, d.Delivers())
		})
	}
	tr := started(start)
	var rejected cursor.Decision
	tr.Reject(&rejected, envelope("", 6, "7"), events.IDMismatch)
	require.Equal(t, cursor.Decision{Verdict: cursor.Invalid, Detail: fault.DetailBadEvent, Problem: events.IDMismatch, Seq: 6, Generation: []byte("7"), Expected: 6, Saved: "7"}, rejected)
	require.Equal(t, start, *tr.Place())
}

// Whatever comes, only Accept moves the cursor, by one on a
// contiguous stream, and the same event again never does. A fence that it
// has stays.
func TestOnlyAcceptMoves(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	sessions := []string{"", "", "", "s1", "s2"}
	generations := []string{"", "", "6", "7", "7", "8", "x"}
	for range 200 {
		tr := started(cursor.Cursor{Session: "s1", Seq: events.Seq(random.Intn(4)), Generation: events.Generation(generations[random.Intn(4)])})
		for range 50 {
			before := *tr.Place()
			seq := events.Seq(max(0, int(before.Seq)+random.Intn(5)-2))
			e := envelope(sessions[random.Intn(len(sessions))], seq, generations[random.Intn(len(generations))])
			d := observed(&tr, e, events.NoProblem)
			if d.Verdict != cursor.Accept {
				require.Equal(t, before, *tr.Place())
				continue
			}
			require.Equal(t, before.Seq+1, tr.Place().Seq)
			require.Equal(t, e.Seq, tr.Place().Seq)
			if before.Generation.IsSet() {
				require.Equal(t, before.Generation, tr.Place().Generation)
			}
			require.Equal(t, cursor.Duplicate, verdict(&tr, e))
		}
	}
}

func TestVerdictNames(t *testing.T) {
	for v, name := range map[cursor.Verdict]string{
		cursor.NoVerdict: "", cursor.Accept: "accept", cursor.Pass: "pass", cursor.Duplicate: "duplicate", cursor.Gap: "gap",
		cursor.GenerationChanged: "generation_changed", cursor.Invalid: "invalid", 99: "",
	} {
		require.Equal(t, name, v.String())
	}
}

func TestObserveAllocatesNothing(t *testing.T) {
	scanner := profile.Session.NewScanner()
	text := []byte(`{"type":"text_delta","sessionId":"s1","seq":6,"generation":"7","text":"hello"}`)
	tr := started(cursor.Cursor{Session: "s1", Seq: 5, Generation: "7"})
	id := []byte("s1:6@7")
	var e events.Envelope
	delivered := 0
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		problem := scanner.Scan(text, &e)
		if read := cursor.ReadID(id, 1); read.Contradicts(&e) {
			return
		}
		var d cursor.Decision
		tr.Observe(&d, &e, problem)
		tr.Reset(&cursor.Cursor{Session: "s1", Seq: 5, Generation: "7"})
		if d.Delivers() {
			delivered++
		}
	}))
	require.Greater(t, delivered, 1000)
}

func BenchmarkObserve(b *testing.B) {
	tr := started(cursor.Cursor{Session: "s1", Generation: "7"})
	e := envelope("s1", 1, "7")
	var d cursor.Decision
	b.ReportAllocs()
	for b.Loop() {
		e.Seq = tr.Place().Seq + 1
		tr.Observe(&d, e, events.NoProblem)
	}
}
