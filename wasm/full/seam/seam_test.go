package seam_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/wasm/full/seam"
)

// host stands in for the shell around the module.
type host struct {
	t *testing.T
	seam.Module
}

func (h *host) put(text string) int { return copy(h.Input(len(text)), text) }

func (h *host) open(options string) int32 {
	h.t.Helper()
	handle := h.Open(h.put(options))
	require.Positive(h.t, handle, "%s", h.Output())
	return handle
}

func (h *host) read(handle int32, lines ...string) {
	h.t.Helper()
	for _, l := range lines {
		require.Zero(h.t, h.Write(handle, seam.OfLog, h.put(l+"\n")))
	}
	require.Zero(h.t, h.End(handle))
}

// text is a list of a log, or the rule of its fault.
func (h *host) text(handle, what int32) string {
	var answer struct {
		OK    json.RawMessage
		Fault struct{ Rule string }
	}
	h.Text(handle, what, 0)
	require.NoError(h.t, json.Unmarshal(h.Output(), &answer))
	if answer.OK == nil {
		return answer.Fault.Rule
	}
	return string(answer.OK)
}

func line(seq int, rest string) string {
	return fmt.Sprintf(`{"v":1,"type":"%s,"seq":%d,"gen":1,"ts":"2026-01-01T00:00:%02d.000Z"}`, rest, seq, seq)
}

var log = []string{
	line(1, `session_started","sessionId":"s1"`),
	line(2, `message","messageId":"m1","spill":{"path": "a"}`),
	line(3, `decision_requested","turnId":"t1","decisionId":"d1","checkpointId":"c1","request":{"type":"question","n":9007199254740993}`),
}

func TestReports(t *testing.T) {
	h := &host{t: t}
	handle := h.open(`{"digest":true}`)
	h.read(handle, append(log, "{")...)
	r, err := h.Report(handle, 5)
	require.NoError(t, err)
	assert.EqualValues(t, 4, r.Records)
	assert.Equal(t, "d1", *r.Pending)
	require.Len(t, r.Findings, 1)
	assert.Equal(t, "durable.bad_record", r.Findings[0].Rule)
	assert.Len(t, r.Digest.SHA256, 64)
	assert.Contains(t, h.text(handle, seam.TextParks), `[{"state":"outstanding",`)
	assert.Contains(t, h.text(handle, seam.TextParks), `"request":{"type":"question","n":9007199254740993}`)
	h.Close(handle)
	_, err = h.Report(handle, 5)
	require.ErrorIs(t, err, fault.BadHandle)
}

func TestAStateGoesOn(t *testing.T) {
	h := &host{t: t}
	first := h.open(`{}`)
	h.read(first, log...)
	state := h.text(first, seam.TextState)
	assert.Contains(t, state, "9007199254740993", "no number went through a double")
	second := h.open(`{"state":` + state + `}`)
	h.read(second)
	assert.Equal(t, state, h.text(second, seam.TextState))
}

func TestSpilledBodies(t *testing.T) {
	h := &host{t: t}
	handle := h.open(`{"through":3,"watch":"m1"}`)
	h.read(handle, log...)
	assert.Equal(t, `[{"path": "a"}]`, h.text(handle, seam.TextSpills))
	assert.Equal(t, "durable.spill_missing", h.text(handle, seam.TextMessages))
	assert.EqualValues(t, -1, h.Spilled(handle, 1, 0))
	require.Zero(t, h.Spilled(handle, 0, h.put(`"body"`)))
	assert.Equal(t, `[{"id":"m1","summary":false,"content":"body"}]`, h.text(handle, seam.TextMessages))
	assert.Equal(t, `"body"`, h.text(handle, seam.TextIntent))
	assert.Equal(t, "null", h.text(handle, seam.TextState))
}

// committed is a log with a checkpoint over its first records, and the document.
func committed() (lines []string, document string) {
	var c checkpoint.Chain
	for _, l := range log {
		c.Add([]byte(l))
	}
	d := checkpoint.Document{CheckpointID: "c1", SessionID: "s1", ThroughSeq: c.Seq(), ThroughSHA256: c.Sum(), State: checkpoint.State{TurnID: "t1"}}
	text := d.AppendJSON(nil)
	written := line(4, fmt.Sprintf(`checkpoint_written","turnId":"t1","checkpointId":"c1","sha256":"%s","throughSeq":3,"throughSha256":"%s"`, checkpoint.SumOf(text), c.Sum()))
	return append(append([]string{}, log...), written), string(text)
}

// each thing that is altered is named apart, with the record in the log or
// given beside it.
func TestVerification(t *testing.T) {
	lines, document := committed()
	changed := append([]string{lines[0], line(2, `message","messageId":"m1","spill":{"path": "b"}`)}, lines[2:]...)
	for name, c := range map[string]struct {
		options, document, written string
		log                        []string
		want                       error
	}{
		"in the log":      {`{"verify":true}`, document, "", lines, nil},
		"beside the log":  {`{"verify":true}`, document, lines[3], lines[:3], nil},
		"by its name":     {`{"verify":true,"checkpointId":"c1"}`, document, "", lines, nil},
		"another name":    {`{"verify":true,"checkpointId":"c2"}`, document, "", lines, fault.UnknownCheckpoint},
		"other than said": {`{"verify":true,"checkpointId":"c2"}`, document, lines[3], lines[:3], fault.ReceiptAltered},
		"document":        {`{"verify":true}`, document + " ", "", lines, fault.DocumentAltered},
		"no document":     {`{"verify":true}`, "{}", "", lines, fault.BadDocument},
		"prefix":          {`{"verify":true}`, document, "", changed, fault.PrefixAltered},
		"prefix, beside":  {`{"verify":true}`, document, lines[3], changed[:3], fault.PrefixAltered},
		"log too short":   {`{"verify":true}`, document, lines[3], lines[:2], fault.PrefixAltered},
		"no record":       {`{"verify":true}`, document, "", lines[:3], fault.UnknownCheckpoint},
		"record damaged":  {`{"verify":true}`, document, lines[3][1:], lines[:3], fault.ReceiptAltered},
	} {
		h := &host{t: t}
		handle := h.open(c.options)
		require.Zero(t, h.Write(handle, seam.OfDocument, h.put(c.document)))
		if c.written != "" {
			require.Zero(t, h.Write(handle, seam.OfWritten, h.put(c.written)))
		}
		h.read(handle, c.log...)
		proven, err := h.Verified(handle)
		if c.want != nil {
			require.ErrorIs(t, err, c.want, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, "c1", proven.CheckpointID, name)
	}
}

// What has a name is there, and what is there has a name.
func TestNamesAreThoseOfWhatThereIs(t *testing.T) {
	h := &host{t: t}
	handle := h.open(`{"verify":true}`)
	for n := range int32(64) {
		named := func(names []string) bool { return int(n) < len(names) && names[n] != "" }
		assert.Equal(t, named(seam.OfNames), h.Write(handle, n, h.put("{}")) == 0, "bytes of %d", n)
		h.Text(handle, n, 0)
		assert.Equal(t, named(seam.TextNames), !strings.Contains(string(h.Output()), `"found":"another number"`), "text %d", n)
	}
}

func TestDecisions(t *testing.T) {
	h := &host{t: t}
	d, err := h.Decision(h.put(`{"action":"modify_tools","modifications":[{"n":9007199254740993}]}`))
	require.NoError(t, err)
	assert.True(t, d.Approves)
	assert.Equal(t, []string{`{"n":9007199254740993}`}, d.Modifications)
	d, err = h.Decision(h.put(`{"action":"dance"}`))
	require.NoError(t, err)
	assert.False(t, d.Known || d.Approves)
	_, err = h.Decision(h.put(`{}`))
	require.ErrorIs(t, err, fault.BadDecision)
	keys, err := h.Keys("bash", h.put(`{"b":1,"a":2}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"bash", `bash:{"a":2,"b":1}`}, keys)
	_, err = h.Keys("", h.put(`{}`))
	require.ErrorIs(t, err, fault.BadInput)
}

func TestListings(t *testing.T) {
	h := &host{t: t}
	run := func(tenant, id string) listing.Run {
		return listing.Run{
			RunScope:    listing.RunScope{TenantID: tenant, ProjectID: "p", SessionID: "s", RunID: id},
			Checkpoints: []listing.Checkpoint{{ID: "c", CreatedAt: 1}},
		}
	}
	handle, err := h.OpenRuns([]listing.Run{run("b", "r"), run("a", "r"), run("a", "q")})
	require.NoError(t, err)
	page, err := h.Page(handle, listing.Scope{TenantID: "a"}, listing.Options{Limit: 1})
	require.NoError(t, err)
	assert.Equal(t, "q", page.Entries[0].RunID)
	page, err = h.Page(handle, listing.Scope{TenantID: "a"}, listing.Options{Limit: 1, Page: *page.Page})
	require.NoError(t, err)
	assert.Equal(t, "a", page.Entries[0].TenantID, "of two tenants with the same run, the one that was asked for")
	assert.Nil(t, page.Page)
	_, err = h.Page(handle, listing.Scope{SessionID: "s"}, listing.Options{})
	require.ErrorIs(t, err, fault.ScopeHole)
	h.CloseRuns(handle)
	_, err = h.Page(handle, listing.Scope{TenantID: "a"}, listing.Options{})
	require.ErrorIs(t, err, fault.BadHandle)
	_, err = h.OpenRuns([]listing.Run{run("", "r")})
	require.ErrorIs(t, err, fault.ScopeHole)
	folder := h.OpenFolder(listing.Scope{}, nil)
	_, err = h.Page(folder, listing.Scope{TenantID: "a"}, listing.Options{})
	require.ErrorIs(t, err, fault.NoAttribution)
}

func TestBadHandlesAndArguments(t *testing.T) {
	h := &host{t: t}
	assert.EqualValues(t, -1, h.Write(1, seam.OfLog, 0))
	assert.EqualValues(t, -1, h.End(1))
	assert.EqualValues(t, -1, h.Spilled(1, 0, 0))
	assert.Equal(t, "stream.bad_handle", h.text(1, seam.TextParks))
	for _, options := range []string{"", "[]", `{"colour":1}`, `{"through":0}`, `{"digest":1}`} {
		assert.Zero(t, h.Open(h.put(options)), options)
		assert.Contains(t, string(h.Output()), "stream.invalid_options", options)
	}
	assert.Zero(t, h.Open(1<<30))
	handle := h.open(`{}`)
	assert.EqualValues(t, -1, h.Write(handle, seam.OfDocument, h.put("{}")), "nothing is to be verified")
	assert.EqualValues(t, -1, h.Write(handle, 9, 0))
	assert.EqualValues(t, -1, h.Write(handle, seam.OfLog, -1))
	assert.Equal(t, "stream.bad_input", h.text(handle, 99))
	assert.Equal(t, "stream.bad_input", h.text(handle, seam.TextMessages), "no context was asked for")
	_, err := h.Verified(handle)
	assert.ErrorIs(t, err, fault.BadHandle)
	for _, now := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1 << 60} {
		_, err = h.Report(handle, now)
		assert.ErrorIs(t, err, fault.BadInput, now)
		h.Text(handle, seam.TextParks, now)
		assert.Contains(t, string(h.Output()), `"expected":"now: milliseconds since 1970"`, now)
	}
}
