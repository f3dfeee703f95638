package relay

import (
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// Kind is what an Order asks for. The numbers are those of the seam and never change
// their meaning.
type Kind uint8

// Kinds, with the members of Order that each one fills.
const (
	Pass    Kind = 1  // pass on the bytes [From, To) of the connection as they came
	Insert  Kind = 2  // write Data, which is whole frames
	Verdict Kind = 3  // tell whoever watches: Report
	Keep    Kind = 4  // keep Place, which replaces that of the same lane; Moved says how little that can be
	Close   Kind = 5  // end the answer and close the connection: nothing more is judged; Fault, or nil
	Fetch   Kind = 7  // get a page, and answer with [Relay.Page]: Data is {key, session, cursor?, limit, fresh}; a fresh one is not to come from a cache. The connection that is open is not needed any more
	Store   Kind = 8  // the page that was given last is whole, and will not change: it may be kept under the key in Data
	Evict   Kind = 9  // nothing that is kept under the key in Data is to be used again
	Join    Kind = 10 // connect again, from Data: {session, cursor?}; what is fed then is of that connection
	Through Kind = 6  // only watching, and beyond what can be judged: pass on everything from From, and feed no more; Fault
)

// KindNames are the names that docs/seam.md gives kinds, by number; "" for one that is
// none.
var KindNames = [...]string{
	Pass: "pass", Insert: "insert", Verdict: "verdict", Keep: "keep", Close: "close", Through: "through",
	Fetch: "fetch", Store: "store", Evict: "evict", Join: "join",
}

// Order is one thing to do, valid until the next input.
type Order struct {
	Kind     Kind
	Lane     int
	From, To int64
	Data     []byte
	Report   *link.Report
	Place    *Place
	Moved    bool // of that, nothing but the number of the cursor differs from what was to be kept before
	Fault    *fault.Fault
}
