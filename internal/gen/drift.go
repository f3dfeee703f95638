package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Difference is a file that is not what it should be.
type Difference struct {
	Path    string
	Missing bool // not there at all
	Line    int  // the first line that differs, from 1
	Has     string
	Wants   string
	Removed int // lines that should go
	Added   int // lines that should come
}

// String tells people what is wrong with the file.
func (d Difference) String() string {
	if d.Missing {
		return d.Path + ": is not there"
	}
	return fmt.Sprintf("%s: differs from line %d on (%d lines too many, %d missing)\n    has   %s\n    wants %s",
		d.Path, d.Line, d.Removed, d.Added, shown(d.Has), shown(d.Wants))
}

// Drift compares the files with those of the tree.
func Drift(root string, files []File) ([]Difference, error) {
	var drifted []Difference
	for _, f := range files {
		has, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Path)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			drifted = append(drifted, Difference{Path: f.Path, Missing: true})
		case err != nil:
			return nil, err
		case !bytes.Equal(has, f.Data):
			drifted = append(drifted, compare(f.Path, string(has), string(f.Data)))
		}
	}
	return drifted, nil
}

func compare(path, has, wants string) Difference {
	a, b := strings.Split(has, "\n"), strings.Split(wants, "\n")
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	d := Difference{Path: path, Line: first + 1, Has: lineAt(a, first), Wants: lineAt(b, first)}
	spare := map[string]int{}
	for _, line := range a[first:] {
		spare[line]++
	}
	for _, line := range b[first:] {
		if spare[line] > 0 {
			spare[line]--
		} else {
			d.Added++
		}
	}
	for _, n := range spare {
		d.Removed += n
	}
	return d
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// shown shortens a line for a terminal.
func shown(line string) string {
	const most = 100
	if r := []rune(line); len(r) > most {
		line = string(r[:most]) + "…"
	}
	if line == "" {
		return "(an empty line, or the end)"
	}
	return line
}
