package check_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/check"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// run reads a whole recording, cut into chunks of at most size bytes (0: one).
func run(o check.Options, text string, size int) ([]check.Finding, check.Summary) {
	c := check.New(o)
	var found []check.Finding
	drain := func() {
		for f, ok := c.Next(); ok; f, ok = c.Next() {
			found = append(found, f)
		}
	}
	rest := []byte(text)
	for len(rest) > 0 {
		n := len(rest)
		if size > 0 {
			n = min(size, n)
		}
		chunk := rest[:n]
		for len(chunk) > 0 {
			chunk = chunk[c.Write(chunk):]
			drain()
		}
		rest = rest[n:]
	}
	c.Close()
	drain()
	return found, c.Summary()
}

// brief writes a finding in one line, for tables: kind, session, numbers, place.
func brief(f check.Finding) string {
	parts := []string{f.Kind.String()}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+value)
		}
	}
	num := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	add("", f.Session)
	add("expected ", num(int64(f.Expected)))
	add("found ", num(int64(f.Found)))
	if f.Through != f.Found {
		add("through ", num(int64(f.Through)))
	}
	add("turn ", f.Turn)
	add("entry ", num(int64(f.Place.Entry)))
	add("line ", num(f.Place.Line))
	return strings.Join(parts, ", ")
}

func briefs(found []check.Finding) []string {
	list := []string{}
	for _, f := range found {
		list = append(list, brief(f))
	}
	return list
}

const recordingsFolder = "../../testdata/recordings"

// recordings are the names of all recordings with their bytes.
func recordings(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(recordingsFolder, "*.*"))
	require.NoError(t, err)
	all := map[string]string{}
	for _, path := range files {
		if filepath.Ext(path) == ".profile" {
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		all[filepath.Base(path)] = string(text)
	}
	require.NotEmpty(t, all)
	return all
}

// optionsFor are the options that a recording is meant to be read with: those of
// the profile beside it, if there is one.
func optionsFor(t testing.TB, name string) check.Options {
	t.Helper()
	o := check.Options{Name: name}
	path := filepath.Join(recordingsFolder, strings.TrimSuffix(name, filepath.Ext(name))+".profile")
	if text, err := os.ReadFile(path); err == nil {
		o.Profile, err = profile.Parse(text)
		require.NoError(t, err)
	}
	return o
}
