package disk

import (
	"bytes"
	"errors"
	"io"
	"sort"
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// stride is the number of records from one mark to the next.
const stride = 256

// index is what is known of a log file without holding it.
type index struct {
	session string
	file    string // for messages
	most    int    // bytes of a record

	marks      []mark
	end        int64 // behind the last whole record, and its line break if it has one
	lines      int   // line breaks before end
	records    int
	first      events.Seq
	last       events.Seq        // highest
	generation events.Generation // of the last record
	highest    events.Generation // of all that are ordered
	falls      bool              // a seq is not above the one before it
	bare       bool              // the last record has no line break yet
	unfinished int64             // bytes behind end that are no record yet
	ending     []byte            // the last bytes before end, to know the file again
	damage     error
}

// mark is the place of one record.
type mark struct {
	seq  events.Seq
	at   int64
	line int // lines before it
}

// extend reads the file from where the index ends up to size. visit sees each
// new record; it may be nil.
func (x *index) extend(f io.ReaderAt, size int64, visit func(sessionlog.Event)) error {
	in := newLines(f, x.end, size, x.most)
	x.damage, x.unfinished = nil, 0
	for {
		l, err := in.next()
		switch {
		case err == io.EOF:
			return x.keepEnding(f)
		case errors.Is(err, errLongLine):
			x.damage = x.damaged(l, "a line of more than "+strconv.Itoa(x.most)+" bytes", 0)
			return x.damage
		case err != nil:
			return err
		}
		if !x.take(l, size, visit) {
			return errors.Join(x.damage, x.keepEnding(f))
		}
	}
}

// take reads one line; false when the whole records end before it.
func (x *index) take(l line, size int64, visit func(sessionlog.Event)) bool {
	text := trimmed(l)
	if len(text) > 0 {
		event, wrong, at := sessionlog.ReadRecord(x.session, text)
		if wrong != "" {
			if l.ended {
				x.damage = x.damaged(l, wrong, at)
			} else {
				x.unfinished = size - l.start
			}
			return false
		}
		x.add(event, l.start)
		if visit != nil {
			event.Text = bytes.Clone(event.Text)
			visit(event)
		}
	}
	x.bare = !l.ended
	x.end = l.next
	if l.ended {
		x.lines++
	}
	return true
}

func (x *index) add(e sessionlog.Event, at int64) {
	if x.records == 0 {
		x.first = e.Seq
	}
	if x.records%stride == 0 {
		x.marks = append(x.marks, mark{e.Seq, at, x.lines})
	}
	x.records++
	x.falls = x.falls || (x.records > 1 && e.Seq <= x.last)
	x.last = max(x.last, e.Seq)
	x.generation = e.Generation
	x.highest = higher(x.highest, e.Generation)
}

// higher is the higher of two generations; one that is not ordered is the lowest.
func higher(a, b events.Generation) events.Generation {
	if _, ok := b.Order(b); !ok {
		return a
	}
	if cmp, ok := b.Order(a); !ok || cmp > 0 {
		return b
	}
	return a
}

// seek is a place from which reading meets the first record above since.
func (x *index) seek(since events.Seq) mark {
	if x.falls || len(x.marks) == 0 {
		return mark{}
	}
	i := sort.Search(len(x.marks), func(i int) bool { return x.marks[i].seq > since+1 })
	return x.marks[max(i-1, 0)]
}

// keepEnding remembers how the file ends.
func (x *index) keepEnding(f io.ReaderAt) error {
	x.ending = make([]byte, min(x.end, 128))
	_, err := f.ReadAt(x.ending, x.end-int64(len(x.ending)))
	if err == io.EOF {
		err = nil
	}
	return err
}

// knows reports whether f still ends, at the index's end, as it did.
func (x *index) knows(f io.ReaderAt) bool {
	now := make([]byte, len(x.ending))
	n, _ := f.ReadAt(now, x.end-int64(len(now)))
	return n == len(now) && bytes.Equal(now, x.ending)
}

// damaged names the place of a line that is no record.
func (x *index) damaged(l line, wrong string, at int) error {
	return damaged(x.session, x.file, x.lines+1, l.start+int64(at), wrong)
}

func damaged(session, file string, line int, offset int64, wrong string) error {
	f := fault.New(fault.LogDamaged, "a record of the session in every line", "line "+strconv.Itoa(line)+" of "+file+": "+wrong)
	f.Session, f.Offset = session, offset
	return f
}
