package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// tries is how often a folder may go away, with the last document of its run,
// between being made and being written to.
const tries = 100

// writeFile puts a whole file in its place below base, and has it and every folder
// that it made for it on stable storage.
func writeFile(base, path string, text []byte) (err error) {
	for range tries {
		if err = makeDirs(base, filepath.Dir(path)); err == nil {
			err = replaceFile(path, text)
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
	return syncDir(filepath.Dir(dir))
}

// replaceFile writes beside path and renames, so that a crash leaves either the old
// file or the new one.
func replaceFile(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".tidemark-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
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
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_ = d.Sync()
	return d.Close()
}
