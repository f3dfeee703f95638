package check_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/check"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestTheFormatIsTold(t *testing.T) {
	long := strings.Repeat("x", 3000)
	cases := []struct {
		name, text string
		want       check.Format
		found      string // when it is no recording
	}{
		{"a.jsonl", "", check.JSONL, ""},
		{"a.har", "", check.HAR, ""},
		{"", "", check.JSONL, ""},
		{"", "\n\n  {\"type\":\"x\"}", check.JSONL, ""},
		{"", "\xEF\xBB\xBF{\"type\":\"x\"}", check.JSONL, ""},
		{"", `{"log":{"entries":[]}}`, check.HAR, ""},
		{"", "{\n  \"log\" : {\n", check.HAR, ""},
		{"a.jsonl", `{"log":{"entries":[]}}`, check.JSONL, ""},
		{"", `{"logs":1}`, check.JSONL, ""},
		{"a.har", `{"comment":"","log":{}}`, check.HAR, ""},
		{"A.HAR.GZ", `{"comment":"","log":{}}`, check.HAR, ""},
		{"", "data: x\n\n", check.SSE, ""},
		{"", "id\ndata\n\n", check.SSE, ""},
		{"", ": hello\n\n", check.SSE, ""},
		{"", "event: " + long, check.SSE, ""},
		{"", "HTTP/1.1 200 OK\r\n\r\ndata: x\n\n", check.SSE, ""},
		{"a.sse", "retri: 1\n", check.SSE, ""},
		{"a.jsonl", "what", check.JSONL, ""},
		{"", "what is this", check.Auto, "text of another kind"},
		{"", "[{\"type\":\"x\"}]", check.Auto, "a JSON array"},
		{"", "<!doctype html>", check.Auto, "HTML or XML"},
		{"a.jsonl", "\x1f\x8b\x08\x00", check.Auto, "gzip data"},
		{"", "PK\x03\x04....", check.Auto, "a zip archive"},
		{"", "\xff\xfe{\x00", check.Auto, "UTF-16 text"},
		{"", "\x7fELF\x02\x01", check.Auto, "binary data"},
		{"", "{\"seq\":1}\n\x00\x00\x00", check.JSONL, ""},
	}
	for _, c := range cases {
		for _, size := range []int{1, 5000} {
			k := check.New(check.Options{Name: c.name})
			for rest := []byte(c.text); len(rest) > 0; {
				n := min(size, len(rest))
				require.Equal(t, n, k.Write(rest[:n]))
				rest = rest[n:]
			}
			k.Close()
			assert.Equal(t, c.want, k.Format(), "%s %q", c.name, c.text)
			if c.found == "" {
				assert.Nil(t, k.Fault())
				continue
			}
			require.NotNil(t, k.Fault())
			assert.ErrorIs(t, k.Fault(), fault.BadInput)
			assert.Equal(t, c.found, k.Fault().Found)
			_, more := k.Next()
			assert.False(t, more)
		}
	}
}

func TestAFormatThatIsNamedIsTaken(t *testing.T) {
	k := check.New(check.Options{Format: check.SSE, Name: "a.har"})
	k.Write([]byte("what is this"))
	k.Close()
	k.Close()
	assert.Equal(t, check.SSE, k.Format())
	assert.Nil(t, k.Fault())
	k.Write([]byte("more"))
	assert.EqualValues(t, 16, k.Summary().Bytes)
}
