package abi

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Room is where arguments come in and answers go out: one of each, reused.
// The zero Room is ready.
type Room struct {
	in  []byte
	out []byte
}

// Input answers room for at least n bytes of argument, valid until the next
// Input.
func (r *Room) Input(n int) []byte {
	if n > len(r.in) || r.in == nil {
		r.in = make([]byte, max(n, 4096))
	}
	return r.in
}

// Output is the last answer.
func (r *Room) Output() []byte { return r.out }

// argument is the first n bytes of the input room.
func (r *Room) argument(n int) ([]byte, error) {
	if n < 0 || n > len(r.in) {
		return nil, fault.New(fault.BadInput, "an argument inside the input room", "a length beyond it")
	}
	return r.in[:n], nil
}

// keepOutput is how much room for answers outlives a call.
const keepOutput = 1 << 20

func (r *Room) reuse() {
	if cap(r.out) > keepOutput {
		r.out = nil
	}
	r.out = r.out[:0]
}

func (r *Room) answer(result []byte, err error) {
	if err != nil {
		r.answerFault(err)
		return
	}
	r.out = append(append(append(r.out, `{"ok":`...), result...), '}')
}

func (r *Room) answerFault(err error) {
	r.out = append(appendFault(append(r.out, `{"fault":`...), err), '}')
}

// appendFault writes an error as the seam does. Every error of the core is a
// *fault.Fault; anything else would be ours to mend, and says so.
func appendFault(dst []byte, err error) []byte {
	f, ok := err.(*fault.Fault)
	if !ok {
		f = fault.New(fault.InternalFault, "a fault of the catalog", err.Error())
	}
	return f.AppendJSON(dst)
}

func badHandle(what string) error {
	return fault.New(fault.BadHandle, "an open "+what, "one that is closed or was never opened")
}

// address is where a slice lies in linear memory, 0 for an empty one.
func address(b []byte) uint32 {
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
}

// readObject checks that arg is one object and shows its members in order. read
// answers a fault for a value it cannot take, and unknown(name) for a name.
func readObject(arg []byte, id fault.ID, read func(name string, raw []byte) error) error {
	if p, at := rawjson.Check(arg, events.MaxDepth); p != rawjson.OK {
		f := fault.New(id, "a JSON object", p.String())
		f.Offset = int64(at)
		return f
	}
	if rawjson.KindOf(arg) != rawjson.Object {
		return fault.New(id, "a JSON object", "another JSON value")
	}
	for name, value := range rawjson.Members(arg) {
		if err := read(string(name), value); err != nil {
			return err
		}
	}
	return nil
}

func unknown(id fault.ID, name string) error {
	return fault.New(id, "a known member", "the member "+name)
}
