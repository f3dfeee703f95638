package abi

// handles is a table of things by number. A number is never zero, and one that
// was closed is not given out again until its slot has been reused 2,047 times.
type handles[T any] struct {
	slots []slot[T]
	free  []int32
}

type slot[T any] struct {
	value *T
	turn  int32
}

const (
	slotBits = 20
	slotMask = 1<<slotBits - 1
	turnMask = 1<<11 - 1
)

// open keeps v and answers its handle, 0 when the table is full.
func (h *handles[T]) open(v *T) int32 {
	var i int32
	switch n := len(h.free); {
	case n > 0:
		i = h.free[n-1]
		h.free = h.free[:n-1]
	case len(h.slots) < slotMask:
		i = int32(len(h.slots))
		h.slots = append(h.slots, slot[T]{})
	default:
		return 0
	}
	h.slots[i].value = v
	return h.slots[i].turn<<slotBits | (i + 1)
}

// get answers what a handle stands for, nil for one that is closed or was never
// given out.
func (h *handles[T]) get(handle int32) *T {
	i := handle&slotMask - 1
	if handle <= 0 || int(i) >= len(h.slots) || h.slots[i].turn != handle>>slotBits {
		return nil
	}
	return h.slots[i].value
}

// shut forgets a handle. A closed one does no harm.
func (h *handles[T]) shut(handle int32) {
	if h.get(handle) == nil {
		return
	}
	i := handle&slotMask - 1
	h.slots[i] = slot[T]{turn: (h.slots[i].turn + 1) & turnMask}
	h.free = append(h.free, i)
}
