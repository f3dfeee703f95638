package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Names of files that are being written.
const (
	prefix = ".tidemark-"
	suffix = ".tmp"
)

// abandoned is how long nothing has to have been written to such a file before it is
// nobody's. A write takes milliseconds, that of a large log minutes, and each piece of
// it makes the file new again.
const abandoned = 24 * time.Hour

// Sweep removes from a folder what writes left that came to no end, by crashes: files of
// [Replace] that were not written to for a day. Which process they were of makes no
// difference, so that a folder may have several. What cannot be removed stays; it is in
// nobody's way, and the next sweep tries again.
func Sweep(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	names, _ := d.Readdirnames(-1)
	_ = d.Close()
	for _, name := range names {
		if strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix) {
			sweep(filepath.Join(dir, name))
		}
	}
}

func sweep(path string) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > abandoned {
		_ = os.Remove(path)
	}
}

// RemoveIfThere removes a file. One that is gone already is no error.
func RemoveIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
