package cursor

import "github.com/tidemark-stream/tidemark/pkg/events"

// Fit is how one generation on an event stands to what was seen before.
type Fit uint8

// Fits.
const (
	Fits   Fit = iota // none, the one we have, or a rise that is allowed
	Lower             // ordered, and lower than one already seen
	Breaks            // a takeover: higher than it may be, or simply another
)

// Fence walks the generations of one session's events in log order. While the
// cursor carries a generation, every other token is a break. While it carries
// none, tokens may rise up to the head's and never fall; unordered tokens may
// change, but never back to one left behind nor away from the head's. So a full
// read across old takeovers passes, and a takeover during the read does not.
// What stands above the head's seq was written after the head was read, under its
// generation or not by this log.
//
// The zero Fence has neither a generation nor a head.
type Fence struct {
	own  events.Generation   // the cursor's; "" while unfenced
	head events.Generation   // the head's; "" when it has none
	ends events.Seq          // the head's seq: what is above it was written under head
	last events.Generation   // the newest seen while unfenced
	past []events.Generation // unordered ones left behind while unfenced
}

// maxPast bounds what a fence remembers: a log that changed hands this often
// under unordered tokens is refused rather than trusted.
const maxPast = 1024

// NewFence starts a walk for a cursor's generation and a head's, either of which
// may be "", and the seq of that head.
func NewFence(own, head events.Generation, ends events.Seq) Fence {
	return Fence{own: own, head: head, ends: ends}
}

// start is [NewFence] in place.
//
//go:noinline
func (f *Fence) start(own, head events.Generation, ends events.Seq) {
	*f = Fence{own: own, head: head, ends: ends}
}

// Check judges the token of the event at seq, which is 0 for an unrecorded one,
// without taking it in. nil is absent and always fits.
func (f *Fence) Check(token []byte, seq events.Seq) Fit {
	if len(token) == 0 || string(token) == string(f.own) {
		return Fits
	}
	if f.own.IsSet() {
		return against(token, f.own)
	}
	if seq > f.ends && f.head.IsSet() && string(token) != string(f.head) {
		return against(token, f.head)
	}
	if string(token) == string(f.last) {
		return Fits
	}
	return f.checkRise(token)
}

// against names the difference between a token and a generation it should equal.
func against(token []byte, g events.Generation) Fit {
	if order(token, g) < 0 {
		return Lower
	}
	return Breaks
}

// order compares a token with a generation; 0 also when that cannot be said.
//
//go:noinline
func order(token []byte, g events.Generation) int {
	cmp, _ := events.TokenIn(token).Order(g)
	return cmp
}

func (f *Fence) checkRise(token []byte) Fit {
	if f.last.IsSet() && f.last == f.head {
		return against(token, f.head)
	}
	if order(token, f.last) < 0 {
		return Lower
	}
	if order(token, f.head) > 0 {
		return Breaks
	}
	if len(f.past) >= maxPast {
		return Breaks
	}
	for _, p := range f.past {
		if fit := against(token, p); fit == Lower || string(token) == string(p) {
			return fit
		}
	}
	return Fits
}

// seen are the generations left behind while unfenced and the newest one, oldest first:
// what takes a fresh fence to where this one stands.
func (f *Fence) seen() []events.Generation {
	if f.own.IsSet() || !f.last.IsSet() {
		return nil
	}
	return append(f.past[:len(f.past):len(f.past)], f.last)
}

// Take records a token that fits, found on a recorded event.
func (f *Fence) Take(token []byte) {
	if len(token) == 0 || f.own.IsSet() || string(token) == string(f.last) {
		return
	}
	next := events.Generation(token)
	if _, ok := f.last.Order(next); !ok && f.last.IsSet() {
		f.past = append(f.past, f.last)
	}
	f.last = next
}
