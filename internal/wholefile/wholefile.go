// Package wholefile replaces files whole, so that whoever reads one after a crash
// finds the old text or the new one, and never a part. What the crash left beside it
// is cleared away by [Sweep].
package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace writes a new file beside path, has it on stable storage, and puts it in
// path's place. fill writes the text; when it fails, path is as it was. The folder
// has to be there. Where the new file is gone before it is in its place, it is written
// once more: the clock of whoever swept it away may have jumped.
func Replace(path string, fill func(*os.File) error) error {
	err := replace(path, fill)
	if errors.Is(err, fs.ErrNotExist) {
		err = replace(path, fill)
	}
	return err
}

func replace(path string, fill func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), prefix+"*"+suffix)
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
		return errors.Join(err, RemoveIfThere(f.Name()))
	}
	return SyncDir(filepath.Dir(path))
}

// SyncDir makes the names in a folder durable. Systems that cannot sync a folder say
// so with an error that tells nothing about the data; it is not passed on. A folder
// that is gone has no names.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_ = d.Sync()
	return d.Close()
}
