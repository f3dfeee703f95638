package seam

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/logfold"
	"github.com/tidemark-stream/tidemark/wasm/abi"
)

// reading is a log on its way through.
type reading struct {
	fold    *logfold.Fold
	verify  *verifying
	refs    []string          // of bodies that lie apart, as they were told
	spilled map[string][]byte // those bodies, by reference
}

// asked is the options of a log.
type asked struct {
	session, turn, watch, checkpointID string
	digest, verify                     bool
	through                            int
	state                              string
}

var askedMembers = []rawjson.Member{
	{Name: "session", Offset: unsafe.Offsetof(asked{}.session), Read: rawjson.ReadText, Words: "text"},
	{Name: "turnId", Offset: unsafe.Offsetof(asked{}.turn), Read: rawjson.ReadText, Words: "text"},
	{Name: "watch", Offset: unsafe.Offsetof(asked{}.watch), Read: rawjson.ReadText, Words: "text"},
	{Name: "checkpointId", Offset: unsafe.Offsetof(asked{}.checkpointID), Read: rawjson.ReadText, Words: "text"},
	{Name: "digest", Offset: unsafe.Offsetof(asked{}.digest), Read: rawjson.ReadBool, Words: "true or false"},
	{Name: "verify", Offset: unsafe.Offsetof(asked{}.verify), Read: rawjson.ReadBool, Words: "true or false"},
	{Name: "through", Offset: unsafe.Offsetof(asked{}.through), Read: readThrough, Words: "an integer from 1 to 9007199254740991"},
	{Name: "state", Offset: unsafe.Offsetof(asked{}.state), Read: rawjson.ReadText, Words: "text"},
}

func readThrough(into unsafe.Pointer, raw []byte, _ string) bool {
	seq, ok := events.ParseSeq(raw)
	*(*int)(into) = int(seq)
	return ok
}

// Open begins a log with n bytes of options in the input room:
//
//	{"session"?, "turnId"?, "digest"?, "through"?, "watch"?, "state"?, "verify"?, "checkpointId"?}
//
// It answers a handle; 0: there is none, and the fault is at Output.
func (m *Module) Open(n int) int32 {
	r, err := m.open(n)
	if err != nil {
		m.Refuse(err)
		return 0
	}
	if m.logs == nil {
		m.logs = map[int32]*reading{}
	}
	h := m.handle()
	m.logs[h] = r
	return h
}

func (m *Module) open(n int) (r *reading, err error) {
	raw, err := m.Argument(n)
	if err != nil {
		return nil, err
	}
	var a asked
	if u := rawjson.Read(raw, events.MaxDepth, unsafe.Pointer(&a), askedMembers); u != nil {
		return nil, abi.Unread(fault.InvalidOptions, u)
	}
	r = &reading{}
	o := logfold.Options{Session: a.session, Turn: a.turn, Digest: a.digest, Through: events.Seq(a.through), Watch: a.watch}
	if a.verify {
		r.verify = &verifying{id: a.checkpointID}
		o.Each = r.verify.add
	}
	if a.state != "" {
		r.fold, err = logfold.Resume(o, []byte(a.state))
		return r, err
	}
	r.fold = logfold.New(o)
	return r, nil
}

// What bytes that are written are of.
const (
	OfLog      = 0
	OfDocument = 1 // whole, before the log
	OfWritten  = 2 // the record that commits it, whole, before the log
)

// OfNames are the names of these, by number.
var OfNames = []string{OfLog: "log", OfDocument: "document", OfWritten: "written"}

// Write takes n bytes from the input room. -1: the handle is none, or the bytes
// are of nothing; else 0.
func (m *Module) Write(h, of int32, n int) int32 {
	r := m.logs[h]
	chunk, err := m.Argument(n)
	switch {
	case r == nil || err != nil:
		return -1
	case of == OfLog:
		r.fold.Write(chunk)
	case r.verify == nil:
		return -1
	case of == OfDocument:
		r.verify.document = append([]byte{}, chunk...)
	case of == OfWritten:
		r.verify.written = append([]byte{}, chunk...)
	default:
		return -1
	}
	return 0
}

// End says that the log is over. -1: the handle is none.
func (m *Module) End(h int32) int32 {
	r := m.logs[h]
	if r == nil {
		return -1
	}
	r.fold.End()
	return 0
}

// Close forgets a log.
func (m *Module) Close(h int32) { delete(m.logs, h) }
