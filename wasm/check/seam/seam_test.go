package seam_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/check"
	"github.com/tidemark-stream/tidemark/wasm/check/seam"
)

const recordings = "../../../testdata/recordings"

// host stands in for the script around the module.
type host struct {
	t *testing.T
	seam.Module
}

func (h *host) put(text string) int { return copy(h.Input(len(text)), text) }

func (h *host) args(args ...string) map[string]any {
	h.t.Helper()
	raw, err := json.Marshal(map[string]any{"args": args, "width": 100, "colour": false})
	require.NoError(h.t, err)
	h.Args(h.put(string(raw)))
	var plan map[string]any
	require.NoError(h.t, json.Unmarshal(h.Output(), &plan))
	return plan
}

// said is the answer whose length is n.
func (h *host) said(n int) string {
	h.t.Helper()
	require.Len(h.t, h.Output(), n)
	return string(h.Output())
}

// read checks one recording in pieces of size bytes.
func (h *host) read(name, text string, size int) string {
	h.t.Helper()
	raw, _ := json.Marshal(map[string]string{"name": name})
	handle := h.Open(h.put(string(raw)))
	require.Positive(h.t, handle)
	var out strings.Builder
	for len(text) > 0 {
		n := min(size, len(text))
		out.WriteString(h.said(h.Write(handle, h.put(text[:n]))))
		text = text[n:]
	}
	out.WriteString(h.said(h.Close(handle, false, false)))
	return out.String()
}

func TestTheModulePrintsTheGoldenReports(t *testing.T) {
	golden, err := filepath.Glob(filepath.Join(recordings, "golden", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, golden)
	for _, path := range golden {
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		ending := filepath.Ext(path)
		name := strings.TrimSuffix(filepath.Base(path), ending)
		text, err := os.ReadFile(filepath.Join(recordings, name))
		require.NoError(t, err)
		args := []string{name}
		if ending == ".jsonl" {
			args = append(args, "--json")
		}
		h := &host{t: t}
		profile, err := os.ReadFile(filepath.Join(recordings, strings.TrimSuffix(name, filepath.Ext(name))+".profile"))
		if err == nil {
			args = append(args, "--profile", "p")
		}
		plan := h.args(args...)
		if plan["profileFile"] != nil {
			raw, _ := json.Marshal(map[string]string{"text": string(profile)})
			assert.Zero(t, h.Profile(h.put(string(raw))))
		}
		assert.Equal(t, string(want), h.read(name, string(text), 1000), path)
		assert.EqualValues(t, seam.Out, h.To())
	}
}

func TestArguments(t *testing.T) {
	h := &host{t: t}
	assert.Equal(t, map[string]any{"sources": []any{"a", "-"}, "millis": 2000.0, "json": true}, h.args("a", "--for", "2s", "--json", "-"))
	assert.Equal(t, map[string]any{"sources": []any{"a"}, "millis": 0.0, "json": false}, h.args("a", "--profile", "run"))
	assert.Equal(t, "f.json", h.args("a", "--profile", "f.json")["profileFile"])
	assert.Equal(t, map[string]any{"print": check.Usage}, h.args("--help"))
	assert.Equal(t, map[string]any{"problem": check.Problem("check", "there is no flag --x")}, h.args("--x"))
}

func TestProfiles(t *testing.T) {
	h := &host{t: t}
	h.args("a", "--profile", "f.json")
	assert.Contains(t, h.said(h.Profile(h.put(`{}`))), "--profile f.json: it is neither session")
	assert.EqualValues(t, seam.Err, h.To())
	assert.Contains(t, h.said(h.Profile(h.put(`{"detail":"no rights"}`))), "no rights")
	assert.Contains(t, h.said(h.Profile(h.put(`{"text":"{"}`))), "stream.invalid_profile")
	assert.Zero(t, h.Profile(h.put(`{"text":"{\"base\":0}"}`)))
}

func TestExitCodes(t *testing.T) {
	clean := `{"type":"session_started","sessionId":"s","seq":1}`
	hole := clean + "\n" + `{"type":"memory_consolidated","sessionId":"s","seq":3}`
	h := &host{t: t}
	h.args("a", "b")
	h.read("a", clean, 10)
	assert.Zero(t, h.Exit())
	assert.Zero(t, h.Total())
	h.read("b", hole, 10)
	assert.EqualValues(t, 1, h.Exit())
	assert.Equal(t, "\n2 recordings: 1 clean, 1 with errors\n", h.said(h.Total()))
	text := h.said(h.Trouble(h.put(`{"name":"c","cause":"not_found"}`)))
	assert.Contains(t, text, "c: there is no such file")
	assert.EqualValues(t, seam.Err, h.To())
	assert.EqualValues(t, 3, h.Exit())
	h.args("a")
	assert.Zero(t, h.Exit(), "another call begins anew")
}

// A recording that breaks off is reported as far as it came, and counts once.
func TestARecordingThatBreaksOff(t *testing.T) {
	for text, told := range map[string]bool{`{"type":"session_started","sessionId":"s","seq":1}`: false, "<html>": true} {
		h := &host{t: t}
		h.args("a")
		handle := h.Open(h.put(`{"name":"a"}`))
		h.Write(handle, h.put(text))
		report := h.said(h.Close(handle, false, true))
		trouble := h.said(h.Trouble(h.put(`{"name":"a","cause":"other","detail":"gone"}`)))
		assert.Equal(t, told, strings.Contains(report, "it is no recording"))
		assert.Equal(t, told, trouble == "")
		assert.EqualValues(t, check.ExitUnreadable, h.Exit())
		assert.Zero(t, h.Total(), "one recording")
	}
}

func TestContentTypesTellTheFormat(t *testing.T) {
	h := &host{t: t}
	h.args("a", "--quiet")
	handle := h.Open(h.put(`{"name":"a","contentType":"text/event-stream"}`))
	h.Write(handle, h.put("what is this\n\n"))
	assert.Equal(t, "✓ a: nothing is missing, doubled or out of order\n", h.said(h.Close(handle, true, false)))
	h.args("a", "--quiet", "--format", "jsonl")
	handle = h.Open(h.put(`{"name":"a","contentType":"text/event-stream"}`))
	h.Write(handle, h.put("what is this\n\n"))
	assert.Equal(t, "✗ a: 1 error\n", h.said(h.Close(handle, false, false)))
}

func TestBadHandlesAndArgumentsGetAnAnswer(t *testing.T) {
	h := &host{t: t}
	assert.Equal(t, -1, h.Write(0, 0))
	assert.Equal(t, -1, h.Close(9, false, false))
	for _, text := range []string{"", "{", "[]", "7", `{"args":7,"width":"x","colour":0,"name":1}`} {
		n := h.put(text)
		h.Args(n)
		assert.Contains(t, string(h.Output()), "name at least one recording")
		assert.Positive(t, h.Trouble(h.put(text)))
		assert.Positive(t, h.Open(h.put(text)))
		assert.Positive(t, h.Explain(h.put(text)))
	}
	handle := h.Open(h.put("{}"))
	assert.Equal(t, -1, h.Write(handle, 1<<30))
	assert.Equal(t, -1, h.Write(handle, -1))
}

func TestExplain(t *testing.T) {
	h := &host{t: t}
	assert.Contains(t, h.said(h.Explain(h.put(`{"args":["stream.gap.hole"]}`))), "stream.gap.hole\n")
	assert.EqualValues(t, seam.Out, h.To())
	assert.Contains(t, h.said(h.Explain(h.put(`{"args":["mood"]}`))), "tidemark explain: there is no rule")
	assert.EqualValues(t, seam.Err, h.To())
}
