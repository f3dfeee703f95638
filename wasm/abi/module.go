package abi

import (
	"unsafe"

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
	if n > len(r.in) || r.in == nil || len(r.in) > max(n, keepRoom) {
		r.in = make([]byte, max(n, 4096))
	}
	return r.in
}

// Output is the last answer.
func (r *Room) Output() []byte { return r.out }

// argument is the first n bytes of the input room.
//
//go:noinline
func (r *Room) argument(n int) ([]byte, *fault.Fault) {
	if n < 0 || n > len(r.in) {
		return nil, fault.New(fault.BadInput, "an argument inside the input room", "a length beyond it")
	}
	return r.in[:n], nil
}

// keepRoom is how much room for an argument, and for an answer, outlives its call.
const keepRoom = 1 << 20

//go:noinline
func (r *Room) reuse() {
	if cap(r.out) > keepRoom {
		r.out = nil
	}
	r.out = r.out[:0]
}

//go:noinline
func (r *Room) answerFault(f *fault.Fault) {
	r.out = append(f.AppendJSON(append(r.out, `{"fault":`...)), '}')
}

func badHandle(what string) error {
	return fault.New(fault.BadHandle, "an open "+what, "one that is closed or was never opened")
}

// address is where a slice lies in linear memory, 0 for an empty one.
func address(b []byte) uint32 {
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
}
