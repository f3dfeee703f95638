package check

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Checker is the machine of one recording. Make it with [New]; write all of the
// recording, draining findings in between; then Close, drain again, and read the
// Summary.
type Checker struct {
	options Options
	format  Format
	head    []byte // the first bytes, until the format is known
	source  source
	failed  *fault.Fault
	closed  bool

	profile *profile.Profile
	ours    bool // events are of our table, so that unknown types and classes mean something
	scanner *events.Scanner
	other   *events.Scanner // reads the generation under its other name; nil: there is one
	event   events.Envelope
	at      Place // of the event that is judged

	findings findings
	book     book
	conn     connection
	tally    tally
}

// source cuts the bytes of one format into events.
type source interface {
	feed(chunk []byte)
	end(stopped bool)
}

// New makes a checker. The options are not looked at again.
func New(o Options) *Checker {
	c := &Checker{options: o.filled()}
	c.book.init(c.options.MaxSessions)
	if o.Format != Auto && o.Format < formatEnd {
		c.begin(o.Format)
	}
	return c
}

const (
	pieceSize = 32 << 10 // bytes that are read before the queue is looked at
	fullQueue = 256      // findings that have to be taken before more is read
)

// Write reads as much of the chunk as it may before findings have to be taken,
// and answers how much that was: less than all means that [Checker.Next] has
// some. The chunk is not kept. After Close, and once Fault answers one, bytes are
// only counted.
func (c *Checker) Write(chunk []byte) (n int) {
	for n < len(chunk) && c.findings.ready() < fullQueue {
		piece := chunk[n:min(len(chunk), n+pieceSize)]
		n += len(piece)
		c.tally.bytes += int64(len(piece))
		c.read(piece)
	}
	return n
}

func (c *Checker) read(piece []byte) {
	if c.closed || c.failed != nil {
		return
	}
	if c.source == nil {
		if piece = c.sniff(piece); c.source == nil {
			return
		}
	}
	c.source.feed(piece)
	c.findings.release(!c.conn.waits)
}

// sniff collects the first bytes, and answers what follows them once they tell
// the format.
func (c *Checker) sniff(piece []byte) (rest []byte) {
	n := min(len(piece), sniffed-len(c.head))
	c.head = append(c.head, piece[:n]...)
	if len(c.head) == sniffed {
		c.tellFormat()
	}
	return piece[n:]
}

func (c *Checker) tellFormat() {
	format, found := detect(c.head, c.options.Name)
	if found != "" {
		c.failed = unreadable(found)
		return
	}
	c.begin(format)
	c.source.feed(c.head)
	c.head = nil
}

// begin sets up for a format.
func (c *Checker) begin(f Format) {
	c.format = f
	c.profile = c.options.profileFor(f)
	c.scanner = c.profile.NewScanner()
	_, named := profile.Named(c.profile.Name)
	c.ours = named || c.profile.Control
	if f == JSONL && c.options.Profile == nil {
		c.other = profile.Session.NewScanner()
	}
	switch f {
	case JSONL:
		c.source = &lines{c: c}
	case SSE:
		c.source = newStream(c)
	case HAR:
		c.source = newArchive(c)
	}
}

// Next answers the next finding, and false when there is none for now.
func (c *Checker) Next() (Finding, bool) { return c.findings.pop() }

// Close says that the recording ends here. What only the end can tell is found
// now: half a line, a turn without its end.
func (c *Checker) Close() { c.end(false) }

// Stop says that whoever read the recording stopped, and that it would have gone
// on: its last place is no end and nothing is missing there.
func (c *Checker) Stop() { c.end(true) }

func (c *Checker) end(stopped bool) {
	if c.closed {
		return
	}
	if c.source == nil && c.failed == nil {
		c.tellFormat()
	}
	c.closed = true
	if c.failed != nil {
		return
	}
	c.source.end(stopped)
	c.finish(stopped)
	c.findings.release(true)
}

// Fault is why the recording cannot be read at all, nil when it can: it is
// neither JSON lines nor an event stream nor a HAR. Rule fault.BadInput.
func (c *Checker) Fault() *fault.Fault { return c.failed }

// Format is what the recording turned out to be, Auto while that is not known.
func (c *Checker) Format() Format { return c.format }

// report files a finding of the place that is being read.
func (c *Checker) report(f Finding) {
	if f.Rule == 0 {
		f.Rule = f.Kind.Rule()
	}
	if f.Time == "" {
		f.Time = c.conn.started
	}
	c.tally.count(f.Kind)
	c.findings.push(f)
}

// reportOf is report for a finding of one session.
func (c *Checker) reportOf(s *session, f Finding) {
	f.Session, f.Connection = s.id, s.scope
	if f.Kind.Severity() == Error {
		s.wrong++
	}
	c.report(f)
}

// limit reports once that there is more of something than is kept track of.
func (c *Checker) limit(subject string, p Place) {
	for _, s := range c.tally.limits {
		if s == subject {
			return
		}
	}
	c.tally.limits = append(c.tally.limits, subject)
	c.report(Finding{Kind: Limit, What: subject, Place: p})
}
