package link

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// problem is what is read of the body of an answer that is no stream.
type problem struct {
	code  string // its own
	inner string // of its member error, where others write it
}

var problemMembers = []rawjson.Member{
	{Name: "code", Offset: unsafe.Offsetof(problem{}.code), Read: readCode},
	{Name: "error", Offset: unsafe.Offsetof(problem{}.inner), Read: readInnerCode},
	{},
}

var innerMembers = []rawjson.Member{{Name: "code", Read: readCode}, {}}

// readCode takes a code that is text; any other says nothing.
func readCode(into unsafe.Pointer, raw []byte, _ string) bool {
	rawjson.ReadText(into, raw, "")
	return true
}

func readInnerCode(into unsafe.Pointer, raw []byte, _ string) bool {
	rawjson.ReadValue(raw, into, innerMembers)
	return true
}

// code is the code of a body, "" when there is none.
func code(body []byte) string {
	p := new(problem)
	rawjson.Read(body, events.MaxDepth, unsafe.Pointer(p), problemMembers)
	if p.code == "" {
		return p.inner
	}
	return p.code
}
