package abi

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Calls is the module for whoever brings a transport of their own: one question,
// one answer. The zero Calls is ready.
type Calls struct {
	Room
	trackers handles // of follower
	decoders handles // of sse.Decoder
}

// Call asks: an operation, the handle it is about (0 for none), and n bytes of
// argument in the input room. The answer is JSON at Output; its length is
// returned.
func (m *Calls) Call(op, handle int32, n int) int {
	m.reuse()
	if arg, f := m.argument(n); f != nil {
		m.answerFault(f)
	} else {
		m.answer(m.perform(op, handle, arg))
	}
	return len(m.out)
}

// Operations of [Calls.Call], see docs/seam.md.
const (
	OpResolve        = 1
	OpParseCursor    = 2
	OpFormatCursor   = 3
	OpExplain        = 4
	OpNormalize      = 5
	OpFacts          = 6
	OpDescribe       = 7
	OpTrackerOpen    = 20
	OpTrackerObserve = 21
	OpTrackerState   = 22
	OpTrackerClose   = 23
	OpDecoderOpen    = 30
	OpDecoderFeed    = 31
	OpDecoderEnd     = 32
	OpDecoderClose   = 33
)

// CallNames are the names of operations, by number; "" for one that is none.
var CallNames = []string{
	OpResolve:        "resolve",
	OpParseCursor:    "parseCursor",
	OpFormatCursor:   "formatCursor",
	OpExplain:        "explain",
	OpNormalize:      "normalize",
	OpFacts:          "facts",
	OpDescribe:       "describe",
	OpTrackerOpen:    "trackerOpen",
	OpTrackerObserve: "trackerObserve",
	OpTrackerState:   "trackerState",
	OpTrackerClose:   "trackerClose",
	OpDecoderOpen:    "decoderOpen",
	OpDecoderFeed:    "decoderFeed",
	OpDecoderEnd:     "decoderEnd",
	OpDecoderClose:   "decoderClose",
}

// perform is the table of operations.
func (m *Calls) perform(op, h int32, arg []byte) ([]byte, error) {
	switch op {
	case OpResolve:
		return resolve(arg)
	case OpParseCursor:
		return parseCursor(arg)
	case OpFormatCursor:
		return formatCursor(arg)
	case OpExplain:
		return explain(arg)
	case OpNormalize:
		return normalize(arg)
	case OpFacts:
		return facts(arg)
	case OpDescribe:
		return describe(arg), nil
	case OpTrackerOpen:
		return m.trackerOpen(arg)
	case OpTrackerObserve:
		return m.trackerObserve(h, arg)
	case OpTrackerState:
		return m.trackerState(h)
	case OpTrackerClose:
		m.trackers.shut(h)
		return null, nil
	case OpDecoderOpen:
		return m.decoderOpen(arg)
	case OpDecoderFeed:
		return m.decoderFeed(h, arg)
	case OpDecoderEnd:
		return m.decoderEnd(h)
	case OpDecoderClose:
		m.decoders.shut(h)
		return null, nil
	}
	return nil, fault.New(fault.BadInput, "an operation of this module", "an unknown operation")
}

func (m *Calls) answer(result []byte, err error) {
	if err != nil {
		m.answerFault(faultOf(err))
		return
	}
	m.out = append(append(append(m.out, `{"ok":`...), result...), '}')
}

// faultOf is the fault that an error is. Every error of the core is one; anything
// else would be ours to mend, and says so.
func faultOf(err error) *fault.Fault {
	if f, ok := err.(*fault.Fault); ok {
		return f
	}
	return fault.New(fault.InternalFault, "a fault of the catalog", err.Error())
}

var null = []byte("null")

// describe says what the event table knows of a type.
func describe(name []byte) []byte {
	w := rawjson.Begin(nil)
	w.Text("type", string(name))
	i := events.TypeIndex(name)
	w.Bool("known", i >= 0)
	if i >= 0 {
		t := events.TypeAt(i)
		w.Text("class", t.Class.String())
		w.Text("turn", t.Turn.String())
		w.Bool("terminal", t.Terminal)
	}
	return w.End()
}

// place is the arguments of the cursor calls.
type place struct {
	profile    *profile.Profile
	token      string
	session    string
	seq        events.Seq
	hasSeq     bool
	generation events.Generation
}

func (p *place) member(name string, raw []byte) (err error) {
	switch name {
	case "profile":
		p.profile, err = profile.Parse(raw)
	case "token":
		err = cursorText(&p.token, raw)
	case "session":
		err = cursorText(&p.session, raw)
	case "generation":
		err = cursorGeneration(&p.generation, raw)
	case "seq":
		if p.seq, p.hasSeq = events.ParseCursorSeq(raw); !p.hasSeq {
			err = fault.New(fault.InvalidCursor, "seq: an integer from 0 to 9007199254740991", clip(raw))
		}
	default:
		err = unknown(fault.InvalidCursor, name)
	}
	return err
}

func cursorText(into *string, raw []byte) error {
	text, ok := rawjson.Text(raw)
	if !ok {
		return fault.New(fault.InvalidCursor, "text", clip(raw))
	}
	*into = text
	return nil
}

func cursorGeneration(into *events.Generation, raw []byte) error {
	g, ok := events.ParseGeneration(raw)
	if !ok {
		return fault.New(fault.InvalidCursor, "generation: digits or text that is not empty", clip(raw))
	}
	*into = g
	return nil
}

func parseCursor(arg []byte) ([]byte, error) {
	p := place{profile: &profile.Session}
	if err := readObject(arg, fault.InvalidCursor, p.member); err != nil {
		return nil, err
	}
	c, err := cursor.Parse(p.token, p.profile.Base)
	if err != nil {
		return nil, err
	}
	return appendCursor(nil, &c, p.profile.Base), nil
}

// formatCursor makes a token of its parts, and is as strict as reading one.
func formatCursor(arg []byte) ([]byte, error) {
	p := place{profile: &profile.Session}
	if err := readObject(arg, fault.InvalidCursor, p.member); err != nil {
		return nil, err
	}
	if !p.hasSeq || !cursor.ValidSession(p.session) {
		return nil, fault.New(fault.InvalidCursor, "a session id and a seq", "one that is missing or unusable")
	}
	seq, ok := cursor.FromWire(p.seq, p.profile.Base)
	if !ok {
		return nil, fault.New(fault.InvalidCursor, "a seq up to 9007199254740991", "a larger one")
	}
	return appendCursor(nil, &cursor.Cursor{Session: p.session, Seq: seq, Generation: p.generation}, p.profile.Base), nil
}
