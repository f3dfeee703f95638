package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/logfold"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

const parksHelp = `usage: tidemark parks [flags] LOG… | FOLDER… | URL | -

Lists the questions that turns wait for humans with, in the order in which they
were put, and how each of them stands. A log is a file of one session, one record
a line, gzip too; a folder is read for its <session>.jsonl; a URL is one that
answers records (GET /v1/sessions/{id}/records).

  --now TIME     as of then: 2026-01-01T00:00:00Z or milliseconds since 1970 (now)
  --turn ID      only the questions of this turn
  --park STATES  only those: outstanding, expired, resolved, with commas between;
                 "" keeps none
  --json         one JSON object a line: questions, and a line with the counts of each log

examples:
  tidemark parks sessions/
  tidemark parks s1.jsonl --park outstanding --json

exit codes: 0 read, 1 something is wrong with a log, so that questions may be missing,
2 wrong usage, or a log could not be read
`

// parksRun is one call of parks.
type parksRun struct {
	*logCommand
	now    clock
	turn   string
	states parkStates
	counts [3]int // by state
}

func runParks(args []string, c console) int {
	var r parksRun
	l, rest, code, done := begin("parks", parksHelp, args, c, func(flags *flag.FlagSet) {
		r.now.declare(flags)
		r.states.declare(flags)
		flags.StringVar(&r.turn, "turn", "", "")
	})
	if done {
		return code
	}
	r.logCommand = l
	logs, problem := l.sources(rest)
	if problem != "" {
		return l.misused(problem)
	}
	ctx, stop := l.interruptible()
	defer stop()
	for _, source := range logs {
		if f := l.fold(ctx, source, logfold.Options{Turn: r.turn}); f != nil {
			r.report(source, f)
		}
	}
	if !r.json && r.worst < exitUsage {
		fmt.Fprintf(r.out, "%s in %s\n", countsText(r.counts), plural(len(logs), "log"))
	}
	return r.worst
}

// report prints the questions of one log.
func (r *parksRun) report(source string, f *logfold.Fold) {
	wrong := r.findings(source, f)
	standing := f.Standing()
	var counts [3]int
	for _, p := range f.Parks().Parks() {
		state := p.State(r.now.ms)
		if !r.states.has(state) {
			continue
		}
		if counts[state]++; r.json {
			r.line(parkJSON(displayName(source), standing.Session, p, r.now.ms))
			continue
		}
		if total(counts) == 1 {
			fmt.Fprintf(r.out, "%s: session %s\n", safe(displayName(source)), safe(standing.Session))
		}
		r.print(p, state)
	}
	for i, n := range counts {
		r.counts[i] += n
	}
	if r.json {
		r.line(parksSummary(displayName(source), standing, counts, wrong))
	}
}

func total(counts [3]int) int { return counts[0] + counts[1] + counts[2] }

func countsText(counts [3]int) string {
	var parts []string
	for i, n := range counts {
		parts = append(parts, fmt.Sprintf("%d %s", n, park.State(i)))
	}
	return strings.Join(parts, ", ")
}

func (r *parksRun) print(p *park.Park, state park.State) {
	fmt.Fprintf(r.out, "  %-11s %s  %s", state, safe(p.DecisionID), safe(p.RequestType()))
	if p.TurnID != "" {
		fmt.Fprintf(r.out, ", turn %s", safe(p.TurnID))
	}
	fmt.Fprintf(r.out, "\n              asked %s at seq %d", timeText(p.ParkedAt), p.Seq)
	switch {
	case p.Expired:
		fmt.Fprintf(r.out, ", expiry recorded %s at seq %d", timeText(p.ResolvedAt), p.ResolvedSeq)
	case p.Resolved:
		fmt.Fprintf(r.out, ", %s %s at seq %d%s", safe(textMember(p.Decision, "action", "answered")), timeText(p.ResolvedAt), p.ResolvedSeq, byWhom(p))
	case state == park.Expired:
		fmt.Fprintf(r.out, ", deadline was %s, no expiry is recorded yet", timeText(p.DeadlineAt))
	case p.HasDeadline:
		fmt.Fprintf(r.out, ", deadline %s", timeText(p.DeadlineAt))
	}
	fmt.Fprintln(r.out)
}

func byWhom(p *park.Park) string {
	if kind := textMember(p.ResolvedBy, "kind", ""); kind != "" {
		return " by " + safe(strings.TrimSpace(kind+" "+textMember(p.ResolvedBy, "role", "")))
	}
	return ""
}

// textMember is a member of an object that is text, else the fallback.
func textMember(object []byte, name, fallback string) string {
	for member, value := range rawjson.Members(object) {
		if string(member) == name {
			if text, ok := rawjson.Text(value); ok {
				return text
			}
		}
	}
	return fallback
}

// parkJSON is a park as pkg/park writes it, with the log and the session that it is of.
func parkJSON(log, session string, p *park.Park, now int64) []byte {
	w := rawjson.Begin(nil)
	w.Text("log", log)
	w.Text("session", session)
	for name, value := range rawjson.Members(p.AppendJSON(nil, now)) {
		w.Raw(string(name), value)
	}
	return w.End()
}

func parksSummary(log string, s logfold.Standing, counts [3]int, findings int64) []byte {
	w := rawjson.Begin(nil)
	w.Text("log", log)
	w.Text("session", s.Session)
	w.Int("lastSeq", int64(s.LastSeq))
	for i, n := range counts {
		w.Int(park.State(i).String(), int64(n))
	}
	w.Int("findings", findings)
	return w.End()
}
