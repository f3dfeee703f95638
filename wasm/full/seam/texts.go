package seam

import (
	"bytes"
	"errors"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Texts of a log.
const (
	TextParks    = 1 // [{…}], each as park.Park.AppendJSON says, at now
	TextMessages = 2 // [{"id"?,"summary","content"}]
	TextSpills   = 3 // [ref…]: what Messages and Intent will read, in order, each once
	TextIntent   = 4 // JSON, or null
	TextState    = 5 // for Open, as text; null when the log cannot be gone on with
	TextGrants   = 6 // [[turnId,key]…]
)

// TextNames are the names of texts, by number; "" for one that is none.
var TextNames = []string{
	TextParks: "parks", TextMessages: "messages", TextSpills: "spills", TextIntent: "intent", TextState: "state", TextGrants: "grants",
}

// Text makes a list of a log the last answer, as JSON under "ok", or a fault.
func (m *Module) Text(h, what int32, now float64) int {
	r := m.logs[h]
	if r == nil {
		m.Refuse(badHandle("log"))
		return len(m.Output())
	}
	text, err := r.text(what, now)
	if err != nil {
		m.Refuse(err)
		return len(m.Output())
	}
	return m.Answer(append(append([]byte(`{"ok":`), text...), '}'))
}

func (r *reading) text(what int32, now float64) ([]byte, error) {
	switch what {
	case TextParks:
		ms, err := clock(now)
		return appendParks(r.fold.Parks().Parks(), ms), err
	case TextMessages:
		messages, err := r.fold.Messages(r.spill)
		return appendMessages(messages), err
	case TextSpills:
		return r.spills()
	case TextIntent:
		intent, err := r.fold.Intent(r.spill)
		return orNull(intent), err
	case TextState:
		state, ok := r.fold.AppendState(nil)
		if !ok {
			return []byte("null"), nil
		}
		return rawjson.AppendQuoted(nil, state), nil
	case TextGrants:
		return rawjson.Value(r.fold.Grants().AppendState(nil), "keys"), nil
	}
	return nil, fault.New(fault.BadInput, "a text of a log", "another number")
}

func orNull(raw []byte) []byte {
	if raw == nil {
		return []byte("null")
	}
	return raw
}

var errNotHanded = errors.New("the reader of bodies had none")

// spill answers a body that was handed over.
func (r *reading) spill(ref []byte) ([]byte, error) {
	if body, ok := r.spilled[string(ref)]; ok {
		return body, nil
	}
	return nil, errNotHanded
}

// spills lists the references that the context will ask for.
func (r *reading) spills() ([]byte, error) {
	w, seen := rawjson.BeginList(nil), map[string]bool{}
	r.refs = nil
	note := func(ref []byte) ([]byte, error) {
		if !seen[string(ref)] {
			seen[string(ref)] = true
			w.Raw("", ref)
			r.refs = append(r.refs, string(ref))
		}
		return []byte("null"), nil
	}
	if _, err := r.fold.Messages(note); err != nil {
		return nil, err
	}
	r.fold.Intent(note) // what it lacks, it says when it is asked for
	return w.EndList(), nil
}

// Spilled takes a body, n bytes in the input room, of the reference at a place of
// [TextSpills]. -1: the handle is none, or the place.
func (m *Module) Spilled(h int32, place, n int) int32 {
	r := m.logs[h]
	body, err := m.Argument(n)
	if r == nil || err != nil || place < 0 || place >= len(r.refs) {
		return -1
	}
	if r.spilled == nil {
		r.spilled = map[string][]byte{}
	}
	r.spilled[r.refs[place]] = bytes.Clone(body)
	return 0
}

func appendMessages(messages []checkpoint.Message) []byte {
	w := rawjson.BeginList(nil)
	for _, m := range messages {
		w.Open("")
		w.Known("id", m.ID)
		w.Bool("summary", m.Summary)
		w.Raw("content", m.Content)
		w.Close()
	}
	return w.EndList()
}

func appendParks(parks []*park.Park, now int64) []byte {
	w := rawjson.BeginList(nil)
	for _, p := range parks {
		w.Raw("", p.AppendJSON(nil, now))
	}
	return w.EndList()
}
