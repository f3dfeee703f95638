package sse

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

type sseCase struct {
	ID             string
	Kind, Fault    string
	Source         json.RawMessage
	CheckBeforeEOF bool `json:"check_before_eof"`
	Input          struct {
		Encoding string
		Chunks   []string
		Expand   []struct {
			Text  string
			Times int
		} `json:"chunk_expand"`
		Then []string `json:"then_new_connection_chunks"`
	}
	Expected struct {
		Messages []caseMessage `json:"expected_messages"`
		Last     string        `json:"expected_last_event_id"`
		Retry    *int64        `json:"expected_retry"`
		Tail     bool          `json:"expected_incomplete_tail"`
		Comments *int64        `json:"expected_comment_count"`
		Then     []caseMessage `json:"then_expected_messages"`
	}
}

type caseMessage struct {
	Event  string  `json:"event"`
	ID     *string `json:"id"`
	Data   string  `json:"data"`
	Length int     `json:"data_length"`
	SHA256 string  `json:"data_sha256"`
	Last   string  `json:"last_event_id"`
	Retry  *int64  `json:"retry"`
}

func TestCases(t *testing.T) {
	text, err := os.ReadFile("../../testdata/cases/sse.json")
	require.NoError(t, err)
	var cases []sseCase
	in := json.NewDecoder(strings.NewReader(string(text)))
	in.DisallowUnknownFields()
	require.NoError(t, in.Decode(&cases))
	require.NotEmpty(t, cases)
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) { c.check(t) })
	}
}

func (c *sseCase) check(t *testing.T) {
	chunks := c.chunks(t, c.Input.Chunks)
	for _, e := range c.Input.Expand {
		chunks = append(chunks, []byte(strings.Repeat(e.Text, e.Times)))
	}
	c.compare(t, run(t, 0, chunks...))
	if len(c.Input.Expand) == 0 {
		c.compare(t, sameOnEverySplit(t, string(join(chunks)), 0))
	}
	if c.Input.Then != nil {
		c.messages(t, c.Expected.Then, run(t, 0, c.chunks(t, c.Input.Then)...).Messages)
	}
}

func (c *sseCase) compare(t *testing.T, got trace) {
	c.messages(t, c.Expected.Messages, got.Messages)
	require.Equal(t, c.Expected.Last, text(got.Last))
	require.Equal(t, c.Expected.Retry, retryOf(got.Retry))
	if !c.CheckBeforeEOF {
		require.Equal(t, c.Expected.Tail, got.Tail)
	}
	if c.Expected.Comments != nil {
		require.Equal(t, *c.Expected.Comments, got.Comments)
	}
}

func (c *sseCase) messages(t *testing.T, want []caseMessage, got []message) {
	require.Len(t, got, len(want))
	for i, w := range want {
		g := got[i]
		m := caseMessage{Event: "message", Data: text(g.Data), Last: text(g.Last), Retry: retryOf(g.Retry)}
		if g.Event != "" {
			m.Event = text(g.Event)
		}
		if g.HasID {
			id := text(g.ID)
			m.ID = &id
		}
		if w.SHA256 != "" {
			sum := sha256.Sum256([]byte(m.Data))
			m.Data, m.Length, m.SHA256 = "", len(m.Data), hex.EncodeToString(sum[:])
		}
		require.Equal(t, w, m)
	}
}

func (c *sseCase) chunks(t *testing.T, texts []string) (chunks [][]byte) {
	for _, s := range texts {
		b := []byte(s)
		if c.Input.Encoding == "base64" {
			var err error
			b, err = base64.StdEncoding.DecodeString(s)
			require.NoError(t, err)
		}
		chunks = append(chunks, b)
	}
	return chunks
}

func retryOf(ms int64) *int64 {
	if ms < 0 {
		return nil
	}
	return &ms
}

// text is what a reader that wants text makes of bytes.
func text(s string) string { return string(rawjson.ReplaceInvalid(nil, []byte(s))) }

func join(chunks [][]byte) (whole []byte) {
	for _, c := range chunks {
		whole = append(whole, c...)
	}
	return whole
}
