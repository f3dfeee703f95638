// Package gen writes everything that is generated in this repository, from the
// catalogs in Go: lookup tables, structs, TypeScript, JSON Schema, pages.
//
// Calls you need: [Files] for what should stand in the tree, [Write] to put it
// there, [Drift] to see what differs. "tidemark gen" is the command around them.
//
// Invariants: the same source gives the same bytes; nothing outside of the tree
// is read; a test of this package fails while a file of the tree has drifted.
package gen

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// File is a generated file.
type File struct {
	Path string // from the root of the tree, with slashes
	Data []byte
}

// generators are all there are, in the order in which files are written.
var generators = []func(root string) ([]File, error){
	leanFiles, identityFile, goTypeFiles, typeScriptFiles, schemaFiles, eventPageFiles,
	faultFiles, statesFiles, parkFiles, headerFiles, codeFiles, wordFiles, optionFiles, seamFiles,
}

// Files is every generated file as it should be. Nothing is written.
func Files(root string) ([]File, error) {
	var files []File
	for _, generate := range generators {
		made, err := generate(root)
		if err != nil {
			return nil, err
		}
		files = append(files, made...)
	}
	return files, nil
}

// Root is the folder with go.mod that dir lies in.
func Root(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("no go.mod in %s or above it: run this inside the repository", dir)
		}
	}
}

// Write puts the files in their places and answers the paths of those that
// changed. Files that are right already are not touched.
func Write(root string, files []File) (changed []string, err error) {
	for _, f := range files {
		path := filepath.Join(root, filepath.FromSlash(f.Path))
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, f.Data) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return changed, err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return changed, err
		}
		changed = append(changed, f.Path)
	}
	return changed, nil
}
