package park

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/datetime"
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// record is a record of one of these types: its values as they stand, nil for those
// that it has not, and what they say.
type record struct {
	kind, ts, turnID, decisionID, checkpointID, request, deadlineAt, verdict, by []byte
	number, gen, fence                                                           []byte

	at               int64
	decision         string
	turn, checkpoint string
	seq              events.Seq
	generation       events.Generation
}

var recordMembers = [...]rawjson.Member{
	{Name: "type", Offset: unsafe.Offsetof(record{}.kind), Read: readOnce},
	{Name: "ts", Offset: unsafe.Offsetof(record{}.ts), Read: readOnce},
	{Name: "turnId", Offset: unsafe.Offsetof(record{}.turnID), Read: readOnce},
	{Name: "decisionId", Offset: unsafe.Offsetof(record{}.decisionID), Read: readOnce},
	{Name: "checkpointId", Offset: unsafe.Offsetof(record{}.checkpointID), Read: readOnce},
	{Name: "request", Offset: unsafe.Offsetof(record{}.request), Read: readOnce},
	{Name: "deadlineAt", Offset: unsafe.Offsetof(record{}.deadlineAt), Read: readOnce},
	{Name: "decision", Offset: unsafe.Offsetof(record{}.verdict), Read: readOnce},
	{Name: "resolvedBy", Offset: unsafe.Offsetof(record{}.by), Read: readOnce},
	{Name: "seq", Offset: unsafe.Offsetof(record{}.number), Read: readOnce},
	{Name: "gen", Offset: unsafe.Offsetof(record{}.gen), Read: readOnce},
	{Name: "generation", Offset: unsafe.Offsetof(record{}.fence), Read: readOnce},
	{},
}

// readOnce takes a value in place. When it stands twice, nobody can tell which one
// was meant.
func readOnce(into unsafe.Pointer, raw []byte, _ string) bool {
	value := (*[]byte)(into)
	first := *value == nil
	*value = raw
	return first
}

// read takes a record apart; false: it is damaged.
func (r *record) read(text []byte) bool {
	if problem, _ := rawjson.Check(text, len(text)); problem != rawjson.OK {
		return false
	}
	for text[0] <= ' ' {
		text = text[1:]
	}
	return rawjson.ReadValue(text, unsafe.Pointer(r), recordMembers[:]) == nil && r.time() && r.names()
}

func (r *record) time() (ok bool) {
	r.at, ok = timeOf(r.ts)
	return ok
}

func (r *record) names() bool {
	var fine bool
	r.decision, fine = nameOf(r.decisionID)
	return fine && r.decision != "" && optional(&r.turn, r.turnID) && optional(&r.checkpoint, r.checkpointID)
}

// place reads where the record stands in its log, which it need not say. A log calls
// the generation gen, a stream generation.
func (r *record) place() (ok bool) {
	token := r.gen
	if has(token) && has(r.fence) {
		return false
	}
	if !has(token) {
		token = r.fence
	}
	if has(token) {
		if r.generation, ok = events.ParseGeneration(token); !ok {
			return false
		}
	}
	if has(r.number) {
		r.seq, ok = events.ParseSeq(r.number)
		return ok
	}
	return true
}

// has reports whether a value is there; null is as good as none.
func has(raw []byte) bool { return len(raw) > 0 && raw[0] != 'n' }

// nameOf reads text that is compared: halves of surrogate pairs would become equal.
func nameOf(raw []byte) (string, bool) {
	text, ok := rawjson.AppendExactText(nil, raw)
	return string(text), ok
}

func optional(into *string, raw []byte) (ok bool) {
	if !has(raw) {
		return true
	}
	*into, ok = nameOf(raw)
	return ok
}

// timeOf reads a date-time text as milliseconds.
func timeOf(raw []byte) (ms int64, ok bool) {
	text, ok := rawjson.AppendText(nil, raw)
	if !ok {
		return 0, false
	}
	return datetime.Parse(text)
}
