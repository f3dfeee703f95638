package park

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

// show is what a page would see of an inbox: rows, then the sessions that are not
// known. What an unknown row was stands in brackets.
func show(b *Inbox, now int64) string {
	var parts []string
	for _, r := range b.Rows(now) {
		text := r.Session + "/" + r.DecisionID + " " + r.State.String()
		if r.State == RowUnknown {
			text += "(" + r.Was.String() + ")"
		}
		parts = append(parts, text)
	}
	text := strings.Join(parts, ", ")
	for _, s := range b.Standings(now) {
		if s.Why != Known {
			text += "; " + s.Session + " " + s.Why.String()
		}
	}
	return text
}

// stage is an inbox in a story, with the clock of the story.
type stage struct {
	Inbox
	now   int64
	saved []byte
}

// step is one thing that happens, and what is to be seen then.
type step struct {
	does func(*stage)
	want string
}

func begins(b *stage)            { b.Begin("s") }
func beginsElsewhere(b *stage)   { b.BeginElsewhere("s") }
func live(b *stage)              { b.Live("s", true) }
func lost(w Why) func(*stage)    { return func(b *stage) { b.Lost("s", w) } }
func at(second int) func(*stage) { return func(b *stage) { b.now = base + int64(second)*1000 } }

// reads takes a record, which stands where it says.
func reads(text string) func(*stage) { return readsOf("s", "7", text) }

func readsOf(session, generation, text string) func(*stage) {
	var place struct{ Seq events.Seq }
	if err := json.Unmarshal([]byte(text), &place); err != nil {
		panic(err)
	}
	return func(b *stage) { b.Event(session, place.Seq, events.Generation(generation), []byte(text)) }
}

func saves(seq events.Seq) func(*stage) {
	return func(b *stage) {
		var ok bool
		if b.saved, ok = b.AppendState(nil, "s", seq, "7"); !ok {
			b.saved = nil
		}
	}
}

// restarts is a page that is loaded again, with nothing but what was saved.
func restarts(b *stage) { b.Inbox = Inbox{} }

func resumes(seq events.Seq, generation events.Generation) func(*stage) {
	return func(b *stage) { _ = b.Resume("s", b.saved, seq, generation) } // what became of it is to be seen
}

// Each way in which a card that is dead could be shown as one that waits, or one
// that waits be shown as gone.
func TestStories(t *testing.T) {
	for name, story := range map[string][]step{
		"a question is not shown as open before what follows it was read": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{reads(answer("a", 2)), "s/a unknown(answered); s catching_up"},
			{live, "s/a answered"},
		},
		"an answered question is not offered again on each connect": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{reads(answer("a", 2)), "s/a unknown(answered); s catching_up"},
			{live, "s/a answered"},
			{lost(Disconnected), "s/a unknown(answered); s disconnected"},
			{begins, "s/a unknown(answered); s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{reads(answer("a", 2)), "s/a unknown(answered); s catching_up"},
			{live, "s/a answered"},
		},
		"an expired question is not offered again on each connect": {
			{at(20), ""},
			{begins, "; s catching_up"},
			{reads(ask("a", 1, due10)), "s/a unknown(expired); s catching_up"},
			{live, "s/a expired"},
			{lost(Disconnected), "s/a unknown(expired); s disconnected"},
			{begins, "s/a unknown(expired); s catching_up"},
			{reads(ask("a", 1, due10)), "s/a unknown(expired); s catching_up"},
			{reads(lapse("a", 11)), "s/a unknown(expired); s catching_up"},
			{live, "s/a expired"},
		},
		"the clock reaches the deadline": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, due10)), "s/a unknown(expired); s catching_up"},
			{at(9), "s/a unknown(pending); s catching_up"},
			{live, "s/a pending"},
			{func(b *stage) { b.now = base + 9999 }, "s/a pending"},
			{at(10), "s/a expired"},
			{reads(answer("a", 11)), "s/a answered"},
		},
		"another tab answers": {
			{begins, "; s catching_up"},
			{live, ""},
			{reads(ask("a", 1, "")), "s/a pending"},
			{reads(answer("a", 2)), "s/a answered"},
			{reads(answer("a", 3)), "s/a answered"},
		},
		"another tab answers while the connection is lost": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{live, "s/a pending"},
			{lost(Disconnected), "s/a unknown(pending); s disconnected"},
			{lost(CatchingUp), "s/a unknown(pending); s catching_up"},
			{reads(answer("a", 2)), "s/a unknown(answered); s catching_up"},
			{live, "s/a answered"},
		},
		"a refused stream knows nothing, and nothing it showed is gone": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{reads(ask("b", 2, "")), "s/a unknown(pending), s/b unknown(pending); s catching_up"},
			{reads(answer("b", 3)), "s/a unknown(pending), s/b unknown(answered); s catching_up"},
			{live, "s/a pending, s/b answered"},
			{lost(Refused), "s/a unknown(pending), s/b unknown(answered); s refused"},
			{live, "s/a unknown(pending), s/b unknown(answered); s refused"},
			{lost(Disconnected), "s/a unknown(pending), s/b unknown(answered); s refused"},
			{reads(answer("a", 4)), "s/a unknown(answered), s/b unknown(answered); s refused"},
		},
		"after a refusal the session is loaded anew, and its questions are others": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{live, "s/a pending"},
			{lost(Refused), "s/a unknown(pending); s refused"},
			{begins, "s/a unknown(pending); s catching_up"},
			{readsOf("s", "8", ask("b", 1, "")), "s/a unknown(pending), s/b unknown(pending); s catching_up"},
			{live, "s/b pending"},
		},
		"after a refusal the session is loaded anew, and its question is answered there": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{live, "s/a pending"},
			{lost(Refused), "s/a unknown(pending); s refused"},
			{begins, "s/a unknown(pending); s catching_up"},
			{readsOf("s", "8", ask("a", 2, "")), "s/a unknown(pending); s catching_up"},
			{readsOf("s", "8", answer("a", 3)), "s/a unknown(answered); s catching_up"},
			{live, "s/a answered"},
		},
		"after a refusal the application loads a state without the inbox": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{live, "s/a pending"},
			{lost(Refused), "s/a unknown(pending); s refused"},
			{beginsElsewhere, "s/a unknown(pending); s elsewhere"},
			{live, "s/a unknown(pending); s elsewhere"},
			{reads(ask("b", 9, "")), "s/a unknown(pending), s/b unknown(pending); s elsewhere"},
		},
		"a stream that was refused over and over leaves nothing but what it showed last": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{reads(answer("a", 2)), "s/a unknown(answered); s catching_up"},
			{begins, "s/a unknown(answered); s catching_up"},
			{reads(ask("b", 1, "")), "s/a unknown(answered), s/b unknown(pending); s catching_up"},
			{begins, "s/b unknown(pending); s catching_up"},
			{begins, "s/b unknown(pending); s catching_up"},
			{live, ""},
		},
		"a row that gave way does not come back when its successor is dropped": {
			{func(b *stage) { b.Keep(1) }, ""},
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{live, "s/a pending"},
			{begins, "s/a unknown(pending); s catching_up"},
			{readsOf("s", "8", ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{readsOf("s", "8", answer("a", 2)), "s/a unknown(answered); s catching_up"},
			{readsOf("s", "8", ask("b", 3, "")), "s/a unknown(answered), s/b unknown(pending); s catching_up"},
			{readsOf("s", "8", answer("b", 4)), "s/b unknown(answered); s catching_up"},
			{begins, "s/b unknown(answered); s catching_up"},
		},
		"a row gives way to a fold that was saved": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{live, "s/a pending"},
			{saves(2), "s/a pending"},
			{resumes(2, "7"), "s/a unknown(pending); s catching_up"},
			{reads(answer("a", 3)), "s/a unknown(answered); s catching_up"},
			{lost(Refused), "s/a unknown(answered); s refused"},
		},
		"a stream that goes on from a cursor has not shown the question": {
			{beginsElsewhere, "; s elsewhere"},
			{reads(answer("a", 9)), "; s elsewhere"},
			{reads(ask("b", 10, "")), "s/b unknown(pending); s elsewhere"},
			{live, "s/b unknown(pending); s elsewhere"},
		},
		"events of a session that nobody began": {
			{reads(ask("a", 1, "")), "s/a unknown(pending); s elsewhere"},
			{live, "s/a unknown(pending); s elsewhere"},
			{lost(Disconnected), "s/a unknown(pending); s elsewhere"},
		},
		"a stream that cannot prove that nothing is missing": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{func(b *stage) { b.Live("s", false) }, "s/a unknown(pending); s incomplete"},
			{live, "s/a unknown(pending); s incomplete"},
		},
		"a stream that ended before its end": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{live, "s/a pending"},
			{lost(Incomplete), "s/a unknown(pending); s incomplete"},
			{lost(CatchingUp), "s/a unknown(pending); s incomplete"},
		},
		"a question asked again after its answer waits again, as the newest": {
			{begins, "; s catching_up"},
			{live, ""},
			{reads(ask("a", 1, "")), "s/a pending"},
			{reads(ask("b", 2, "")), "s/a pending, s/b pending"},
			{reads(answer("a", 3)), "s/a answered, s/b pending"},
			{reads(ask("a", 4, "")), "s/b pending, s/a pending"},
		},
		"a double changes nothing": {
			{begins, "; s catching_up"},
			{live, ""},
			{reads(ask("a", 1, "")), "s/a pending"},
			{reads(answer("a", 2)), "s/a answered"},
			{reads(ask("a", 1, "")), "s/a answered"},
			{reads(answer("a", 2)), "s/a answered"},
		},
		"another log begins, and the host does not say so": {
			{begins, "; s catching_up"},
			{live, ""},
			{reads(ask("a", 5, "")), "s/a pending"},
			{readsOf("s", "8", ask("b", 1, "")), "s/a unknown(pending); s elsewhere"},
			{live, "s/a unknown(pending); s elsewhere"},
			{begins, "s/a unknown(pending); s catching_up"},
			{readsOf("s", "8", ask("b", 1, "")), "s/b unknown(pending), s/a unknown(pending); s catching_up"},
			{live, "s/b pending"},
		},
		"a page is loaded again and goes on where it was saved": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{live, "s/a pending"},
			{saves(5), "s/a pending"},
			{restarts, ""},
			{resumes(5, "7"), "s/a unknown(pending); s catching_up"},
			{reads(answer("a", 6)), "s/a unknown(answered); s catching_up"},
			{live, "s/a answered"},
		},
		"a page is loaded again with a fold from before its cursor": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{saves(2), "s/a unknown(pending); s catching_up"},
			{restarts, ""},
			{resumes(9, "7"), "; s elsewhere"},
			{live, "; s elsewhere"},
		},
		"a page is loaded again with a fold of another generation": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{saves(2), "s/a unknown(pending); s catching_up"},
			{restarts, ""},
			{resumes(2, "8"), "; s elsewhere"},
		},
		"a page is loaded again, and what it saved is refused": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{live, "s/a pending"},
			{saves(2), "s/a pending"},
			{restarts, ""},
			{resumes(2, "7"), "s/a unknown(pending); s catching_up"},
			{lost(Refused), "s/a unknown(pending); s refused"},
			{begins, "s/a unknown(pending); s catching_up"},
			{live, ""},
		},
		"a fold that has read on cannot be saved for an older cursor": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{reads(answer("a", 5)), "s/a unknown(answered); s catching_up"},
			{saves(5), "s/a unknown(answered); s catching_up"},
			{restarts, ""},
			{resumes(5, "7"), "; s elsewhere"},
		},
		"what was saved is spoilt": {
			{func(b *stage) { b.saved = []byte(`{"v":1,"seq":5,"generation":"7","fold":{"v":1,"parks":[{}]}}`) }, ""},
			{resumes(5, "7"), "; s elsewhere"},
			{live, "; s elsewhere"},
		},
		"a refused session is not saved": {
			{begins, "; s catching_up"},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s catching_up"},
			{lost(Refused), "s/a unknown(pending); s refused"},
			{saves(2), "s/a unknown(pending); s refused"},
			{restarts, ""},
			{resumes(2, "7"), "; s elsewhere"},
		},
		"nobody looks any more": {
			{begins, "; s catching_up"},
			{live, ""},
			{reads(ask("a", 1, "")), "s/a pending"},
			{func(b *stage) { b.Forget("s") }, ""},
			{func(b *stage) { b.Forget("s") }, ""},
			{reads(ask("a", 1, "")), "s/a unknown(pending); s elsewhere"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := &stage{now: base + 60_000}
			for i, s := range story {
				s.does(b)
				require.Equal(t, s.want, show(&b.Inbox, b.now), "after step %d", i+1)
			}
		})
	}
}
