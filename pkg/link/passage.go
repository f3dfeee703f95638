package link

// Span is a range of the bytes of one connection, which begins at 0.
type Span struct{ From, To int64 }

// passage is the account of which frames go on, for whoever passes bytes on.
type passage struct {
	handed bool   // the frame that is being judged does
	cuts   []Span // those that do not, since the last input
}

// Settled is how many bytes of the connection are judged, or belong to no frame.
// Behind them stands what has not ended.
func (l *Link) Settled() int64 { return l.decoder.Settled() }

// Span is where the frame lies that was judged last.
func (l *Link) Span() Span { return Span{l.frame.Start, l.frame.End} }

// Cuts are the frames that are not to go on, of those that were judged since the last
// input, in order: duplicates, what came too early or for a session that is over,
// what was refused, and frames of the protocol that are of no use. Only with
// [Options.Passage]; valid until the next input.
func (l *Link) Cuts() []Span { return l.passage.cuts }

// account notes the frame that was judged, unless it goes on.
func (l *Link) account() {
	if l.options.Passage && !l.passage.handed {
		l.passage.cuts = append(l.passage.cuts, l.Span())
	}
}
