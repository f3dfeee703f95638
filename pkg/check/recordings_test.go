package check_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/check"
)

var update = flag.Bool("update", false, "write the golden reports of testdata/recordings anew")

// report is everything that is printed about a recording.
func report(o check.Options, s check.Style, text string, cut func(left int) int) string {
	r := check.NewReport(o, s)
	var out []byte
	for rest := []byte(text); len(rest) > 0; {
		n := cut(len(rest))
		out = append(out, r.Write(rest[:n])...)
		rest = rest[n:]
	}
	return string(append(out, r.Close(false)...))
}

func whole(left int) int { return left }

// The texts that are printed are compared as they stand, so that a change of any
// word or number shows. The command lines in Go and in Node print the same files.
func TestRecordingsPrintTheirGoldenReports(t *testing.T) {
	for name, text := range recordings(t) {
		for ending, style := range map[string]check.Style{
			".txt":   {Width: 100, Max: 10},
			".jsonl": {JSON: true},
		} {
			path := filepath.Join(recordingsFolder, "golden", name+ending)
			got := report(optionsFor(t, name), style, text, whole)
			if *update {
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err, "run the test with -update and look at the difference")
			assert.Equal(t, string(want), got, path)
		}
	}
}

func TestEveryGoldenHasItsRecording(t *testing.T) {
	all := recordings(t)
	files, err := filepath.Glob(filepath.Join(recordingsFolder, "golden", "*"))
	require.NoError(t, err)
	assert.Len(t, files, 2*len(all))
}

// R-160, for logs and HAR files as well.
func TestHowBytesAreCutChangesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	cuts := map[string]func(left int) int{
		"byte by byte": func(int) int { return 1 },
		"three":        func(left int) int { return min(3, left) },
		"random":       func(left int) int { return 1 + random.IntN(min(left, 200)) },
		"large":        func(left int) int { return 1 + random.IntN(min(left, 5000)) },
	}
	for name, text := range recordings(t) {
		want := report(optionsFor(t, name), check.Style{JSON: true}, text, whole)
		for how, cut := range cuts {
			assert.Equal(t, want, report(optionsFor(t, name), check.Style{JSON: true}, text, cut), "%s, %s", name, how)
		}
	}
}

// small leaves out what would take long to read at each of its bytes.
func small(all map[string]string) map[string]string {
	few := map[string]string{}
	for name, text := range all {
		if len(text) < 4100 {
			few[name] = text
		}
	}
	return few
}

func TestEverySplitInTwo(t *testing.T) {
	for name, text := range small(recordings(t)) {
		o := optionsFor(t, name)
		want := report(o, check.Style{JSON: true}, text, whole)
		for at := 1; at < len(text); at++ {
			got := report(o, check.Style{JSON: true}, text, func(left int) int {
				if left == len(text) {
					return at
				}
				return left
			})
			require.Equal(t, want, got, "%s, cut at %d", name, at)
		}
	}
}

// bad input never panics. And where a recording is cut changes nothing
// about what came before; only a run of repeats ends early.
func TestEveryTruncation(t *testing.T) {
	for name, text := range small(recordings(t)) {
		o := optionsFor(t, name)
		all, _ := run(o, text, 0)
		for at := range len(text) {
			c := check.New(o)
			found := stopped(c, text[:at])
			for i, f := range found {
				if i+1 < len(found) {
					require.Equal(t, all[i].Kind, f.Kind, "%s, cut at %d", name, at)
				}
			}
			require.EqualValues(t, at, c.Summary().Bytes)
			run(o, text[:at], 0)
		}
	}
}

// stopped are the findings of a reading that was stopped.
func stopped(c *check.Checker, text string) (found []check.Finding) {
	for rest := []byte(text); len(rest) > 0; {
		rest = rest[c.Write(rest):]
		for f, ok := c.Next(); ok; f, ok = c.Next() {
			found = append(found, f)
		}
	}
	c.Stop()
	for f, ok := c.Next(); ok; f, ok = c.Next() {
		found = append(found, f)
	}
	return found
}
