package abi

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// What modules that are built on a [Room] alone, as that of the command line, need
// beyond Input and Output.

// Argument is the first n bytes of the input room, valid until the next Input.
// A length beyond it is the fault BadInput.
func (r *Room) Argument(n int) ([]byte, error) {
	arg, f := r.argument(n)
	if f != nil {
		return nil, f
	}
	return arg, nil
}

// Answer makes a copy of text the last answer, and answers its length.
func (r *Room) Answer(text []byte) int {
	r.reuse()
	r.out = append(r.out, text...)
	return len(r.out)
}

// Unread is the fault of an argument that could not be read.
func Unread(id fault.ID, u *rawjson.Unread) *fault.Fault { return unread(id, u) }
