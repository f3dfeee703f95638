package disk

import (
	"bytes"
	"context"
	"io"
	"os"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// maxPageBytes bounds the text of one page; one event always fits.
const maxPageBytes = 4 << 20

// Read answers a page, streaming from the nearest mark.
func (l *Log) Read(ctx context.Context, since events.Seq, limit int) (page sessionlog.Page, err error) {
	page.More, err = l.page(ctx, pageReader{since: since, limit: limit, take: func(e sessionlog.Event, _ []byte) {
		e.Text = bytes.Clone(e.Text)
		page.Events = append(page.Events, e)
	}})
	if err != nil {
		return sessionlog.Page{}, err
	}
	return page, nil
}

// Records answers the same as the lines of the file, white space around a record
// included. Every line was read as a record when the log was opened, and when the
// file changed; it is not read as one again.
func (l *Log) Records(ctx context.Context, since events.Seq, limit int) (lines [][]byte, more bool, err error) {
	more, err = l.page(ctx, pageReader{since: since, limit: limit, plain: true, take: func(_ sessionlog.Event, line []byte) {
		lines = append(lines, bytes.Clone(line))
	}})
	if err != nil {
		return nil, false, err
	}
	return lines, more, nil
}

// page opens the file for one page, and fills it.
func (l *Log) page(ctx context.Context, r pageReader) (more bool, err error) {
	f, from, end, err := l.reader(ctx, r.since)
	if err != nil || f == nil {
		return false, err
	}
	defer f.Close()
	if r.limit <= 0 {
		r.limit = sessionlog.DefaultPage
	}
	r.log, r.in, r.end, r.line = l, newLines(f, from.at, end, l.most()), end, from.line
	return r.read(ctx)
}

// reader opens the file as it is known now; nil when nothing is above since.
func (l *Log) reader(ctx context.Context, since events.Seq) (f *os.File, from mark, end int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err = l.look(ctx); err != nil || since >= l.index.last {
		return nil, from, 0, err
	}
	if f, err = os.Open(l.path); err != nil {
		return nil, from, 0, err
	}
	return f, l.index.seek(since), l.index.end, nil
}

// pageReader goes through the lines of one page.
type pageReader struct {
	since events.Seq
	limit int
	plain bool // lines are taken as they are, once the first one was found
	take  func(e sessionlog.Event, line []byte)

	log   *Log
	in    *lines
	line  int
	end   int64
	count int
	bytes int
}

// read takes records above since until the page is full, and answers whether there
// are more.
func (r *pageReader) read(ctx context.Context) (more bool, err error) {
	for ctx.Err() == nil {
		l, err := r.in.next()
		if err == io.EOF {
			return false, r.whole()
		}
		if err != nil {
			return false, err
		}
		r.line++
		if len(trimmed(l)) == 0 {
			continue
		}
		event, err := r.event(l)
		if err != nil {
			return false, err
		}
		if !r.add(event, l.text) {
			return true, nil
		}
	}
	return false, ctx.Err()
}

// event reads a line, unless nothing of it has to be known.
func (r *pageReader) event(l line) (sessionlog.Event, error) {
	if r.plain && r.count > 0 {
		return sessionlog.Event{}, nil
	}
	event, wrong, at := sessionlog.ReadRecord(r.log.session, trimmed(l))
	if wrong != "" {
		return event, damaged(r.log.session, r.log.path, r.line, l.start+int64(at), wrong)
	}
	return event, nil
}

// add takes a record into the page; false when the page is full. Once the first
// event above the cursor is found, all that follow belong to the answer, in the
// order they stand in.
func (r *pageReader) add(e sessionlog.Event, line []byte) bool {
	if r.count == 0 && e.Seq <= r.since {
		return true
	}
	if r.count >= r.limit || (r.count > 0 && r.bytes+len(line) > maxPageBytes) {
		return false
	}
	r.count++
	r.bytes += len(line)
	r.take(e, line)
	return true
}

// whole reports a file that ended before the place it is known to reach.
func (r *pageReader) whole() error {
	if r.in.at >= r.end {
		return nil
	}
	return &sessionlog.Cut{Session: r.log.session, Reason: sessionlog.CutReplaced}
}
