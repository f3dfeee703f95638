package disk

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/internal/fanout"
)

// Log implements sessionlog.Log on one file.
type Log struct {
	store   *Store
	session string
	path    string
	hub     *fanout.Hub

	mu        sync.Mutex
	index     index
	info      os.FileInfo // the file as the index knows it; nil before the first look
	stateInfo os.FileInfo
	state     state
	writer    *os.File // nil until the first append
	broken    error    // a write whose outcome is not known
	following bool
	gone      atomic.Bool // deleted, or its store is closed
}

func newLog(s *Store, session, path string) *Log {
	return &Log{store: s, session: session, path: path, hub: fanout.New(session, fanout.Limits{
		Events: s.options.TailEvents, Bytes: s.options.TailBytes,
	})}
}

// Session is the id of the session.
func (l *Log) Session() string { return l.session }

// open looks at the file, the first time repairs its end, and answers whether it
// can be read.
func (l *Log) open(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	fresh := l.info == nil
	if err := l.look(ctx); err != nil {
		return err
	}
	if fresh && l.index.unfinished > 0 && !l.store.options.ReadOnly {
		return l.cutUnfinished()
	}
	return nil
}

// Head answers where the log stands now.
func (l *Log) Head(ctx context.Context) (sessionlog.Head, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.look(ctx); err != nil {
		return sessionlog.Head{}, err
	}
	return l.head(), nil
}

func (l *Log) head() sessionlog.Head {
	h := sessionlog.Head{LastSeq: l.state.PrunedThrough, Generation: l.lease()}
	h.OldestSeq = h.LastSeq + 1
	if l.index.records > 0 {
		h.LastSeq, h.OldestSeq = l.index.last, l.index.first
	}
	return h
}

// most is the limit of a line: an event and what the record envelope adds.
func (l *Log) most() int { return l.store.options.MaxBytes + 4096 }

// lease is the generation of the last record, unless a later lease was taken.
func (l *Log) lease() events.Generation {
	recorded, taken := l.index.generation, l.state.Generation
	if !recorded.IsSet() {
		return taken
	}
	if cmp, ok := taken.Order(recorded); ok && cmp > 0 {
		return taken
	}
	return recorded
}

// maxPageBytes bounds the text of one page; one event always fits.
const maxPageBytes = 4 << 20

// Read answers a page, streaming from the nearest mark.
func (l *Log) Read(ctx context.Context, since events.Seq, limit int) (sessionlog.Page, error) {
	f, from, end, err := l.reader(ctx, since)
	if err != nil || f == nil {
		return sessionlog.Page{}, err
	}
	defer f.Close()
	if limit <= 0 {
		limit = sessionlog.DefaultPage
	}
	r := pageReader{log: l, since: since, limit: limit, in: newLines(f, from.at, end, l.most()), end: end, line: from.line}
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

// pageReader collects one page.
type pageReader struct {
	log   *Log
	in    *lines
	since events.Seq
	limit int
	line  int
	end   int64
	bytes int
	page  sessionlog.Page
}

func (r *pageReader) read(ctx context.Context) (sessionlog.Page, error) {
	for ctx.Err() == nil {
		l, err := r.in.next()
		if err == io.EOF {
			return r.page, r.whole()
		}
		if err != nil {
			return sessionlog.Page{}, err
		}
		r.line++
		text := trimmed(l)
		if len(text) == 0 {
			continue
		}
		event, wrong, at := sessionlog.ReadRecord(r.log.session, text)
		if wrong != "" {
			return sessionlog.Page{}, damaged(r.log.session, r.log.path, r.line, l.start+int64(at), wrong)
		}
		if !r.add(event) {
			r.page.More = true
			return r.page, nil
		}
	}
	return sessionlog.Page{}, ctx.Err()
}

// add takes an event into the page; false when the page is full. Once the first
// event above the cursor is found, all that follow belong to the answer, in the
// order they stand in.
func (r *pageReader) add(e sessionlog.Event) bool {
	n := len(r.page.Events)
	if n == 0 && e.Seq <= r.since {
		return true
	}
	if n >= r.limit || (n > 0 && r.bytes+len(e.Text) > maxPageBytes) {
		return false
	}
	e.Text = bytes.Clone(e.Text)
	r.page.Events = append(r.page.Events, e)
	r.bytes += len(e.Text)
	return true
}

// whole reports a file that ended before the place it is known to reach.
func (r *pageReader) whole() error {
	if r.in.at >= r.end {
		return nil
	}
	return &sessionlog.Cut{Session: r.log.session, Reason: sessionlog.CutReplaced}
}

// Subscribe begins a tail and, with the first one, the watch for what other
// processes append.
func (l *Log) Subscribe(ctx context.Context) (sessionlog.Tail, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.look(ctx); err != nil {
		return nil, err
	}
	tail, err := l.hub.Subscribe()
	if err != nil {
		return nil, err
	}
	if !l.following {
		l.following = true
		l.store.follows.Add(1)
		go l.follow()
	}
	return tail, nil
}

// end closes what the log holds.
func (l *Log) end(reason sessionlog.CutReason) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.endLocked(reason)
}

func (l *Log) endLocked(reason sessionlog.CutReason) error {
	l.gone.Store(true)
	l.hub.Close(reason)
	return l.closeWriter()
}

func (l *Log) remove() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.endLocked(sessionlog.CutDeleted),
		removeIfThere(l.path), removeIfThere(statePath(l.path)), syncDir(l.store.dir))
}
