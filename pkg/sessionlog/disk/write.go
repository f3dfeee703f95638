package disk

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/tidemark-stream/tidemark/internal/wholefile"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// Append writes one line, makes it durable, and publishes what then stands in
// the file.
func (l *Log) Append(ctx context.Context, generation events.Generation, text []byte) (sessionlog.Event, error) {
	draft, err := sessionlog.NewDraft(l.session, text, l.store.options.MaxBytes)
	if err != nil {
		return sessionlog.Event{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.writable(ctx, generation); err != nil {
		return sessionlog.Event{}, err
	}
	seq, ok := sessionlog.Next(l.head().LastSeq)
	if !ok {
		return sessionlog.Event{}, ofSession(l.session, fault.New(fault.BadInput, "a log with numbers left", "seq 9007199254740991"))
	}
	stamp := sessionlog.Stamp{Session: l.session, Seq: seq, Generation: generation, Time: l.store.options.Now()}
	if err := l.write(draft.Record(stamp)); err != nil {
		return sessionlog.Event{}, err
	}
	return l.readBack(seq)
}

// Publish hands an event on without storing it.
func (l *Log) Publish(ctx context.Context, generation events.Generation, text []byte) error {
	event, err := sessionlog.Relay(l.session, text, l.store.options.MaxBytes)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.look(ctx); err != nil {
		return err
	}
	if err := sessionlog.CheckLease(l.session, l.lease(), generation); err != nil {
		return err
	}
	l.hub.Publish(event)
	return nil
}

// writable reports why nothing can be appended.
func (l *Log) writable(ctx context.Context, generation events.Generation) error {
	if l.store.options.ReadOnly {
		return readOnly(l.session)
	}
	if err := l.look(ctx); err != nil {
		return err
	}
	if l.broken != nil {
		return l.broken
	}
	if err := sessionlog.CheckLease(l.session, l.lease(), generation); err != nil {
		return err
	}
	if l.index.unfinished > 0 {
		return damaged(l.session, l.path, l.index.lines+1, l.index.end, "another writer's unfinished line")
	}
	return l.openWriter()
}

func (l *Log) openWriter() (err error) {
	if l.writer == nil {
		l.writer, err = os.OpenFile(l.path, os.O_RDWR|os.O_APPEND, 0)
	}
	return err
}

func (l *Log) closeWriter() error {
	f := l.writer
	l.writer = nil
	if f == nil {
		return nil
	}
	return f.Close()
}

// write puts one line at the end of the file, whole or not at all.
func (l *Log) write(record []byte) error {
	line := append(record, '\n')
	if l.index.bare {
		line = append([]byte{'\n'}, line...)
	}
	_, err := l.writer.Write(line)
	if err == nil && !l.store.options.NoSync {
		err = l.writer.Sync()
	}
	if err == nil {
		return nil
	}
	return l.undo(err)
}

// undo takes back what a failed write left. When that fails too, or a sync left
// it open what the disk holds, the log takes no more appends.
func (l *Log) undo(cause error) error {
	err := l.writer.Truncate(l.index.end)
	if err == nil {
		err = l.writer.Sync()
	}
	if err != nil {
		l.broken = errors.Join(cause, err)
	}
	return cause
}

// readBack takes the line that was just written into the index and publishes it.
func (l *Log) readBack(seq events.Seq) (stored sessionlog.Event, err error) {
	info, err := l.writer.Stat()
	if err != nil {
		return stored, err
	}
	err = l.extend(l.writer, info, func(e sessionlog.Event) {
		if e.Seq == seq {
			stored = e
		}
		l.publish(e)
	})
	if err == nil && stored.Seq == 0 {
		err = damaged(l.session, l.path, l.index.lines, l.index.end, "a record that was written is not there")
	}
	return stored, err
}

// Acquire raises the generation and has it on disk before anybody can use it.
func (l *Log) Acquire(ctx context.Context) (events.Generation, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.store.options.ReadOnly {
		return "", readOnly(l.session)
	}
	if err := l.look(ctx); err != nil {
		return "", err
	}
	top := l.lease()
	if _, ok := top.Order(top); ok || !top.IsSet() {
		top = higher(higher(l.index.highest, l.state.Generation), top)
	}
	next, ok := sessionlog.Raise(top)
	if !ok {
		return "", ofSession(l.session, fault.New(fault.BadInput, "a log whose generation is written in digits", "generation "+string(top)))
	}
	return next, l.setState(state{Generation: next, PrunedThrough: l.state.PrunedThrough})
}

func (l *Log) setState(s state) error {
	if err := s.write(statePath(l.path)); err != nil {
		return err
	}
	l.state = s
	info, err := os.Stat(statePath(l.path))
	l.stateInfo = info
	return err
}

// cutUnfinished drops a last line that a crash left unfinished, and reports it.
func (l *Log) cutUnfinished() error {
	d := Dropped{Session: l.session, File: l.path, Line: l.index.lines + 1, Offset: l.index.end, Bytes: l.index.unfinished}
	if err := os.Truncate(l.path, l.index.end); err != nil {
		return err
	}
	l.index.unfinished = 0
	info, err := os.Stat(l.path)
	if err != nil {
		return err
	}
	l.info = info
	if l.store.options.Report != nil {
		l.store.options.Report(d)
	}
	return nil
}

// Prune writes the rest of the log to a new file and puts that in its place. How
// far it was pruned is on disk first, so that no crash can lose the last seq.
func (l *Log) Prune(ctx context.Context, before events.Seq) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.store.options.ReadOnly {
		return readOnly(l.session)
	}
	if err := l.look(ctx); err != nil {
		return err
	}
	h := l.head()
	before = min(before, h.LastSeq+1)
	if before <= h.OldestSeq {
		return nil
	}
	if err := l.setState(state{Generation: l.lease(), PrunedThrough: before - 1}); err != nil {
		return err
	}
	return l.keepFrom(before)
}

func (l *Log) keepFrom(before events.Seq) error {
	f, err := os.Open(l.path)
	if err != nil {
		return err
	}
	defer f.Close()
	at, err := l.placeOf(f, before)
	if err != nil {
		return err
	}
	err = wholefile.Replace(l.path, func(to *os.File) error {
		_, err := io.Copy(to, io.NewSectionReader(f, at, l.index.end-at))
		return err
	})
	if err != nil {
		return err
	}
	l.index, l.info = index{}, nil
	return errors.Join(l.closeWriter(), l.lookInside())
}

// placeOf is where the first record at or above seq begins; the end when there
// is none.
func (l *Log) placeOf(f io.ReaderAt, seq events.Seq) (int64, error) {
	in := newLines(f, l.index.seek(seq-1).at, l.index.end, l.index.most)
	for {
		n, err := in.next()
		if err == io.EOF {
			return l.index.end, nil
		}
		if err != nil {
			return 0, err
		}
		if e, wrong, _ := sessionlog.ReadRecord(l.session, trimmed(n)); wrong == "" && e.Seq >= seq {
			return n.start, nil
		}
	}
}
