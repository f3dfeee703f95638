package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidemark-stream/tidemark/internal/wholefile"
)

// sweep looks through the folders of all runs for what crashes left. What cannot be
// read or removed is left for another time.
func (s *Store) sweep() {
	top, _ := s.runs("")
	for _, parent := range append(top, "") {
		runs, _ := s.runs(parent)
		for _, run := range runs {
			if dir, err := s.folder(run, parent); err == nil {
				wholefile.Sweep(dir)
			}
		}
	}
}

// tries is how often a folder may go away, with the last document of its run,
// between being made and being written to.
const tries = 100

// writeFile puts a whole file in its place below base, and has it and every folder
// that it made for it on stable storage.
func writeFile(base, path string, text []byte) (err error) {
	for range tries {
		if err = makeDirs(base, filepath.Dir(path)); err == nil {
			err = wholefile.Replace(path, func(f *os.File) error {
				_, err := f.Write(text)
				return err
			})
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return err
}

// makeDirs makes a folder and those around it, and makes their names durable.
func makeDirs(base, dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if dir == base || dir == filepath.Dir(dir) {
		return os.MkdirAll(dir, 0o755)
	}
	if err := makeDirs(base, filepath.Dir(dir)); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return wholefile.SyncDir(filepath.Dir(dir))
}
