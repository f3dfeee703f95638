package cursor

import "github.com/tidemark-stream/tidemark/pkg/events"

// Saved is the place of a saved record: a cursor, and which of its consumer's
// histories that cursor belongs to. Within one epoch a cursor only
// advances, so that places of it can be compared; after a load or a reset it may
// stand anywhere, and that begins a new epoch.
type Saved struct {
	Epoch      uint64 // 0: nothing was ever loaded or reset
	Seq        events.Seq
	Generation events.Generation // "" when the cursor has none
}

// Replaces reports whether a record at s may take the place of one at old: it is
// of a later epoch, or not behind in the same one. Whoever was overtaken, as by
// another tab, is told so here and leaves the record alone.
//
// At the same place the newer state is as good, but a generation that is known
// stays known.
func (s Saved) Replaces(old Saved) bool {
	switch {
	case s.Epoch != old.Epoch:
		return s.Epoch > old.Epoch
	case s.Seq != old.Seq:
		return s.Seq > old.Seq
	}
	return !old.Generation.IsSet() || s.Generation == old.Generation
}

// ReadSaved reads the place of a record as it stands there: epoch and token.
func ReadSaved(epoch uint64, token string) (Saved, bool) {
	var c Cursor
	if !c.read(token, 1) {
		return Saved{}, false
	}
	return Saved{Epoch: epoch, Seq: c.Seq, Generation: c.Generation}, true
}
