package disk

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

// state is what the lines of a log cannot say.
type state struct {
	Version       int               `json:"v"`
	Generation    events.Generation `json:"generation,omitempty"`    // the lease
	PrunedThrough events.Seq        `json:"prunedThrough,omitempty"` // everything up to here was pruned
}

// readState reads a state file; one that is not there is the zero state.
func readState(path string) (state, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}
	var s state
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}

// write replaces a state file as a whole.
func (s state) write(path string) error {
	s.Version = 1
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return replaceFile(path, func(f *os.File) error {
		_, err := f.Write(append(text, '\n'))
		return err
	})
}

// replaceFile writes a new file beside path and puts it in path's place, so that
// a crash leaves either the old or the new one.
func replaceFile(path string, fill func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".tidemark-*.tmp")
	if err != nil {
		return err
	}
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes names durable. Systems that cannot sync a folder say so with an
// error that tells nothing about the data; it is not passed on.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync()
	return d.Close()
}
