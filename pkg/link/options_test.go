package link_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

func start(t *testing.T, o link.Options) []link.Ask {
	l, err := link.New(o)
	require.NoError(t, err)
	l.Start(link.Moment{})
	a := l.Next()
	require.Equal(t, link.Connect, a.Kind)
	return a.Asks
}

// What the options ask for, session by session.
func TestOptions(t *testing.T) {
	one, two := cursor.Cursor{Session: "s1", Seq: 4, Generation: "g"}, cursor.Cursor{Session: "s2"}
	for name, c := range map[string]struct {
		options link.Options
		want    []link.Ask
	}{
		"nothing":                {link.Options{}, []link.Ask{{Start: link.FromBeginning}}},
		"a session":              {link.Options{Sessions: []string{"s1"}}, []link.Ask{{Session: "s1", Start: link.FromBeginning, Cursor: cursor.Cursor{Session: "s1"}}}},
		"from now":               {link.Options{Sessions: []string{"s1"}, From: link.FromNow}, []link.Ask{{Session: "s1", Start: link.FromNow, Cursor: cursor.Cursor{Session: "s1"}}}},
		"a cursor":               {link.Options{Cursors: []cursor.Cursor{one}}, []link.Ask{{Session: "s1", Start: link.FromCursor, Cursor: one}}},
		"a cursor at zero":       {link.Options{Cursors: []cursor.Cursor{two}}, []link.Ask{{Session: "s2", Start: link.FromCursor, Cursor: two}}},
		"a cursor, not from now": {link.Options{Cursors: []cursor.Cursor{one}, From: link.FromNow}, []link.Ask{{Session: "s1", Start: link.FromCursor, Cursor: one}}},
		"one with, one without": {link.Options{Sessions: []string{"s2", "s1"}, Cursors: []cursor.Cursor{one}},
			[]link.Ask{{Session: "s2", Start: link.FromBeginning, Cursor: two}, {Session: "s1", Start: link.FromCursor, Cursor: one}}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, start(t, c.options)) })
	}
}

//
func TestOptionsThatContradict(t *testing.T) {
	one, two := cursor.Cursor{Session: "s1"}, cursor.Cursor{Session: "s2"}
	local := profile.Session
	local.Scope = profile.ScopeConnection
	many := make([]string, link.MaxSessions+1)
	for i := range many {
		many[i] = "s" + strconv.Itoa(i)
	}
	_, err := link.New(link.Options{Sessions: many[1:]})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		options link.Options
		want    fault.ID
	}{
		"a session twice":        {link.Options{Sessions: []string{"s1", "s1"}}, fault.InvalidOptions},
		"an empty session":       {link.Options{Sessions: []string{""}}, fault.InvalidOptions},
		"a control character":    {link.Options{Sessions: []string{"s\n1"}}, fault.InvalidOptions},
		"two cursors of one":     {link.Options{Cursors: []cursor.Cursor{one, one}}, fault.InvalidOptions},
		"a cursor of another":    {link.Options{Sessions: []string{"s1"}, Cursors: []cursor.Cursor{two}}, fault.ForeignSession},
		"from a cursor, without": {link.Options{From: link.FromCursor}, fault.InvalidOptions},
		"too many sessions":      {link.Options{Sessions: many}, fault.InvalidOptions},
		"a cursor of no use":     {link.Options{Profile: &local, Cursors: []cursor.Cursor{one}}, fault.InvalidOptions},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := link.New(c.options)
			require.ErrorIs(t, err, c.want)
		})
	}
}

func TestLinkBeforeItsStart(t *testing.T) {
	l, err := link.New(link.Options{Sessions: []string{"s1"}})
	require.NoError(t, err)
	require.Equal(t, &profile.Session, l.Profile())
	require.Equal(t, "s1", l.Session(0))
	require.Empty(t, l.Session(1)+l.Session(-1))
	require.Equal(t, []cursor.Cursor{{Session: "s1"}}, l.Cursors())
	require.Nil(t, l.Next())
}

// A decision as watchers get it: positions and the rule, never payload.
func TestReportJSON(t *testing.T) {
	for want, r := range map[string]link.Report{
		`{"session":"s1","verdict":"accept","seq":4,"expectedSeq":4,"cursor":"s1:4"}`: {
			Session: "s1", Decision: cursor.Decision{Verdict: cursor.Accept, Seq: 4, Expected: 4}, Cursor: cursor.Cursor{Session: "s1", Seq: 4},
		},
		`{"session":"s1","verdict":"pass","expectedSeq":4,"generation":"7","savedGeneration":"7","cursor":"s1:3@7"}`: {
			Session: "s1", Decision: cursor.Decision{Verdict: cursor.Pass, Expected: 4, Generation: []byte("7"), Saved: "7"}, Cursor: cursor.Cursor{Session: "s1", Seq: 3, Generation: "7"},
		},
		`{"session":"s1","verdict":"gap","reason":"gap","detail":"hole","rule":"stream.gap.hole","seq":9,"expectedSeq":4,"cursor":"s1:3"}`: {
			Session: "s1", Decision: cursor.Decision{Verdict: cursor.Gap, Detail: fault.DetailHole, Seq: 9, Expected: 4}, Cursor: cursor.Cursor{Session: "s1", Seq: 3},
		},
		`{"session":"s1","verdict":"invalid","reason":"gap","detail":"bad_event","rule":"stream.bad_event","problem":"not JSON","offset":7,"expectedSeq":4,"cursor":"s1:3"}`: {
			Session: "s1", Decision: cursor.Decision{Verdict: cursor.Invalid, Detail: fault.DetailBadEvent, Problem: events.NotJSON, Offset: 7, Expected: 4}, Cursor: cursor.Cursor{Session: "s1", Seq: 3},
		},
		`{"session":"s1","verdict":"invalid","reason":"gap","detail":"bad_event","rule":"stream.too_deep","problem":"nested too deeply","offset":900,"expectedSeq":4,"cursor":"s1:3"}`: {
			Session: "s1", Decision: cursor.Decision{Verdict: cursor.Invalid, Detail: fault.DetailBadEvent, Problem: events.TooDeep, Offset: 900, Expected: 4}, Cursor: cursor.Cursor{Session: "s1", Seq: 3},
		},
		`{"session":"s1","verdict":"invalid","reason":"gap","detail":"bad_event","rule":"stream.id_mismatch","problem":"the SSE id contradicts the event","seq":4,"expectedSeq":4,"cursor":"s1:3"}`: {
			Session: "s1", Decision: cursor.Decision{Verdict: cursor.Invalid, Detail: fault.DetailBadEvent, Problem: events.IDMismatch, Seq: 4, Expected: 4}, Cursor: cursor.Cursor{Session: "s1", Seq: 3},
		},
		`{"session":"","verdict":"invalid","rule":"stream.bad_event","problem":"not JSON","offset":1}`: {
			Decision: cursor.Decision{Verdict: cursor.Invalid, Problem: events.NotJSON, Offset: 1},
		},
		`{"session":"","verdict":"broken","rule":"stream.connection_lost","problem":"cut inside a frame","wait":1500}`: {Broken: fault.ConnectionLost, Cut: true, Wait: 1500},
		`{"session":"","verdict":"broken","rule":"stream.stalled","wait":0}`:                                           {Broken: fault.Stalled},
		`{"session":"s1","verdict":"complete","cursor":"s1:3"}`: {
			Session: "s1", Outcome: replay.Complete, Cursor: cursor.Cursor{Session: "s1", Seq: 3},
		},
		`{"session":"s1","verdict":"unavailable","reason":"gap","detail":"pruned","rule":"stream.gap.pruned","cursor":"s1:3"}`: {
			Session: "s1", Outcome: replay.Unavailable, Cursor: cursor.Cursor{Session: "s1", Seq: 3},
			Refusal: &replay.Refusal{Reason: fault.ReasonGap, Detail: fault.DetailPruned},
		},
		`{"session":"","verdict":"pass"}`: {Decision: cursor.Decision{Verdict: cursor.Pass}},
	} {
		require.Equal(t, want, string(r.AppendJSON(nil, 1)))
	}
	onZero := link.Report{Session: "s1", Decision: cursor.Decision{Verdict: cursor.Accept, Seq: 1, Expected: 1}, Cursor: cursor.Cursor{Session: "s1", Seq: 1}}
	require.Equal(t, `{"session":"s1","verdict":"accept","seq":0,"expectedSeq":0,"cursor":"s1:0"}`, string(onZero.AppendJSON(nil, 0)))
}

// A link that follows a stream allocates for its actions once, not for each event.
func TestFollowingAllocatesNothing(t *testing.T) {
	l, err := link.New(link.Options{Cursors: []cursor.Cursor{{Session: "s1", Seq: 0}}})
	require.NoError(t, err)
	l.Start(link.Moment{})
	for l.Next() != nil {
	}
	l.Opened(link.Moment{}, link.Response{Status: 200, ContentType: "text/event-stream"})
	frame := []byte("data: {\"type\":\"text_delta\",\"sessionId\":\"s1\",\"text\":\"hello\"}\n\n")
	seen := 0
	require.Zero(t, testing.AllocsPerRun(500, func() {
		l.Feed(link.Moment{}, frame)
		for a := l.Next(); a != nil; a = l.Next() {
			if a.Kind == link.Draft {
				seen++
			}
		}
	}))
	require.Greater(t, seen, 500)
}

// The causes of an end are a closed list.
func TestCauses(t *testing.T) {
	var names []string
	for n := range 256 {
		if name := link.Cause(n).String(); name != "" {
			names = append(names, name)
		}
	}
	require.Equal(t, []string{"terminal", "server", "incomplete", "closed", "failed"}, names)
}
