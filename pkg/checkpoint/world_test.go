package checkpoint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// line is a record as a log writes it.
func line(seq int, rest string) string {
	kind, more, _ := strings.Cut(rest, ",")
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"v":1,"type":"%s","seq":%d,"gen":2,"ts":"2026-01-01T00:00:%02d.000Z","sessionId":"s1","turnId":"t1"%s}`, kind, seq, seq, more)
}

// log is lines with the seqs 1, 2, 3 …
func log(rest ...string) (lines []string) {
	for i, r := range rest {
		lines = append(lines, line(i+1, r))
	}
	return lines
}

func chained(lines []string) (c checkpoint.Chain) {
	for _, l := range lines {
		c.Add([]byte(l))
	}
	return c
}

// start is a document of a log that is through its lines.
func start(lines []string) checkpoint.Document {
	c := chained(lines)
	return checkpoint.Document{
		CheckpointID: "c1", SessionID: "s1", ThroughSeq: c.Seq(), ThroughSHA256: c.Sum(), CreatedAt: 1767225600123,
		State: checkpoint.State{
			TurnID: "t1", Iteration: 3, TokenUsage: []byte(`{"in":1.50}`), CostInfo: []byte(`{}`),
			Guards: checkpoint.Guards{Iteration: 2, ElapsedMS: 900}, TurnCreatedAt: 1767225600000,
		},
	}
}

// committed is a small log with a committed document in it, and records behind it.
func committed() (lines []string, document []byte) {
	lines = log(`session_started`, `message,"messageId":"m1","content":{"role":"user","content":"é"}`, `iteration_started,"iteration":1`)
	d := start(lines)
	document = d.AppendJSON(nil)
	receipt, _ := checkpoint.ReceiptOf(document)
	text := string(receipt.AppendWritten(nil, "t1"))
	text = strings.TrimSuffix(strings.TrimPrefix(text, `{"type":"checkpoint_written","turnId":"t1",`), "}")
	return append(lines, line(4, "checkpoint_written,"+text), line(5, "turn_cancelled")), document
}

// proven runs the proof of c1 over a log.
func proven(lines []string, document []byte) error {
	p := checkpoint.Prove("c1", document)
	for _, l := range lines {
		p.Add([]byte(l))
	}
	_, err := p.Result()
	return err
}

// flips is every change of one byte that a test looks at: single bits, the case of
// a letter, and bytes that mean something in JSON.
func flips(text string, at int, f func(text string)) {
	seen := map[byte]bool{text[at]: true}
	for _, c := range []byte{text[at] ^ 1, text[at] ^ 2, text[at] ^ 8, text[at] ^ 0x20, text[at] ^ 0x80, '\\', '"', ' ', '0', '\n'} {
		if !seen[c] {
			seen[c] = true
			f(text[:at] + string([]byte{c}) + text[at+1:])
		}
	}
}

func requireFault(t *testing.T, err error, id fault.ID, more ...any) {
	t.Helper()
	require.ErrorIs(t, err, id, more...)
	var f *fault.Fault
	require.ErrorAs(t, err, &f)
	require.NotEmpty(t, f.Expected)
	require.NotEmpty(t, f.Found)
}

func seqOf(n int) events.Seq { return events.Seq(n) }
