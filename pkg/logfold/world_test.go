package logfold_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/logfold"
)

// line is a record as a log writes it.
func line(seq int, rest string) string {
	return fmt.Sprintf(`{"v":1,"type":"%s,"seq":%d,"gen":1,"ts":"2026-01-01T00:%02d:%02d.000Z"}`, rest, seq, seq/60%60, seq%60)
}

// story is a log in which everything happens once.
var story = []string{
	line(1, `session_started","sessionId":"s1"`),
	line(2, `turn_started","turnId":"t1"`),
	line(3, `message","messageId":"m1","content":{"role":"user","content":"héllo"}`),
	line(4, `message","messageId":"m2","content":{"role":"assistant","content":"hi"}`),
	line(5, `decision_requested","turnId":"t1","decisionId":"d1","checkpointId":"c1","request":{"type":"tool_review"},"deadlineAt":"2026-01-01T01:00:00.000Z"`),
	line(6, `decision_resolved","decisionId":"d1","decision":{"action":"approve_tools","remember":["bash"]},"resolvedBy":{"kind":"user"}`),
	line(7, `checkpoint_written","turnId":"t1","checkpointId":"c1","sha256":"`+strings.Repeat("1f", 32)+`","throughSeq":4,"throughSha256":"`+strings.Repeat("2e", 32)+`"`),
	line(8, `checkpoint_written","turnId":"t1","checkpointId":"c2","sha256":"`+strings.Repeat("1f", 32)+`","throughSeq":7,"throughSha256":"`+strings.Repeat("2e", 32)+`"`),
	line(9, `checkpoint_pruned","turnId":"t1","checkpointIds":["c1"]`),
	line(10, `decision_requested","turnId":"t1","decisionId":"d2","checkpointId":"c2","request":{"type":"question"}`),
}

func text(lines ...string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

// read folds a log in pieces of n bytes.
func read(o logfold.Options, log []byte, n int) *logfold.Fold {
	f := logfold.New(o)
	for len(log) > 0 {
		k := min(n, len(log))
		f.Write(log[:k])
		log = log[k:]
	}
	f.End()
	return f
}

// said is all that a fold says.
func said(f *logfold.Fold) string {
	findings, total := f.Findings()
	chain := f.Chain()
	var parks bytes.Buffer
	for _, p := range f.Parks().Parks() {
		parks.Write(p.AppendJSON(nil, 0))
	}
	return fmt.Sprint(f.Standing(), chain.Seq(), chain.Sum(), parks.String(), f.Checkpoints(), string(f.Grants().AppendState(nil)), findings, total)
}

// chainOf is the digest over lines.
func chainOf(lines ...string) checkpoint.Sum {
	var c checkpoint.Chain
	for _, l := range lines {
		c.Add([]byte(l))
	}
	return c.Sum()
}
