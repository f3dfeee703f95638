package abi

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCounts(t *testing.T) {
	h := newHost(t, `{"sessions":["a","b"]}`)
	const none = `19 {"duplicates":0,"resyncs":0,"lag":{}}`
	assert.Equal(t, []string{none}, h.give(15, `{}`), "before the start")
	h.give(1, `{}`)
	h.give(2, `{"status":200,"contentType":"text/event-stream"}`)
	h.feed("event: tidemark.head\ndata: {\"sessionId\":\"a\",\"lastSeq\":5,\"oldestSeq\":1}\n\n" + recordedOf("a", 1) + recordedOf("a", 2))
	assert.Equal(t, []string{`19 {"duplicates":0,"resyncs":0,"lag":{"a":3}}`}, h.give(15, `{}`), "b has no head")
	h.feed(recordedOf("a", 1) + recordedOf("a", 2) + recordedOf("a", 5))
	assert.Equal(t, []string{`19 {"duplicates":2,"resyncs":1,"lag":{"a":3}}`}, h.give(15, `{}`), "of the head before, until there is another")
	h.give(7, `{}`)
	assert.Equal(t, []string{`19 {"duplicates":2,"resyncs":1,"lag":{"a":3}}`}, h.give(15, `{}`), "after the end")
}

func recordedOf(session string, seq int) string {
	return "data: {\"type\":\"m\",\"sessionId\":\"" + session + "\",\"seq\":" + string(rune('0'+seq)) + "}\n\n"
}
