package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/tidemark-stream/tidemark/internal/wholefile"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// Options of a store. The zero value works: it writes, and syncs every append.
type Options struct {
	ReadOnly   bool             // never writes, repairs nothing; for logs that another process writes
	NoSync     bool             // leaves it to the system when an append reaches stable storage
	Poll       time.Duration    // how often a tail looks for what others appended; 0: 200 ms
	MaxBytes   int              // limit of one event's text; 0: sessionlog.MaxRecord
	TailEvents int              // events that wait for one subscriber before it is cut; 0: 4096
	TailBytes  int              // bytes that wait for one subscriber before it is cut; 0: 8 MiB
	Now        func() time.Time // record time; nil: time.Now
	Report     func(Dropped)    // is told of every unfinished line that was cut off; may be nil
}

// Dropped is an unfinished last line that was cut off.
type Dropped struct {
	Session string
	File    string
	Line    int
	Offset  int64 // where the line began; the file ends there now
	Bytes   int64 // how much was cut off
}

// String is one sentence for a log.
func (d Dropped) String() string {
	return "cut " + strconv.FormatInt(d.Bytes, 10) + " bytes of an unfinished record off " + d.File +
		" (line " + strconv.Itoa(d.Line) + ", byte " + strconv.FormatInt(d.Offset, 10) + ")"
}

func (o Options) orDefault() Options {
	if o.Poll <= 0 {
		o.Poll = 200 * time.Millisecond
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = sessionlog.MaxRecord
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Store implements sessionlog.Store on a folder.
type Store struct {
	dir     string
	options Options
	stop    chan struct{} // closed with the store
	follows sync.WaitGroup

	mu     sync.Mutex
	logs   map[string]*Log
	closed bool
}

// New opens a folder of logs. One that is not there is made, unless the store is
// read only.
func New(dir string, o Options) (*Store, error) {
	if !o.ReadOnly {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fault.New(fault.BadInput, "a folder of session logs", dir+" is a file")
	}
	if !o.ReadOnly {
		wholefile.Sweep(dir)
	}
	return &Store{dir: dir, options: o.orDefault(), stop: make(chan struct{}), logs: map[string]*Log{}}, nil
}

// Open answers an existing log. The first time it reads the file from end to end.
func (s *Store) Open(ctx context.Context, session string) (sessionlog.Log, error) {
	log, err := s.log(session)
	if err != nil {
		return nil, err
	}
	if err := log.open(ctx); err != nil {
		s.forget(log)
		return nil, err
	}
	return log, nil
}

// log answers the one Log of a session, which need not have a file.
func (s *Store) log(session string) (*Log, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fault.New(fault.BadInput, "an open store", "a closed one")
	}
	if log := s.logs[session]; log != nil && !log.gone.Load() {
		return log, nil
	}
	path, err := s.find(session)
	if err != nil {
		return nil, err
	}
	log := newLog(s, session, path)
	s.logs[session] = log
	return log, nil
}

func (s *Store) forget(log *Log) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.logs[log.session] == log {
		delete(s.logs, log.session)
	}
}

// find answers the path of a session's file. Names that somebody else chose are
// found by what they stand for.
func (s *Store) find(session string) (string, error) {
	if sessionlog.CheckSession(session) != nil {
		return "", unknown(session)
	}
	name := escape(session) + logSuffix
	if _, err := os.Stat(filepath.Join(s.dir, name)); err == nil {
		return filepath.Join(s.dir, name), nil
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if id, ok := sessionOf(e.Name()); ok && id == session {
			return filepath.Join(s.dir, e.Name()), nil
		}
	}
	return "", unknown(session)
}

// Create makes an empty log.
func (s *Store) Create(ctx context.Context, session string) (sessionlog.Log, error) {
	if err := s.creatable(session); err != nil {
		return nil, err
	}
	path := filepath.Join(s.dir, escape(session)+logSuffix)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, exists(session)
	}
	if err != nil {
		return nil, err
	}
	if err := errors.Join(f.Close(), wholefile.RemoveIfThere(statePath(path)), wholefile.SyncDir(s.dir)); err != nil {
		return nil, err
	}
	return s.Open(ctx, session)
}

func (s *Store) creatable(session string) error {
	if s.options.ReadOnly {
		return readOnly(session)
	}
	if err := sessionlog.CheckSession(session); err != nil {
		return err
	}
	if n := len(escape(session)); n > maxName {
		return fault.New(fault.BadInput, "a session id that makes a file name of at most 240 bytes", strconv.Itoa(n)+" bytes")
	}
	if _, err := s.find(session); err == nil {
		return exists(session)
	}
	return nil
}

// List answers the ids in byte order.
func (s *Store) List(ctx context.Context) ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(entries))
	for _, e := range entries {
		if id, ok := sessionOf(e.Name()); ok && !e.IsDir() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), ctx.Err()
}

// Delete removes the files of a log.
func (s *Store) Delete(ctx context.Context, session string) error {
	if s.options.ReadOnly {
		return readOnly(session)
	}
	log, err := s.log(session)
	if err != nil {
		return err
	}
	s.forget(log)
	return errors.Join(log.remove(), ctx.Err())
}

// Close ends every tail and waits until nothing looks at the folder any more.
func (s *Store) Close() error {
	s.mu.Lock()
	logs, closed := s.logs, s.closed
	s.logs, s.closed = map[string]*Log{}, true
	s.mu.Unlock()
	if closed {
		return nil
	}
	close(s.stop)
	var err error
	for _, log := range logs {
		err = errors.Join(err, log.end(sessionlog.CutClosed))
	}
	s.follows.Wait()
	return err
}

func statePath(path string) string { return path[:len(path)-len(logSuffix)] + stateSuffix }

func unknown(session string) error {
	return ofSession(session, fault.New(fault.UnknownSession, "a session with a log", "none"))
}

func exists(session string) error {
	return ofSession(session, fault.New(fault.BadInput, "a session that has no log yet", "one that has"))
}

func readOnly(session string) error {
	return ofSession(session, fault.New(fault.BadInput, "a store that was opened for writing", "a read-only one"))
}

func ofSession(session string, f *fault.Fault) error {
	f.Session = session
	return f
}
