package sessionlog

import (
	"bytes"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// The members that the log reads or writes. Everything else is payload.
const (
	memV = iota
	memType
	memSeq
	memGen
	memGeneration
	memTS
	memSession
	memTurn
	memLineage
	memCount
)

var memberNames = [memCount]string{
	"v", "type", "seq", "gen", "generation", "ts", "sessionId", "turnId", "lineage",
}

// span is a piece of a text; the zero span is absent.
type span struct{ from, to int }

func (s span) of(text []byte) []byte { return text[s.from:s.to] }

// envelope is where the members of one object stand in its text.
type envelope struct {
	text    []byte
	name    [memCount]span // with its quotes
	value   [memCount]span
	payload []span // each other member, name and value
	open    int    // behind the opening brace and white space
}

// raw answers a member's value as it stands, nil when absent or null.
func (e *envelope) raw(member int) []byte {
	raw := e.value[member].of(e.text)
	if len(raw) == 0 || rawjson.KindOf(raw) == rawjson.Null {
		return nil
	}
	return raw
}

// readEnvelope finds the members of an object. The answer is what is wrong with
// the text, "" when nothing is, and where.
func readEnvelope(text []byte) (e envelope, wrong string, at int) {
	var w rawjson.Walker
	w.Reset(text, events.MaxDepth-1)
	w.Space()
	if !w.Byte('{') {
		return e, "not a JSON object", w.At
	}
	e.text, e.open = text, w.At
	for more := w.Peek() != '}'; more; more = w.Byte(',') {
		if wrong = e.readMember(&w); wrong != "" {
			return e, wrong, w.At
		}
	}
	if !w.Byte('}') {
		return e, w.Problem().String(), w.At
	}
	if w.At != len(text) {
		return e, "more than one JSON value", w.At
	}
	return e, "", 0
}

func (e *envelope) readMember(w *rawjson.Walker) (wrong string) {
	name := span{from: w.At}
	if !w.String() {
		return w.Problem().String()
	}
	name.to = w.At
	if w.Space(); !w.Byte(':') {
		return w.Problem().String()
	}
	value := span{from: w.At}
	if !w.Skip() {
		return w.Problem().String()
	}
	value.to = w.At
	w.Space()
	return e.place(name, value)
}

// place files a member under its decoded name.
func (e *envelope) place(name, value span) (wrong string) {
	i := memberIndex(name.of(e.text))
	if i < 0 {
		e.payload = append(e.payload, span{name.from, value.to})
		return ""
	}
	if e.name[i] != (span{}) {
		return memberNames[i] + " stands twice"
	}
	e.name[i], e.value[i] = name, value
	return ""
}

func memberIndex(token []byte) int {
	name := token[1 : len(token)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		name, _ = rawjson.AppendText(nil, token)
	}
	for i, n := range memberNames {
		if string(name) == n {
			return i
		}
	}
	return -1
}

// textOf decodes a member that has to be text; ok when it is absent.
func (e *envelope) textOf(member int) (text string, ok bool) {
	raw := e.raw(member)
	if raw == nil {
		return "", true
	}
	return rawjson.Text(raw)
}

// session decodes the session id; "" when absent, not ok when it can name none.
func (e *envelope) session() (id string, ok bool) {
	id, ok = e.textOf(memSession)
	return id, ok && (e.raw(memSession) == nil || cursor.ValidSession(id))
}
