package check

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Finding is one thing that was found. It is a value of its own: nothing in it
// aliases the recording, and nothing in it is payload.
//
// Seqs count from 1 whatever the profile's base is; 0 stands for none. Members
// that say nothing about a kind are empty.
type Finding struct {
	Kind       Kind
	Rule       fault.ID          // explains it: that of the kind, or of a refusal's reason
	Session    string            // "" when none is named
	Connection int               // where numbers live with one connection, which one; else 0
	Type       string            // of the event, shortened
	Turn       string            // of a turn that did not end
	Expected   events.Seq        // the seq that would have connected
	Found      events.Seq        // the seq that came
	Through    events.Seq        // the last seq of a run that began with Found
	Count      int64             // how many events are missing or came again
	Saved      events.Generation // the generation before
	Generation events.Generation // the one that came
	What       string            // what numbers do not say, in words; "" when they do
	Time       string            // of the event, else of its connection; as written, "" when unknown
	Place      Place
}

// Place is where an event stands in its recording.
type Place struct {
	Entry  int    // of a HAR: which of its entries, from 1; 0 elsewhere
	URL    string // of that entry, shortened
	Line   int64  // from 1; in a HAR within the body of the entry; 0 when unknown
	Offset int64  // byte at which the event begins, in the file or the body; -1 when unknown
	At     int    // byte within the event at which it is malformed; -1 when it is not
}

// nowhere is a place about which nothing is known.
var nowhere = Place{Offset: -1, At: -1}

// Severity is that of the kind.
func (f *Finding) Severity() Severity { return f.Kind.Severity() }

// clip keeps names readable, whatever a recording calls a type or an address.
func clip[T ~string | ~[]byte](text T, most int) string {
	if len(text) <= most {
		return string(text)
	}
	end := most
	for end > 0 && text[end]&0xc0 == 0x80 {
		end--
	}
	return string(text[:end]) + "…"
}

// Most bytes of a text that a finding shows.
const (
	mostName = 120
	mostURL  = 200
	mostTime = 40
)

// findings is the queue between the machine and whoever asks. Those of a HAR
// entry wait for its end, because its address and time may stand behind its body.
type findings struct {
	list []Finding
	next int // of the next one to answer
	open int // from here on they wait
}

// mostHeld bounds how many findings wait for the end of an entry.
const mostHeld = 4096

func (q *findings) push(f Finding) {
	if q.next == len(q.list) || q.next >= mostHeld {
		q.list = q.list[:copy(q.list, q.list[q.next:])]
		q.open -= q.next
		q.next = 0
	}
	q.list = append(q.list, f)
}

// release lets go of what waited, all of it or, while an entry is open, only what
// is too much to hold.
func (q *findings) release(all bool) {
	if all || len(q.list)-q.open > mostHeld {
		q.open = len(q.list)
	}
}

func (q *findings) pop() (Finding, bool) {
	if q.next >= q.open {
		return Finding{}, false
	}
	q.next++
	return q.list[q.next-1], true
}

// ready is how many can be popped.
func (q *findings) ready() int { return q.open - q.next }

// held are those that wait.
func (q *findings) held() []Finding { return q.list[q.open:] }
