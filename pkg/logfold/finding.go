package logfold

import (
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Finding is one thing that a log should not have. Its rule is one of
//
//   - fault.BadRecord: a line that is no record, or a last line that was cut
//   - fault.GapHole: records are missing before this one
//   - fault.GapDuplicate: its seq is that of the record before it
//   - fault.GapDisorder: its seq is lower than that of the record before it
//   - fault.StaleGeneration: an older generation than the record before it, or none
//   - fault.GapForeign: it is of another session, and takes no part
//
// Expected and Found hold positions and names, never payload.
type Finding struct {
	Rule     fault.ID
	Line     int64      // from 1, blank lines counted
	Offset   int64      // of the byte in the log, from 0: of the damage, else of the line
	Seq      events.Seq // of the record; 0 when it has none that can be read
	Expected string
	Found    string
}

// Fault is the finding as an error.
func (n *Finding) Fault() *fault.Fault {
	f := fault.New(n.Rule, n.Expected, n.Found+" in line "+digits(n.Line))
	f.Offset = n.Offset
	return f
}

func digits[T ~int64 | ~uint64](n T) string { return strconv.FormatInt(int64(n), 10) }

// find notes a finding at a byte of the current line. A context that still waits
// for records is over with it.
func (f *Fold) find(rule fault.ID, at int, seq events.Seq, expected, found string) {
	n := f.note(rule, at, seq, expected, found)
	if f.through > 0 && f.err == nil {
		f.err = n.Fault()
	}
}

// note keeps a finding, unless there are enough.
func (f *Fold) note(rule fault.ID, at int, seq events.Seq, expected, found string) Finding {
	n := Finding{rule, f.lines, f.start + int64(at), seq, expected, found}
	if f.total++; len(f.findings) < f.MaxFindings {
		f.findings = append(f.findings, n)
	}
	return n
}

// Findings are the first things that are wrong with the log, in its order, and how
// many there are. The list is the fold's.
func (f *Fold) Findings() (first []Finding, total int64) { return f.findings, f.total }
