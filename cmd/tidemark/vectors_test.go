package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVectors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	good := write("good.json", `[{"name": "good", "token": "s1:4", "expect": {"seq": 4}}, {"id": "API-1", "kind": "api"}]`)
	bad := write("bad.json", `[{"name": "bad", "token": "s1:4", "expect": {"seq": 5}}]`)
	empty := t.TempDir()
	for name, c := range map[string]struct {
		args []string
		exit int
		out  []string // parts of the output
		last string   // its last line
		err  string
	}{
		"passed and skipped": {[]string{good}, exitOK, nil, "1 passed, 0 failed, 1 skipped", ""},
		"failed":             {[]string{good, bad}, exitFound, []string{"bad.json: bad", `expected {"seq":5}`, `"seq":4`}, "1 passed, 1 failed, 1 skipped", ""},
		"a folder":           {[]string{dir}, exitFound, []string{"bad.json: bad"}, "1 passed, 1 failed, 1 skipped", ""},
		"an empty folder":    {[]string{empty}, exitFound, []string{empty}, "0 passed, 1 failed, 0 skipped", ""},
		"no such path":       {[]string{filepath.Join(empty, "x")}, exitFound, []string{"no such file"}, "0 passed, 1 failed, 0 skipped", ""},
		"no path":            {nil, exitUsage, nil, "", "usage: tidemark vectors"},
		"an unknown flag":    {[]string{"--fast", good}, exitUsage, nil, "", "fast"},
		"help":               {[]string{"--help"}, exitOK, []string{"usage: tidemark vectors", "examples:"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out, err strings.Builder
			require.Equal(t, c.exit, run(append([]string{"vectors"}, c.args...), console{strings.NewReader(""), &out, &err}))
			for _, part := range c.out {
				require.Contains(t, out.String(), part)
			}
			if c.last != "" {
				require.True(t, strings.HasSuffix(out.String(), "\n"+c.last+"\n") || out.String() == c.last+"\n", out.String())
			}
			require.Contains(t, err.String(), c.err)
		})
	}
}
