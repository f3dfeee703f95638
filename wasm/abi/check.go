package abi

// What the module of the command line, which is built on a [Room] alone, needs
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
