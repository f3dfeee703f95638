package logfold

import (
	"math"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

// Options say what is wanted of a log. The zero Options fold all but the digest and
// a context.
type Options struct {
	// Session is whose log it is; "": that of the first record that names one.
	Session string

	// Turn is the one whose questions are wanted; "" for those of all turns.
	Turn string

	// Digest asks for the chain over the records, which costs about as much as all
	// the rest.
	Digest bool

	// Through asks for the context up to this seq; 0 for none.
	Through events.Seq

	// Watch is a message whose newest body is wanted beside the context; "" for none.
	Watch string

	// Each sees every record, also damaged ones, in order; nil for nobody. The
	// record is good until it returns. A checkpoint.Proof has its Add here.
	Each func(record []byte)

	// MaxLine is how long a line may be, in bytes, 2 GiB at most; 0 stands for 48 MiB.
	// What is longer is damaged: only its beginning is held and shown to Each, and the
	// log has no digest.
	MaxLine int

	// MaxFindings is how many findings are kept, the first ones; 0 stands for 100.
	// All are counted.
	MaxFindings int
}

const (
	defaultLine     = 48 << 20
	defaultFindings = 100
)

// options are embedded, and nobody else's.
type options = Options

func (o *Options) fill() {
	if o.MaxLine <= 0 {
		o.MaxLine = defaultLine
	}
	o.MaxLine = min(o.MaxLine, math.MaxInt32-1) // one byte more is held, which has to be a number too
	if o.MaxFindings <= 0 {
		o.MaxFindings = defaultFindings
	}
}
