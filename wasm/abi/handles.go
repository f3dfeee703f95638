package abi

import "unsafe"

// handles is a table of things of one type by number. A number is never zero, and
// one that was closed is not given out again until its slot has been reused 2,047
// times.
//
// It is no generic type: the dictionary of one names its types as if reflection
// could reach them, and that keeps every method of every type in them alive.
type handles struct {
	slots []slot
	free  []int32
}

type slot struct {
	_     [0]func() // not comparable, which saves a module the code of it
	value unsafe.Pointer
	turn  int32
}

const (
	slotBits = 20
	slotMask = 1<<slotBits - 1
	turnMask = 1<<11 - 1
)

// open keeps v and answers its handle, 0 when the table is full.
//
//go:noinline
func (h *handles) open(v unsafe.Pointer) int32 {
	var i int32
	switch n := len(h.free); {
	case n > 0:
		i = h.free[n-1]
		h.free = h.free[:n-1]
	case len(h.slots) < slotMask:
		i = int32(len(h.slots))
		h.slots = append(h.slots, slot{})
	default:
		return 0
	}
	h.slots[i].value = v
	return h.slots[i].turn<<slotBits | (i + 1)
}

// get answers what a handle stands for, nil for one that is closed or was never
// given out.
//
//go:noinline
func (h *handles) get(handle int32) unsafe.Pointer {
	i := handle&slotMask - 1
	if handle <= 0 || int(i) >= len(h.slots) || h.slots[i].turn != handle>>slotBits {
		return nil
	}
	return h.slots[i].value
}

// shut forgets a handle. A closed one does no harm.
//
//go:noinline
func (h *handles) shut(handle int32) {
	if h.get(handle) == nil {
		return
	}
	i := handle&slotMask - 1
	h.slots[i] = slot{turn: (h.slots[i].turn + 1) & turnMask}
	h.free = append(h.free, i)
}
