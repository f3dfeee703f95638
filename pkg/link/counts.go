package link

import "github.com/tidemark-stream/tidemark/pkg/events"

// Counts is what nobody but the link sees of a stream, since it was made.
type Counts struct {
	Duplicates int // events that were dropped because they came again, or of a lost lease
	Resyncs    int // connections that were made to see whether what did not connect is really so
}

// Counts answers what was counted so far. It changes nothing.
func (l *Link) Counts() Counts { return l.counts }

// Behind is how far the position of a lane is from the newest head that the server
// named for it, 0 when it has come to it or beyond. False: no head is known, or
// there is no position yet.
func (l *Link) Behind(lane int) (n events.Seq, ok bool) {
	ln := &l.lanes[lane]
	if at := ln.tracker.Place().Seq; at < ln.head.LastSeq {
		n = ln.head.LastSeq - at
	}
	return n, (ln.headed || ln.head.LastSeq > 0) && ln.tracker.Anchored()
}
