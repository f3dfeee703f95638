package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// look brings the index up to what the files say now, and publishes what was
// appended to them. It answers why the log cannot be read, if it cannot.
func (l *Log) look(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.gone.Load() {
		return unknown(l.session)
	}
	if err := l.lookAtState(); err != nil {
		return err
	}
	info, err := os.Stat(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.Join(unknown(l.session), l.endLocked(sessionlog.CutDeleted))
	}
	if err != nil {
		return err
	}
	if l.info != nil && sameFile(info, l.info) {
		return l.index.damage
	}
	return l.lookInside()
}

func sameFile(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// lookInside reads what is new, or all when it is not the file we know.
func (l *Log) lookInside() error {
	f, err := os.Open(l.path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if l.info == nil {
		return l.extend(f, info, nil)
	}
	if !os.SameFile(info, l.info) || info.Size() < l.index.end || !l.index.knows(f) {
		return l.readAnew(f, info)
	}
	return l.extend(f, info, l.publish)
}

// readAnew takes another file for this log: the head is what it says, and the
// tails have to be judged again.
func (l *Log) readAnew(f *os.File, info os.FileInfo) error {
	l.index, l.broken = index{}, nil
	l.hub.Cut(sessionlog.CutReplaced, nil)
	return errors.Join(l.closeWriter(), l.extend(f, info, nil))
}

func (l *Log) extend(f *os.File, info os.FileInfo, visit func(sessionlog.Event)) error {
	l.index.session, l.index.file, l.index.most = l.session, l.path, l.most()
	err := l.index.extend(f, info.Size(), visit)
	l.info = info
	if l.index.damage != nil {
		l.hub.Cut(sessionlog.CutDamaged, l.index.damage)
	}
	return err
}

func (l *Log) publish(e sessionlog.Event) { l.hub.Publish(e) }

// lookAtState reads the state file again when it changed.
func (l *Log) lookAtState() error {
	path := statePath(l.path)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && l.stateInfo != nil && sameFile(info, l.stateInfo) {
		return nil
	}
	s, err := readState(path)
	if err != nil || s.Version > 1 {
		f := fault.New(fault.LogDamaged, "a state file of version 1", "a text in "+path+" that is none")
		f.Session, f.Err = l.session, err
		return f
	}
	l.state, l.stateInfo = s, info
	return nil
}

// follow looks at the file from time to time, as long as anybody listens.
func (l *Log) follow() {
	defer l.store.follows.Done()
	ticker := time.NewTicker(l.store.options.Poll)
	defer ticker.Stop()
	for l.followOnce() {
		select {
		case <-l.store.stop:
			return
		case <-ticker.C:
		}
	}
}

// followOnce looks once; false when nobody listens any more. What it finds, and
// what keeps it from looking, the tails are told.
func (l *Log) followOnce() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone.Load() || l.hub.Empty() {
		l.following = false
		return false
	}
	if err := l.look(context.Background()); err != nil {
		l.hub.Cut(sessionlog.CutDamaged, err)
	}
	return true
}
