package replay_test

import (
	"iter"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// page scans events as a store answers them: JSON texts.
func page(texts ...string) iter.Seq2[*events.Envelope, events.Problem] {
	return scanned(&profile.Session, texts)
}

func scanned(p *profile.Profile, texts []string) iter.Seq2[*events.Envelope, events.Problem] {
	return func(yield func(*events.Envelope, events.Problem) bool) {
		scanner := p.NewScanner()
		var e events.Envelope
		for _, text := range texts {
			if !yield(&e, scanner.Scan([]byte(text), &e)) {
				return
			}
		}
	}
}

// list writes events down: "4 5@g1 6@g2" are three of them, "!" one that is none,
// "-" one without a seq, "x:4" one of session x.
func list(words string) (texts []string) {
	for _, word := range strings.Fields(words) {
		if word == "!" {
			texts = append(texts, "no event")
			continue
		}
		session, place := "s1", word
		if before, after, ok := strings.Cut(word, ":"); ok {
			session, place = before, after
		}
		seq, generation, fenced := strings.Cut(place, "@")
		text := `{"type":"message","sessionId":"` + session + `"`
		if seq != "-" {
			text += `,"seq":` + seq
		}
		if fenced {
			text += `,"generation":"` + generation + `"`
		}
		texts = append(texts, text+"}")
	}
	return texts
}

func at(token string) cursor.Cursor {
	c, err := cursor.Parse(token, 1)
	if err != nil {
		panic(err)
	}
	return c
}

func unavailable(reason fault.Reason, detail fault.Detail) replay.Refusal {
	return replay.Refusal{Session: "s1", Reason: reason, Detail: detail}
}

var (
	none    = replay.Refusal{} // replayed or complete
	gap     = func(d fault.Detail) replay.Refusal { return unavailable(fault.ReasonGap, d) }
	changed = func(d fault.Detail) replay.Refusal { return unavailable(fault.ReasonGenerationChanged, d) }
)

// The rows of the strict rule, with the letters of the contract where they have
// one. Numbers that are none (m, n) never reach this package: they are faults of
// whoever reads them.
func TestResolve(t *testing.T) {
	for name, c := range map[string]struct {
		cursor  string
		head    replay.Head
		page    string
		outcome replay.Outcome
		refusal replay.Refusal
		index   int
	}{
		// One by one: R-70 empty, R-71 foreign, R-72 malformed, R-73 generations, R-74 seqs, R-76 all of it.
		"a hole in the middle":                       {"s1:0", replay.Head{LastSeq: 4}, "1 2 4", replay.Unavailable, gap(fault.DetailHole), 2},
		"b duplicate":                                {"s1:0", replay.Head{LastSeq: 3}, "1 2 2 3", replay.Unavailable, gap(fault.DetailDuplicate), 2},
		"c disorder":                                 {"s1:0", replay.Head{LastSeq: 4}, "1 2 3 1 4", replay.Unavailable, gap(fault.DetailDisorder), 3},
		"c a swapped pair is a hole":                 {"s1:0", replay.Head{LastSeq: 3}, "1 3 2", replay.Unavailable, gap(fault.DetailHole), 1},
		"c below the cursor":                         {"s1:3", replay.Head{LastSeq: 5}, "4 2 5", replay.Unavailable, gap(fault.DetailDisorder), 1},
		"d an event contradicts the cursor":          {"s1:0@1", replay.Head{LastSeq: 2}, "1@1 2@2", replay.Unavailable, changed(fault.DetailEventGeneration), 1},
		"e a generation falls":                       {"s1:0", replay.Head{LastSeq: 2, Generation: "2"}, "1@2 2@1", replay.Unavailable, changed(fault.DetailEventGeneration), 1},
		"e above the head's":                         {"s1:0", replay.Head{LastSeq: 2, Generation: "2"}, "1@2 2@3", replay.Unavailable, changed(fault.DetailEventGeneration), 1},
		"f a generation rises":                       {"s1:0", replay.Head{LastSeq: 2, Generation: "2"}, "1@1 2@2", replay.Replayed, none, -1},
		"g short":                                    {"s1:0", replay.Head{LastSeq: 3}, "1 2", replay.Unavailable, gap(fault.DetailShort), 2},
		"h beyond the head, of its writer":           {"s1:0", replay.Head{LastSeq: 2, Generation: "2"}, "1@1 2 3@2 4", replay.Replayed, none, -1},
		"h beyond the head, of one before":           {"s1:0", replay.Head{LastSeq: 1, Generation: "2"}, "1@1 2@1", replay.Unavailable, changed(fault.DetailEventGeneration), 1},
		"h beyond the head, of another":              {"s1:0", replay.Head{LastSeq: 1, Generation: "b"}, "1@a 2@a", replay.Unavailable, changed(fault.DetailEventGeneration), 1},
		"h beyond the head":                          {"s1:0", replay.Head{LastSeq: 2}, "1 2 3", replay.Replayed, none, -1},
		"i at the head":                              {"s1:2", replay.Head{LastSeq: 2}, "3 9 ! x:1", replay.Complete, none, -1},
		"j without seq":                              {"s1:0", replay.Head{LastSeq: 2}, "1 - 2", replay.Unavailable, gap(fault.DetailBadEvent), 1},
		"j no event":                                 {"s1:0", replay.Head{LastSeq: 2}, "1 ! 2", replay.Unavailable, gap(fault.DetailBadEvent), 1},
		"j seq 0":                                    {"s1:0", replay.Head{LastSeq: 2}, "0 1 2", replay.Unavailable, gap(fault.DetailBadEvent), 0},
		"k another session":                          {"s1:0", replay.Head{LastSeq: 2}, "1 x:2", replay.Unavailable, gap(fault.DetailForeignSession), 1},
		"l nothing received":                         {"s1:0", replay.Head{LastSeq: 2}, "1 2", replay.Replayed, none, -1},
		"o at the edge of the numbers":               {"s1:9007199254740990", replay.Head{LastSeq: events.MaxSeq}, "9007199254740991", replay.Replayed, none, -1},
		"o beyond it":                                {"s1:9007199254740990", replay.Head{LastSeq: events.MaxSeq}, "9007199254740991 9007199254740992", replay.Unavailable, gap(fault.DetailBadEvent), 1},
		"empty below the head":                       {"s1:1", replay.Head{LastSeq: 2}, "", replay.Unavailable, gap(fault.DetailEmpty), -1},
		"empty at the head":                          {"s1:2", replay.Head{LastSeq: 2}, "", replay.Complete, none, -1},
		"empty log":                                  {"s1:0", replay.Head{}, "", replay.Complete, none, -1},
		"the first too high":                         {"s1:1", replay.Head{LastSeq: 4}, "3 4", replay.Unavailable, gap(fault.DetailPruned), 0},
		"the first too low":                          {"s1:1", replay.Head{LastSeq: 2}, "1 2", replay.Unavailable, gap(fault.DetailNotAboveCursor), 0},
		"pruned by the head's word":                  {"s1:1", replay.Head{LastSeq: 4, OldestSeq: 3}, "", replay.Unavailable, gap(fault.DetailPruned), -1},
		"events speak louder than the head's oldest": {"s1:1", replay.Head{LastSeq: 3, OldestSeq: 3}, "2 3", replay.Replayed, none, -1},
		// The order of checks: the earlier wins wherever it fails.
		"generation before everything":    {"s1:9@1", replay.Head{LastSeq: 3, Generation: "2"}, "x:1 !", replay.Unavailable, changed(fault.NoDetail), -1},
		"cursor ahead before the page":    {"s1:9", replay.Head{LastSeq: 3}, "x:1 !", replay.Unavailable, unavailable(fault.ReasonCursorAhead, fault.NoDetail), -1},
		"foreign before malformed":        {"s1:0", replay.Head{LastSeq: 3}, "! 9 x:2", replay.Unavailable, gap(fault.DetailForeignSession), 2},
		"foreign without seq":             {"s1:0", replay.Head{LastSeq: 3}, "- x:-", replay.Unavailable, gap(fault.DetailForeignSession), 1},
		"malformed before generation":     {"s1:0@1", replay.Head{LastSeq: 3}, "1@2 !", replay.Unavailable, gap(fault.DetailBadEvent), 1},
		"generation before seq":           {"s1:0@1", replay.Head{LastSeq: 4}, "1@1 3@1 4@2", replay.Unavailable, changed(fault.DetailEventGeneration), 2},
		"seq before short":                {"s1:0", replay.Head{LastSeq: 9}, "1 3", replay.Unavailable, gap(fault.DetailHole), 1},
		"absent generations say nothing":  {"s1:0@1", replay.Head{LastSeq: 3}, "1 2 3", replay.Replayed, none, -1},
		"an equal generation at the head": {"s1:2@g", replay.Head{LastSeq: 2, Generation: "g"}, "", replay.Complete, none, -1},
	} {
		t.Run(name, func(t *testing.T) {
			start := at(c.cursor)
			v := replay.Resolve(&profile.Session, start, c.head, page(list(c.page)...), false)
			require.Equal(t, c.outcome, v.Outcome, v.Outcome.String())
			if c.outcome != replay.Unavailable {
				require.Zero(t, v.Refusal)
				return
			}
			require.Zero(t, v.Count, "nothing is owed, not even a part (R-79)")
			require.Equal(t, c.index, v.Refusal.Evidence.Index)
			require.Equal(t, start.Seq, v.Refusal.Evidence.SavedSeq)
			require.Equal(t, c.head.LastSeq, v.Refusal.Evidence.LastSeq)
			require.True(t, v.Refusal.Evidence.HasHead)
			v.Refusal.Evidence = replay.Evidence{}
			require.Equal(t, c.refusal, v.Refusal)
		})
	}
}

func TestReplayedSaysWhatIsOwed(t *testing.T) {
	v := replay.Resolve(&profile.Session, at("s1:3"), replay.Head{LastSeq: 6, Generation: "2"}, page(list("4@1 5@2 6")...), false)
	require.Equal(t, replay.Verdict{Outcome: replay.Replayed, From: 4, Count: 3, Next: at("s1:6@2")}, v)
}

// Without a session the page's first event names it.
func TestUnnamedCursor(t *testing.T) {
	v := replay.Resolve(&profile.Session, cursor.Cursor{}, replay.Head{LastSeq: 2}, page(list("s9:1 s9:2")...), false)
	require.Equal(t, at("s9:2"), v.Next)
	v = replay.Resolve(&profile.Session, cursor.Cursor{}, replay.Head{LastSeq: 2}, page(list("s9:1 s8:2")...), false)
	require.Equal(t, fault.DetailForeignSession, v.Refusal.Detail)
}

// Steps that need no page.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		cursor  string
		head    replay.Head
		outcome replay.Outcome
		reason  fault.Reason
		detail  fault.Detail
		next    string
	}{
		{"s1:0", replay.Head{}, replay.Complete, 0, 0, "s1:0"},
		{"s1:0", replay.Head{Generation: "7"}, replay.Complete, 0, 0, "s1:0@7"},
		{"s1:5", replay.Head{LastSeq: 5, Generation: "7"}, replay.Complete, 0, 0, "s1:5@7"},
		{"s1:5@7", replay.Head{LastSeq: 5}, replay.Complete, 0, 0, "s1:5@7"},
		{"s1:5@7", replay.Head{LastSeq: 5, Generation: "7"}, replay.Complete, 0, 0, "s1:5@7"},
		{"s1:5@7", replay.Head{LastSeq: 6, Generation: "7"}, replay.Replayed, 0, 0, "s1:5@7"},
		{"s1:5", replay.Head{LastSeq: 6, Generation: "7"}, replay.Replayed, 0, 0, "s1:5"}, // not before an event carries it
		{"s1:5@7", replay.Head{LastSeq: 5, Generation: "8"}, replay.Unavailable, fault.ReasonGenerationChanged, 0, ""},
		{"s1:5@8", replay.Head{LastSeq: 5, Generation: "7"}, replay.Unavailable, fault.ReasonGenerationChanged, 0, ""},
		{"s1:0@7", replay.Head{Generation: "8"}, replay.Unavailable, fault.ReasonGenerationChanged, 0, ""},
		{"s1:9@7", replay.Head{LastSeq: 5, Generation: "8"}, replay.Unavailable, fault.ReasonGenerationChanged, 0, ""},
		{"s1:9@7", replay.Head{LastSeq: 5, Generation: "8", OldestSeq: 3}, replay.Unavailable, fault.ReasonGenerationChanged, 0, ""},
		{"s1:6", replay.Head{LastSeq: 5}, replay.Unavailable, fault.ReasonCursorAhead, 0, ""},
		{"s1:6@7", replay.Head{LastSeq: 5, OldestSeq: 6}, replay.Unavailable, fault.ReasonCursorAhead, 0, ""},
		{"s1:3", replay.Head{LastSeq: 9, OldestSeq: 4}, replay.Replayed, 0, 0, "s1:3"},
		{"s1:3", replay.Head{LastSeq: 9, OldestSeq: 5}, replay.Unavailable, fault.ReasonGap, fault.DetailPruned, ""},
		{"s1:3", replay.Head{LastSeq: 9, OldestSeq: 10}, replay.Unavailable, fault.ReasonGap, fault.DetailPruned, ""},
		{"s1:9", replay.Head{LastSeq: 9, OldestSeq: 10}, replay.Complete, 0, 0, "s1:9"},
	} {
		from := at(c.cursor)
		v := replay.Judge(&profile.Session, &from, &c.head)
		require.Equal(t, c.outcome, v.Outcome, "%s and %+v", c.cursor, c.head)
		require.Equal(t, c.reason, v.Refusal.Reason)
		require.Equal(t, c.detail, v.Refusal.Detail)
		require.Equal(t, c.next, token(v.Next), "%s and %+v", c.cursor, c.head)
	}
}

func token(c cursor.Cursor) string {
	if c.Session == "" {
		return ""
	}
	return c.Token(1)
}

// What a refusal rests on.
func TestEvidence(t *testing.T) {
	for name, c := range map[string]struct {
		cursor string
		head   replay.Head
		page   string
		want   replay.Evidence
	}{
		"hole":               {"s1:3@7", replay.Head{LastSeq: 9, Generation: "7", OldestSeq: 1}, "4 6", replay.Evidence{ExpectedSeq: 5, ReceivedSeq: 6, SavedSeq: 3, SavedGeneration: "7", LastSeq: 9, OldestSeq: 1, Index: 1}},
		"head's generation":  {"s1:3@7", replay.Head{LastSeq: 9, Generation: "8"}, "", replay.Evidence{SavedSeq: 3, SavedGeneration: "7", ObservedGeneration: "8", LastSeq: 9, Index: -1}},
		"event's generation": {"s1:3@7", replay.Head{LastSeq: 9, Generation: "7"}, "4@8", replay.Evidence{ExpectedSeq: 4, ReceivedSeq: 4, SavedSeq: 3, SavedGeneration: "7", ObservedGeneration: "8", LastSeq: 9, Index: 0}},
		"malformed":          {"s1:3", replay.Head{LastSeq: 9}, "4 5.5", replay.Evidence{ExpectedSeq: 5, SavedSeq: 3, LastSeq: 9, Index: 1, Problem: events.BadSeq, Offset: 41}},
		"foreign":            {"s1:3", replay.Head{LastSeq: 9}, "x:4", replay.Evidence{ReceivedSeq: 4, SavedSeq: 3, LastSeq: 9, Index: 0}},
		"short":              {"s1:3", replay.Head{LastSeq: 9}, "4 5", replay.Evidence{ExpectedSeq: 6, SavedSeq: 3, LastSeq: 9, Index: 2}},
		"empty":              {"s1:3", replay.Head{LastSeq: 9}, "", replay.Evidence{ExpectedSeq: 4, SavedSeq: 3, LastSeq: 9, Index: -1}},
		"pruned":             {"s1:3", replay.Head{LastSeq: 9, OldestSeq: 6}, "", replay.Evidence{ExpectedSeq: 4, SavedSeq: 3, LastSeq: 9, OldestSeq: 6, Index: -1}},
		"ahead":              {"s1:3", replay.Head{}, "", replay.Evidence{SavedSeq: 3, Index: -1}},
	} {
		t.Run(name, func(t *testing.T) {
			c.want.HasHead = true
			require.Equal(t, c.want, replay.Resolve(&profile.Session, at(c.cursor), c.head, page(list(c.page)...), false).Refusal.Evidence)
		})
	}
}

// TestPagesConnect cuts logs that rise through generations into pages at every
// place: asked for one after the other they give what the whole gives.
func TestPagesConnect(t *testing.T) {
	log := list("1 2@1 3@1 4 5@2 6@3 7 8@3")
	head := replay.Head{LastSeq: 8, Generation: "3"}
	whole := replay.Resolve(&profile.Session, at("s1:0"), head, page(log...), false)
	require.Equal(t, at("s1:8@3"), whole.Next)
	for size := 1; size <= len(log); size++ {
		c, seen := at("s1:0"), 0
		for seen < len(log) {
			upTo := min(seen+size, len(log))
			v := replay.Resolve(&profile.Session, c, head, page(log[seen:upTo]...), upTo < len(log))
			require.Equal(t, replay.Replayed, v.Outcome, "%+v", v.Refusal)
			require.Equal(t, events.Seq(seen+1), v.From)
			require.Equal(t, upTo < len(log), v.More)
			c, seen = v.Next, seen+v.Count
		}
		require.Equal(t, whole.Next, c, "pages of %d", size)
	}
}

// TestNothingConnectsByAccident: whatever a page holds, only an unbroken run from
// the cursor to the head, or further, is replayed. Nothing is put in order to
// get one.
func TestNothingConnectsByAccident(t *testing.T) {
	random := rand.New(rand.NewSource(7))
	outcomes := map[replay.Outcome]int{}
	for range 20_000 {
		c := cursor.Cursor{Session: "s1", Seq: events.Seq(random.Intn(3))}
		head := replay.Head{LastSeq: events.Seq(random.Intn(6))}
		seqs := make([]int, random.Intn(5))
		next := int(c.Seq) + 1
		var words []string
		for i := range seqs {
			if seqs[i] = next + i; random.Intn(6) == 0 {
				seqs[i] = 1 + random.Intn(6)
			}
			words = append(words, string(rune('0'+seqs[i])))
		}
		v := replay.Resolve(&profile.Session, c, head, page(list(strings.Join(words, " "))...), false)
		outcomes[v.Outcome]++
		require.Equal(t, connects(seqs, int(c.Seq), int(head.LastSeq)), v.Outcome, "%d, %d, %v", c.Seq, head.LastSeq, seqs)
	}
	require.Len(t, outcomes, 3)
}

// connects is the plain reading of the rule for pages without generations.
func connects(seqs []int, from, to int) replay.Outcome {
	switch {
	case from > to:
		return replay.Unavailable
	case from == to:
		return replay.Complete
	}
	for i, seq := range seqs {
		if seq != from+1+i {
			return replay.Unavailable
		}
	}
	if from+len(seqs) < to {
		return replay.Unavailable
	}
	return replay.Replayed
}

// The page is judged without keeping its bytes.
func TestPageKeepsNoBytes(t *testing.T) {
	scanner, p := profile.Session.NewScanner(), replay.NewPage(&profile.Session, at("s1:0"), replay.Head{LastSeq: 2})
	buffer := make([]byte, 0, 200)
	var e events.Envelope
	for _, text := range list("1@g1 2@g2") {
		buffer = append(buffer[:0], text...)
		p.Add(&e, scanner.Scan(buffer, &e))
		clear(buffer)
	}
	require.Equal(t, at("s1:2@g2"), p.Verdict(false).Next)
}

func TestAppendJSON(t *testing.T) {
	v := replay.Resolve(&profile.Session, at("s1:3@7"), replay.Head{LastSeq: 9, Generation: "7", OldestSeq: 1}, page(list("4 6")...), false)
	for base, evidence := range []string{
		`"evidence":{"expectedSeq":4,"receivedSeq":5,"savedSeq":2,"savedGeneration":"7","lastSeq":8,"oldestSeq":0,"index":1}`,
		`"evidence":{"expectedSeq":5,"receivedSeq":6,"savedSeq":3,"savedGeneration":"7","lastSeq":9,"oldestSeq":1,"index":1}`,
	} {
		text := string(v.Refusal.AppendJSON([]byte("x"), events.Seq(base), profile.StrengthExact))
		require.True(t, strings.HasPrefix(text, `x{"session":"s1","reason":"gap","detail":"hole",`+evidence+`,"rule":"stream.gap.hole","message":`), text)
		require.True(t, strings.HasSuffix(text, `,"strength":"exact"}`), text)
		rule := fault.RuleOf(v.Refusal.ID())
		for _, member := range []string{`"message":`, `"hint":`, `"href":"` + rule.Href() + `"`} {
			require.Contains(t, text, member)
		}
	}
}

// What is not known is not written: nothing received on base 0, no head, no index.
func TestAppendJSONLeavesOutWhatIsNotKnown(t *testing.T) {
	r := replay.Refusal{Session: "s1", Reason: fault.ReasonGap, Detail: fault.DetailHTTPStatus, Evidence: replay.Evidence{Status: 410, Index: -1}}
	require.Contains(t, string(r.AppendJSON(nil, 0, profile.StrengthNone)), `"evidence":{"status":410}`)
	require.Contains(t, string(r.AppendJSON(nil, 1, profile.StrengthNone)), `"evidence":{"savedSeq":0,"status":410}`)
	r.Evidence = replay.Evidence{HasHead: true, Index: 0, Problem: events.NotJSON}
	require.Contains(t, string(r.AppendJSON(nil, 1, profile.StrengthNone)), `"evidence":{"savedSeq":0,"lastSeq":0,"index":0,"problem":"not JSON","offset":0}`)
}

func TestOutcomeNames(t *testing.T) {
	for o, name := range map[replay.Outcome]string{replay.NoOutcome: "", replay.Complete: "complete", replay.Replayed: "replayed", replay.Unavailable: "unavailable", 99: ""} {
		require.Equal(t, name, o.String())
	}
}
