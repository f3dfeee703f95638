package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/check"
)

// atRecordings runs the test in the folder of the recordings, whose names the
// golden reports show.
func atRecordings(t *testing.T) {
	t.Helper()
	t.Chdir(filepath.Join("..", "..", "testdata", "recordings"))
}

// profileArgs name the profile beside a recording, if there is one.
func profileArgs(name string) []string {
	path := strings.TrimSuffix(name, filepath.Ext(name)) + ".profile"
	if _, err := os.Stat(path); err == nil {
		return []string{"--profile", path}
	}
	return nil
}

func TestCheckPrintsTheGoldenReports(t *testing.T) {
	atRecordings(t)
	golden, err := filepath.Glob(filepath.Join("golden", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, golden)
	for _, path := range golden {
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		ending := filepath.Ext(path)
		name := strings.TrimSuffix(filepath.Base(path), ending)
		args := append([]string{"check", name}, profileArgs(name)...)
		if ending == ".jsonl" {
			args = append(args, "--json")
		}
		code, out, errs := invoke(args...)
		assert.Equal(t, string(want), out, path)
		assert.Empty(t, errs)
		assert.Equal(t, strings.Contains(string(want), "✗") || strings.Contains(string(want), `"severity":"error"`), code == check.ExitWrong, path)
	}
}

func TestCheckExits(t *testing.T) {
	atRecordings(t)
	for args, want := range map[string]int{
		"clean.jsonl clean.sse":              check.ExitClean,
		"takeover.jsonl --strict":            check.ExitClean,
		"cut.sse":                            check.ExitClean,
		"cut.sse --strict":                   check.ExitWrong,
		"clean.jsonl hole.jsonl":             check.ExitWrong,
		"hole.jsonl nowhere.jsonl":           check.ExitUnreadable,
		".":                                  check.ExitUnreadable,
		"clean.jsonl --format sse --json":    check.ExitClean,
		"openai-like.profile --format jsonl": check.ExitWrong,
		"":                                   check.ExitUsage,
		"clean.jsonl --jsno":                 check.ExitUsage,
		"clean.jsonl --profile mood":         check.ExitUsage,
		"clean.jsonl --profile clean.sse":    check.ExitUsage,
		"--help":                             check.ExitClean,
	} {
		code, out, errs := invoke(append([]string{"check"}, strings.Fields(args)...)...)
		assert.Equal(t, want, code, "%s\n%s%s", args, out, errs)
		if want == check.ExitUsage {
			assert.Contains(t, errs, "tidemark check: ")
			assert.Empty(t, out)
		}
	}
}

func TestCheckSaysWhyItCannotRead(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "a.bin")
	require.NoError(t, os.WriteFile(binary, []byte("\x7fELF\x00\x00"), 0o644))
	_, out, errs := invoke("check", filepath.Join(dir, "none"), dir, binary)
	assert.Contains(t, errs, "none: there is no such file\n")
	assert.Contains(t, errs, ": it is a folder\n")
	assert.Contains(t, errs, "a.bin: it is no recording (binary data)\n")
	assert.Equal(t, "\n3 recordings: 3 unreadable\n", out)

	_, out, errs = invoke("check", "--json", dir)
	assert.Empty(t, errs)
	var line map[string]string
	require.NoError(t, json.Unmarshal([]byte(out), &line))
	assert.Equal(t, check.CauseDirectory, line["unreadable"])
}

func packed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestCheckUnpacksGzip(t *testing.T) {
	atRecordings(t)
	text, err := os.ReadFile("hole.jsonl")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "hole.jsonl.gz")
	require.NoError(t, os.WriteFile(path, packed(t, text), 0o644))
	_, plain, _ := invoke("check", "hole.jsonl")
	_, got, _ := invoke("check", path)
	assert.Equal(t, plain, strings.ReplaceAll(got, path, "hole.jsonl"))

	require.NoError(t, os.WriteFile(path, packed(t, text)[:200], 0o644))
	code, _, errs := invoke("check", path)
	assert.Equal(t, check.ExitUnreadable, code)
	assert.Contains(t, errs, "it could not be read (unexpected EOF)")
}

func TestCheckReadsStandardInput(t *testing.T) {
	atRecordings(t)
	for _, pack := range []bool{false, true} {
		text, err := os.ReadFile("hole.jsonl")
		require.NoError(t, err)
		if pack {
			text = packed(t, text)
		}
		var out, errs bytes.Buffer
		code := run([]string{"check", "-"}, console{bytes.NewReader(text), &out, &errs})
		assert.Equal(t, check.ExitWrong, code)
		assert.Contains(t, out.String(), "✗ standard input: 3 errors")
	}
}

// recordingServer answers with recordings, a stream that never ends, and errors.
func recordingServer(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/log", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "hole.jsonl") })
	mux.HandleFunc("/v1/sessions/s/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {\"type\":\"turn_started\",\"sessionId\":\"s\",\"turnId\":\"t\",\"seq\":6}\n\ndata: {\"ty")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/broken", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, `{"type":"session_started","sessionId":"s","seq":1}`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func TestCheckReadsAddresses(t *testing.T) {
	atRecordings(t)
	server := recordingServer(t)
	code, out, _ := invoke("check", server.URL+"/log")
	assert.Equal(t, check.ExitWrong, code)
	assert.Contains(t, out, "seq 10–11 are missing")

	code, _, errs := invoke("check", server.URL+"/none")
	assert.Equal(t, check.ExitUnreadable, code)
	assert.Contains(t, errs, "another status than 200 (404)")

	code, _, errs = invoke("check", server.URL+"/broken")
	assert.Equal(t, check.ExitUnreadable, code)
	assert.Contains(t, errs, "unexpected EOF")

	server.Close()
	code, _, errs = invoke("check", server.URL)
	assert.Equal(t, check.ExitUnreadable, code)
	assert.Contains(t, errs, "the connection failed")
}

// What is being followed when the time is over is not held to have ended.
func TestCheckStopsWhenTheTimeIsOver(t *testing.T) {
	server := recordingServer(t)
	code, out, errs := invoke("check", "--for", "300ms", server.URL+"/v1/sessions/s/events?cursor=s:5")
	assert.Equal(t, check.ExitClean, code, errs)
	assert.Contains(t, out, "✓ "+server.URL)
	assert.NotContains(t, out, "unfinished_turn")
	assert.NotContains(t, out, "stops inside a frame")
}

// Ctrl-C ends the reading, not the report: after the answer and before it.
func TestCheckStopsPolitelyWhenInterrupted(t *testing.T) {
	t.Run("answered", func(t *testing.T) { stopsPolitely(t, true) })
	t.Run("unanswered", func(t *testing.T) { stopsPolitely(t, false) })
}

func stopsPolitely(t *testing.T, answer bool) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answer {
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
		}
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Signal(os.Interrupt)
		}
		assert.NoError(t, err)
		<-r.Context().Done()
	}))
	defer server.Close()
	code, out, errs := invoke("check", server.URL+"/v1/sessions/s/events", "never-read.jsonl")
	assert.Equal(t, check.ExitClean, code, errs)
	assert.Contains(t, out, "✓ "+server.URL)
	assert.Empty(t, errs)
}

func TestNoColoursWhereNobodyLooks(t *testing.T) {
	colour, width := terminal(&bytes.Buffer{})
	assert.False(t, colour)
	assert.Equal(t, usualWidth, width)
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer file.Close()
	assert.False(t, isTerminal(file))
}
