package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// members is a JSON object whose values are still text. Names are exact: Go's
// own decoding would take "Seq" for "seq".
type members map[string]json.RawMessage

// vector is one case of a file.
type vector = members

// find answers the vector files of a path: the file itself, or all .json files
// below a folder, sorted. No file is an error.
func find(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ".json") {
			files = append(files, name)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = errors.New("no .json file in this folder")
	}
	slices.Sort(files)
	return files, err
}

// load reads the vectors of a file: a list, or an object with the list in
// "cases" and words about it in "about".
func load(file string) ([]vector, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("{")) {
		if text, err = casesOf(text); err != nil {
			return nil, err
		}
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		return nil, fmt.Errorf("a list of vectors: %w", err)
	}
	if len(vectors) == 0 {
		return nil, errors.New("the list of vectors is empty")
	}
	return vectors, nil
}

func casesOf(document []byte) ([]byte, error) {
	var d members
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	if unknown := unknownKeys(document, shape{"about": nil, "cases": nil}); len(unknown) > 0 {
		return nil, fmt.Errorf("unknown keys: %s", strings.Join(unknown, ", "))
	}
	if d["cases"] == nil {
		return nil, errors.New("neither a list nor an object with cases")
	}
	return d["cases"], nil
}

// name is what a vector is called in reports.
func name(v vector) string {
	for _, key := range []string{"name", "id"} {
		if text, ok := textOf(v[key]); ok {
			return text
		}
	}
	return "(without a name)"
}
