package check

import (
	"slices"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Verdict is how a recording stands, worst last.
type Verdict uint8

// Verdicts.
const (
	Clean      Verdict = iota // nothing, or notes only
	Warned                    // warnings
	Wrong                     // errors
	Unreadable                // it is no recording, or could not be read
	verdictEnd
)

// Report is a check that writes down what it finds, in the words of the command.
// Make it with [NewReport], Write the recording, Close it.
type Report struct {
	checker *Checker
	style   Style
	out     []byte
	groups  map[groupKey]*group
	order   []groupKey
	kept    int
}

// groupKey gathers what is shown together.
type groupKey struct {
	owner
	kind Kind
	rule fault.ID
}

// owner is a session, or what it was on one connection.
type owner struct {
	session    string
	connection int
}

// group is the findings of one kind in one session.
type group struct {
	count int64
	shown []Finding
}

// Bounds of what a report keeps for its text; findings beyond them are counted.
const (
	mostShown  = 20_000
	mostGroups = 20_000
)

// NewReport makes a report of one recording.
func NewReport(o Options, s Style) *Report {
	return &Report{checker: New(o), style: s, groups: map[groupKey]*group{}}
}

// Write reads a chunk and answers what there is to print by now, which may be
// nothing. The answer is valid until the next call.
func (r *Report) Write(chunk []byte) []byte {
	r.out = r.out[:0]
	for len(chunk) > 0 {
		chunk = chunk[r.checker.Write(chunk):]
		r.drain()
	}
	return r.out
}

// Close ends the report and answers the rest of it. stopped: the recording would
// have gone on, see [Checker.Stop].
func (r *Report) Close(stopped bool) []byte {
	r.out = r.out[:0]
	if stopped {
		r.checker.Stop()
	} else {
		r.checker.Close()
	}
	r.drain()
	s := r.checker.Summary()
	switch f := r.checker.Fault(); {
	case f != nil:
		r.out = AppendTrouble(r.out, s.Name, notARecording, f.Found, r.style)
	case r.style.JSON:
		r.out = append(s.appendJSON(r.out), '\n')
	default:
		r.out = r.appendText(r.out, &s)
	}
	return r.out
}

// Fault is [Checker.Fault].
func (r *Report) Fault() *fault.Fault { return r.checker.Fault() }

// Verdict is how the recording stands so far.
func (r *Report) Verdict() Verdict {
	s := r.checker.Summary()
	switch {
	case r.checker.Fault() != nil:
		return Unreadable
	case s.Findings(Error) > 0:
		return Wrong
	case s.Findings(Warning) > 0:
		return Warned
	}
	return Clean
}

func (r *Report) drain() {
	for f, ok := r.checker.Next(); ok; f, ok = r.checker.Next() {
		if r.style.JSON {
			if !r.style.Quiet {
				r.out = append(r.appendFinding(r.out, &f), '\n')
			}
			continue
		}
		r.file(f)
	}
}

// file keeps a finding for the text.
func (r *Report) file(f Finding) {
	key := groupKey{owner{f.Session, f.Connection}, f.Kind, f.Rule}
	g := r.groups[key]
	if g == nil {
		if len(r.order) >= mostGroups {
			return
		}
		g = &group{}
		r.groups[key] = g
		r.order = append(r.order, key)
	}
	g.count++
	if (r.style.Max > 0 && len(g.shown) >= r.style.Max) || r.kept >= mostShown {
		return
	}
	g.shown = append(g.shown, f)
	r.kept++
}

// byOwner gathers the groups of each session: the worst first, then in the order
// of the kinds.
func (r *Report) byOwner() map[owner][]groupKey {
	all := map[owner][]groupKey{}
	for _, k := range r.order {
		all[k.owner] = append(all[k.owner], k)
	}
	for _, keys := range all {
		slices.SortStableFunc(keys, func(a, b groupKey) int {
			if a.kind.Severity() != b.kind.Severity() {
				return int(b.kind.Severity()) - int(a.kind.Severity())
			}
			return int(a.kind) - int(b.kind)
		})
	}
	return all
}
