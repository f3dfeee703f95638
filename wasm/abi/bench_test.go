package abi

import (
	"fmt"
	"strings"
	"testing"
)

// busy is what a gateway sends for a few sessions at work: four deltas to one
// record. lines is how much tool output and messages hold, which is full of escapes.
func busy(sessions, lines int) string {
	var out strings.Builder
	for s := range sessions {
		fmt.Fprintf(&out, "event: tidemark.head\ndata: {\"sessionId\":\"ses_%06d\",\"lastSeq\":64,\"generation\":7,\"oldestSeq\":1,\"verdict\":\"replayed\",\"from\":1}\n\n", s)
	}
	code := strings.Repeat(`func (t *Tracker) Observe(e *Envelope) Decision {\n\tif e.Seq == 0 {\n\t\treturn t.pass(e, \"ephemeral\")\n\t}\n`, lines)
	prose := strings.Repeat("the stream goes on from where it was and nothing is lost on the way. ", max(lines, 2))
	for seq := 1; seq <= 64; seq++ {
		for s := range sessions {
			own := fmt.Sprintf(`"sessionId":"ses_%06d","turnId":"turn_01hq2k7v9m"`, s)
			for range 3 {
				fmt.Fprintf(&out, "data: {\"type\":\"text_delta\",%s,\"timestamp\":1767225600000,\"iteration\":3,\"messageId\":\"msg_01hq2k7v9m\",\"text\":\"%s\"}\n\n", own, prose[:70+seq])
			}
			fmt.Fprintf(&out, "data: {\"type\":\"tool_input_delta\",%s,\"timestamp\":1767225600000,\"toolUseId\":\"toolu_01hq2k7v9m\",\"partialJson\":\"%s\"}\n\n", own, code[:38])
			fields := [...]string{
				`"type":"iteration_started","iteration":3`,
				`"type":"token_usage_updated","usage":{"inputTokens":18234,"outputTokens":512},"cost":{"usd":0.0182}`,
				`"type":"tool_executing","toolUseId":"toolu_01hq2k7v9m","toolName":"read_file","input":{"path":"a.go","from":1}`,
				`"type":"tool_completed","toolUseId":"toolu_01hq2k7v9m","isError":false,"content":"` + code + `"`,
				`"type":"message_completed","messageId":"msg_01hq2k7v9m","stopReason":"end_turn","content":"` + prose + `"`,
			}[seq%5]
			fmt.Fprintf(&out, "id: ses_%06d:%d@7\ndata: {%s,\"seq\":%d,\"generation\":7,\"timestamp\":1767225600000,%s}\n\n", s, seq, own, seq, fields)
		}
	}
	return out.String()
}

// BenchmarkDrain is all that the module does with bytes: they go in, rows come
// out. Events are small, or as in chat.
func BenchmarkDrain(b *testing.B) {
	b.Run("small", func(b *testing.B) { benchmarkDrain(b, 1) })
	b.Run("mixed", func(b *testing.B) { benchmarkDrain(b, 40) })
}

func benchmarkDrain(b *testing.B, lines int) {
	const sessions = 8
	stream := busy(sessions, lines)
	names := make([]string, sessions)
	for s := range names {
		names[s] = fmt.Sprintf("%q", fmt.Sprintf("ses_%06d", s))
	}
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		var m Links
		argument := func(text string) int { return copy(m.Input(len(text)), text) }
		h := m.Open(argument(`{"sessions":[` + strings.Join(names, ",") + `]}`))
		m.Do(h, 1, argument(`{}`), 0, 0)
		m.Do(h, 2, argument(opened), 0, 0)
		events := 0
		for rest := stream; rest != ""; {
			n := copy(m.Reserve(h, min(len(rest), 1<<14)), rest)
			rest = rest[n:]
			for rows := m.Feed(h, n, 0, 0); ; rows = m.Next(h) {
				for i := range rows {
					if m.rows[i].head&0xff <= 2 {
						events++
					}
				}
				if rows < rowCount {
					break
				}
			}
		}
		if events != sessions*64*5 {
			b.Fatal(events, "events")
		}
	}
}
