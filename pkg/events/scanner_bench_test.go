package events

import (
	"fmt"
	"strings"
	"testing"
)

// traffic is what a busy session sends: small deltas, records of a
// few hundred bytes, and long messages and results with escapes. An
// event has about 500 bytes on average.
func traffic() [][]byte {
	const ids = `"sessionId":"01JB4M5T9Q8RZX2V7K3N6P0WYC","turnId":"01JB4M5TB2E5H8D1F4G7J0KMNS"`
	var all [][]byte
	add := func(format string, args ...any) { all = append(all, fmt.Appendf(nil, format, args...)) }
	seq := 4_000
	for i := range 64 {
		const delta = `{"type":"text_delta",%s,"messageId":"01JB4M5TC7X","iteration":3,"delta":"%s","index":%d,"timestamp":17645%08d}`
		for j := range 2 {
			add(delta, ids, [...]string{" and then the", " reader", "\\n\\n", " takes", " what it owes", " — né"}[(i+j)%6], i*2+j, i*91+j)
		}
		seq++
		switch i % 4 {
		case 0:
			add(`{"type":"token_usage_updated",%s,"seq":%d,"generation":7,"timestamp":17645%08d,"usage":{"inputTokens":18234,"outputTokens":%d,"cacheReadTokens":16384,"cacheWriteTokens":0},"total":{"inputTokens":918234,"outputTokens":%d},"model":"large-4","costUsd":0.0182}`, ids, seq, i, i, i*7)
		case 1:
			add(`{"type":"tool_executing",%s,"seq":%d,"generation":7,"timestamp":17645%08d,"toolCallId":"call_%06d","toolName":"read_file","input":{"path":"pkg/cursor/tracker.go","from":1,"to":240,"flags":["plain",null,true]}}`, ids, seq, i, i)
		case 2:
			body := strings.Repeat(`func (t *Tracker) Observe(e *events.Envelope) Decision {\n\tif e.Seq == 0 {\n\t\treturn t.pass(e, \"ephemeral\")\n\t}\n`, 5+i%15)
			add(`{"type":"tool_completed",%s,"seq":%d,"generation":7,"timestamp":17645%08d,"toolCallId":"call_%06d","output":[{"type":"text","text":"%s"}],"isError":false,"durationMs":42}`, ids, seq, i, i, body)
		case 3:
			body := strings.Repeat(`The reader keeps its place, the log keeps its order, and what does not connect is refused. `, 14+i%11)
			add(`{"type":"message_completed",%s,"seq":%d,"generation":7,"timestamp":17645%08d,"messageId":"01JB4M5TC7X","content":[{"type":"text","text":"%s\nEnde gut, alles gut: \u201eja\u201c."}],"stopReason":"end_turn"}`, ids, seq, i, body)
		}
	}
	return all
}

func BenchmarkScan(b *testing.B) {
	mixed := traffic()
	var small, large [][]byte
	for _, text := range mixed {
		if len(text) < 300 {
			small = append(small, text)
		} else {
			large = append(large, text)
		}
	}
	for _, set := range []struct {
		name  string
		texts [][]byte
	}{{"mixed", mixed}, {"small", small}, {"large", large}} {
		b.Run(set.name, func(b *testing.B) { benchmarkScan(b, set.texts) })
	}
}

func benchmarkScan(b *testing.B, texts [][]byte) {
	s, size := NewScanner(SessionMembers), 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size / len(texts)))
	b.ReportAllocs()
	var e Envelope
	for i := 0; b.Loop(); i++ {
		if s.Scan(texts[i%len(texts)], &e) != NoProblem {
			b.Fatal(s.Offset())
		}
	}
	b.ReportMetric(float64(size/len(texts)), "B/event")
}
