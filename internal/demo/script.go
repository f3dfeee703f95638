package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/typed"
)

// step is one event that is to come.
type step struct {
	pause    time.Duration // how long the agent takes before it, at normal speed
	session  string        // the session it belongs to: the script's, or a child's
	turn     string        // its turn, "" when none was running
	kind     string        // type of the event
	recorded bool          // goes into the log; else it is only shown
	text     []byte
	ask      *ask // in the place of an event: a question that is put
}

// script works out what the agent does, turn by turn. The same session and seed
// make the same script. Ids are never used twice, not even after a log was lost.
type script struct {
	session string
	rng     *rand.Rand
	turns   int
	ids     int
	scenes  []scene
	asks    scene // a kind of turn that ends in a question; nil: none does
	mayAsk  bool  // nobody is waited for
	asked   bool  // the turn before this one asked
	err     error // the first event that could not be written; a mistake in a scene
}

// newScript makes a script whose ids count from ids on.
func newScript(session string, seed uint64, ids int) *script {
	return &script{session: session, rng: rand.New(rand.NewPCG(seed, 0x7461)), ids: ids, scenes: scenes}
}

// start is what a new log begins with.
func (s *script) start() ([]step, error) {
	t := s.newTurn()
	t.id = ""
	t.note("session_started", 400*time.Millisecond, map[string]any{})
	return t.steps(), s.err
}

// next is the next turn, from its first event to its last.
func (s *script) next() ([]step, error) {
	play := s.scene()
	t := s.newTurn()
	play(t, pick(s.rng, projects))
	return t.steps(), s.err
}

// scene is the kind of the next turn. A script that asks does so in every other
// turn at most.
func (s *script) scene() scene {
	if s.asked = s.asks != nil && s.mayAsk && !s.asked; s.asked {
		return s.asks
	}
	s.turns++
	return s.scenes[(s.turns-1)%len(s.scenes)]
}

// interrupted closes a turn that another worker had begun.
func (s *script) interrupted(turn string) ([]step, error) {
	t := s.newTurn()
	t.id = turn
	t.fail("The worker that ran this turn is gone; another one took the session over.", "interrupted")
	return t.steps(), s.err
}

func (s *script) newTurn() *turn {
	return &turn{script: s, session: s.session, id: s.newID("turn"), list: new([]step)}
}

// newID makes ids that are easy on the eye and never come again.
func (s *script) newID(prefix string) string {
	s.ids++
	return fmt.Sprintf("%s_%05x%03x", prefix, s.ids, s.rng.UintN(1<<12))
}

// pauses is how long the agent takes before an event of a type; any other takes
// usualPause.
var pauses = map[string]time.Duration{
	"turn_started":        1500 * time.Millisecond,
	"message_started":     300 * time.Millisecond,
	"reasoning_delta":     60 * time.Millisecond,
	"text_delta":          55 * time.Millisecond,
	"tool_input_delta":    45 * time.Millisecond,
	"tool_progress":       320 * time.Millisecond,
	"tool_completed":      420 * time.Millisecond,
	"sandbox_exec":        500 * time.Millisecond,
	"hosted_tool":         500 * time.Millisecond,
	"turn_resuming":       1600 * time.Millisecond,
	"user_question_asked": 300 * time.Millisecond,
	"provider_fallback":   700 * time.Millisecond,
	"message_completed":   150 * time.Millisecond,
}

const usualPause = 85 * time.Millisecond

// pause is that of a type, give or take a third.
func (s *script) pause(kind string) time.Duration {
	base := pauses[kind]
	if base == 0 {
		base = usualPause
	}
	return base*2/3 + time.Duration(s.rng.Int64N(int64(base*2/3)))
}

// add appends a live event of the catalog to a turn.
func (t *turn) add(e typed.Event) {
	b := e.Common()
	b.SessionID = typed.SessionID(t.session)
	if t.id != "" {
		b.TurnID = typed.Some(typed.TurnID(t.id))
	}
	if t.lineage != nil {
		b.Lineage = typed.Some(t.lineage)
	}
	text, err := typed.Encode(e)
	if err != nil && t.script.err == nil {
		t.script.err = fmt.Errorf("demo: %s cannot be written: %w", e.Type(), err)
	}
	class := events.TypeAt(events.TypeIndex([]byte(e.Type()))).Class
	t.append(e.Type(), class == events.ClassLog, t.script.pause(e.Type()), text)
}

// note appends a record of a type that only a log has.
func (t *turn) note(kind string, pause time.Duration, members map[string]any) {
	members["type"], members["sessionId"] = kind, t.session
	if t.id != "" {
		members["turnId"] = t.id
	}
	t.append(kind, true, pause, raw(members))
}

func (t *turn) append(kind string, recorded bool, pause time.Duration, text []byte) {
	*t.list = append(*t.list, step{
		pause: pause, session: t.session, turn: t.id, kind: kind, recorded: recorded, text: text,
	})
}

// raw is a value as JSON text. Only values that have one are ever passed in.
func raw(v any) typed.Raw {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return typed.Raw(bytes.TrimSpace(b.Bytes()))
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }
