package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tidemark-stream/tidemark/internal/wholefile"
	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Options of a store. The zero value works, but cannot tell whose runs it holds.
type Options struct {
	// Of is whose runs the folder holds: tenant, project and session. A level that
	// is "" is not checked, and a store without all three cannot be listed.
	Of listing.Scope

	// Parks answers all questions of the session, as durable.ParksOf does: nothing
	// in a folder says how they stand. nil: the store cannot be listed.
	Parks func(context.Context) ([]*park.Park, error)
}

// Store implements durable.Store on a folder.
type Store struct {
	base  string
	of    listing.Scope
	parks func(context.Context) ([]*park.Park, error)
	swept sync.Once
}

// New opens a folder. It need not be there: the first document makes it.
func New(base string, o Options) (*Store, error) {
	if info, err := os.Stat(base); err == nil && !info.IsDir() {
		return nil, fault.New(fault.BadInput, "a folder of runs", base+" is a file")
	}
	return &Store{base: base, of: o.Of, parks: o.Parks}, nil
}

// Put writes the document beside its place and renames it.
func (s *Store) Put(ctx context.Context, run listing.RunScope, id string, document []byte) (checkpoint.Receipt, error) {
	receipt, err := durable.CheckPut(run, id, document)
	if err != nil {
		return checkpoint.Receipt{}, err
	}
	path, err := s.path(ctx, run, id)
	if err == nil {
		s.swept.Do(s.sweep)
		err = writeFile(s.base, path, document)
	}
	if err != nil {
		return checkpoint.Receipt{}, err
	}
	return receipt, nil
}

// Get reads the file. An id that makes no file name has none.
func (s *Store) Get(ctx context.Context, run listing.RunScope, id string) ([]byte, error) {
	path, err := s.path(ctx, run, id)
	if errors.Is(err, errName) {
		return nil, durable.Unknown(run, id)
	}
	if err != nil {
		return nil, err
	}
	document, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, durable.Unknown(run, id)
	}
	return document, err
}

// IDs reads the folder of the run. A run that makes no file name has none.
func (s *Store) IDs(ctx context.Context, run listing.RunScope) ([]string, error) {
	dir, err := s.dir(ctx, run)
	if err != nil {
		return nil, notThere(err)
	}
	return names(dir, func(e fs.DirEntry) (string, bool) {
		name, ok := strings.CutSuffix(e.Name(), suffix)
		return name, ok && !e.IsDir()
	})
}

// Delete removes the file, and the folder of the run with its last one.
func (s *Store) Delete(ctx context.Context, run listing.RunScope, id string) error {
	path, err := s.path(ctx, run, id)
	if err != nil {
		return notThere(err)
	}
	if err := os.Remove(path); err != nil {
		return notThere(err)
	}
	if err := wholefile.SyncDir(filepath.Dir(path)); err != nil {
		return err
	}
	_ = os.Remove(filepath.Dir(path)) // fails while something is in it, and that is meant
	return nil
}

// notThere passes on every error but that there is no such file.
func notThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errName) {
		return nil
	}
	return err
}

// names answers the ids that entries of a folder stand for, in byte order.
func names(dir string, of func(fs.DirEntry) (name string, ok bool)) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		name, ok := of(e)
		if id, known := unescape(name); ok && known {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// path is the file of a document.
func (s *Store) path(ctx context.Context, run listing.RunScope, id string) (string, error) {
	dir, err := s.dir(ctx, run)
	if err != nil {
		return "", err
	}
	name, err := escape(id)
	return filepath.Join(dir, name+suffix), err
}

// dir is the folder of a run.
func (s *Store) dir(ctx context.Context, run listing.RunScope) (string, error) {
	if err := run.Check(); err != nil {
		return "", err
	}
	if !s.of.Meets(run.Scope()) {
		return "", fault.New(fault.BadInput, "a run of session "+fault.Clip([]byte(s.of.SessionID))+", its project and its tenant", "one of another scope")
	}
	dir, err := s.folder(run.RunID, run.ParentRunID)
	return dir, errors.Join(err, ctx.Err())
}

// folder is that of a run that parent started; nothing did with "".
func (s *Store) folder(run, parent string) (string, error) {
	name, err := escape(run)
	if err != nil || parent == "" {
		return filepath.Join(s.base, name), err
	}
	above, err := escape(parent)
	return filepath.Join(s.base, above, children, name), err
}
