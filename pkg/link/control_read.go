package link

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// control is what a tidemark.* frame says. Only the members that the frame has
// are set.
type control struct {
	_          [0]func()  // not comparable, which saves a module the code of it
	base       events.Seq // first seq on the wire
	session    string
	last       events.Seq
	hasLast    bool
	oldest     events.Seq
	generation events.Generation
	reason     fault.Reason
	detail     fault.Detail
	expected   events.Seq // of the evidence
	received   events.Seq // of the evidence
}

// need is what a frame has to say beside its session.
type need uint8

const (
	needsSession need = iota
	needsLast
	needsReason
)

// controlMembers says how a control frame is read.
var controlMembers = []rawjson.Member{
	{Name: "sessionId", Offset: unsafe.Offsetof(control{}.session), Read: rawjson.ReadText},
	{Name: "lastSeq", Read: readLast},
	{Name: "oldestSeq", Read: readOldest},
	{Name: "generation", Offset: unsafe.Offsetof(control{}.generation), Read: readGeneration},
	{Name: "reason", Offset: unsafe.Offsetof(control{}.reason), Read: readReason},
	{Name: "detail", Offset: unsafe.Offsetof(control{}.detail), Read: readDetail},
	{Name: "evidence", Read: readEvidence},
	{}, // of a newer server
}

// evidenceMembers are the numbers of the server's evidence that it alone knows.
// One that cannot be read is as good as none.
var evidenceMembers = []rawjson.Member{
	{Name: "expectedSeq", Read: readExpected},
	{Name: "receivedSeq", Read: readReceived},
	{},
}

// read reads the data of a control frame.
func (c *control) read(data []byte, n need) bool {
	if rawjson.Read(data, events.MaxDepth, unsafe.Pointer(c), controlMembers) != nil || !cursor.ValidSession(c.session) {
		return false
	}
	switch n {
	case needsLast:
		return c.hasLast || c.base == 0 // an empty log has no last seq where the first is 0
	case needsReason:
		return c.reason != fault.NoReason
	}
	return true
}

// seq reads a number of the wire.
func (c *control) seq(into *events.Seq, raw []byte) (ok bool) {
	n, ok := rawjson.Uint(raw)
	if ok {
		*into, ok = cursor.FromWire(events.Seq(n), c.base)
	}
	return ok
}

func readLast(into unsafe.Pointer, raw []byte, _ string) bool {
	c := (*control)(into)
	c.hasLast = c.seq(&c.last, raw)
	return c.hasLast
}

func readOldest(into unsafe.Pointer, raw []byte, _ string) bool {
	c := (*control)(into)
	return c.seq(&c.oldest, raw)
}

func readGeneration(into unsafe.Pointer, raw []byte, _ string) (ok bool) {
	*(*events.Generation)(into), ok = events.ParseGeneration(raw)
	return ok
}

func readReason(into unsafe.Pointer, raw []byte, _ string) bool {
	name, ok := rawjson.AppendText(nil, raw)
	*(*fault.Reason)(into), _ = fault.ParseReason(name)
	return ok
}

func readDetail(into unsafe.Pointer, raw []byte, _ string) bool {
	name, ok := rawjson.AppendText(nil, raw)
	*(*fault.Detail)(into), _ = fault.ParseDetail(name)
	return ok
}

func readEvidence(into unsafe.Pointer, raw []byte, _ string) bool {
	rawjson.ReadValue(raw, into, evidenceMembers)
	return true
}

func readExpected(into unsafe.Pointer, raw []byte, _ string) bool {
	c := (*control)(into)
	c.seq(&c.expected, raw)
	return true
}

func readReceived(into unsafe.Pointer, raw []byte, _ string) bool {
	c := (*control)(into)
	c.seq(&c.received, raw)
	return true
}
