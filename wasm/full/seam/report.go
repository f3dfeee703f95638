package seam

import (
	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/logfold"
)

// Report is what a log says as a whole.
type Report struct {
	Session       *string      `js:"session"`
	Records       int64        `js:"records"`
	Lines         int64        `js:"lines"`
	Bytes         int64        `js:"bytes"`
	FirstSeq      *int64       `js:"firstSeq"`
	LastSeq       int64        `js:"lastSeq"`
	Generation    *string      `js:"generation"`
	Digest        *Digest      `js:"digest"`
	Pending       *string      `js:"pending"` // decisionId
	Expired       []string     `js:"expired"` // decisionIds
	Checkpoints   []Checkpoint `js:"checkpoints"`
	Findings      []Finding    `js:"findings"`
	FindingsTotal int64        `js:"findingsTotal"`
}

// Digest is the chain over the records.
type Digest struct {
	Seq    int64  `js:"seq"`
	SHA256 string `js:"sha256"`
}

// Checkpoint is one that the log commits.
type Checkpoint struct {
	CheckpointID  string  `js:"checkpointId"`
	TurnID        string  `js:"turnId"`
	SessionID     *string `js:"sessionId"`
	Seq           int64   `js:"seq"`
	Generation    *string `js:"generation"`
	At            int64   `js:"at"`
	SHA256        string  `js:"sha256"`
	ThroughSeq    int64   `js:"throughSeq"`
	ThroughSHA256 string  `js:"throughSha256"`
}

// Finding is one thing that a log should not have.
type Finding struct {
	Rule     string `js:"rule"`
	Message  string `js:"message"`
	Hint     string `js:"hint"`
	Href     string `js:"href"`
	Line     int64  `js:"line"`
	Offset   int64  `js:"offset"`
	Seq      *int64 `js:"seq"`
	Expected string `js:"expected"`
	Found    string `js:"found"`
}

// Report says what a log holds at a time, in milliseconds since 1970.
func (m *Module) Report(h int32, now float64) (*Report, error) {
	r := m.logs[h]
	if r == nil {
		return nil, badHandle("log")
	}
	ms, err := clock(now)
	if err != nil {
		return nil, err
	}
	s := r.fold.Standing()
	findings, total := r.fold.Findings()
	report := &Report{
		Session: known(s.Session), Records: s.Records, Lines: s.Lines, Bytes: s.Bytes,
		FirstSeq: some(int64(s.FirstSeq)), LastSeq: int64(s.LastSeq), Generation: known(string(s.Generation)),
		Checkpoints: checkpointsOf(r.fold.Checkpoints()), Findings: findingsOf(findings), FindingsTotal: total, Expired: []string{},
	}
	if chain := r.fold.Chain(); r.fold.Digest && (chain.Seq() > 0 || s.Records == 0) {
		report.Digest = &Digest{int64(chain.Seq()), chain.Sum().String()}
	}
	if p := r.fold.Parks().Pending(ms); p != nil {
		report.Pending = known(p.DecisionID)
	}
	for _, p := range r.fold.Parks().Expired(ms) {
		report.Expired = append(report.Expired, p.DecisionID)
	}
	return report, nil
}

func checkpointsOf(list []checkpoint.Written) []Checkpoint {
	all := make([]Checkpoint, len(list))
	for i, w := range list {
		all[i] = Checkpoint{
			w.CheckpointID, w.TurnID, known(w.SessionID), int64(w.Seq), known(string(w.Generation)), w.At,
			w.SHA256.String(), int64(w.ThroughSeq), w.ThroughSHA256.String(),
		}
	}
	return all
}

func findingsOf(list []logfold.Finding) []Finding {
	all := make([]Finding, len(list))
	for i, n := range list {
		rule := fault.RuleOf(n.Rule)
		all[i] = Finding{rule.Name, rule.Message, rule.Hint, rule.Href(), n.Line, n.Offset, some(int64(n.Seq)), n.Expected, n.Found}
	}
	return all
}

func known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func some(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}
