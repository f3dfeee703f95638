package link

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/replay"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// refuse makes a refusal final for one lane. It is sticky: only a loaded
// snapshot's cursor brings the session back.
func (l *Link) refuse(i int, r *replay.Refusal) {
	ln := &l.lanes[i]
	l.reportOf(i, replay.Unavailable, r)
	a := l.push(Refused, i)
	a.Refusal, a.Strength = r, ln.strength(l.profile)
	if !l.options.Load {
		l.turn(i, lost)
		l.rest()
		return
	}
	if ln.loads++; ln.loads > 1 {
		f := fault.New(fault.LoadLoop, "a snapshot that the stream continues", r.Reason.String()+" again right after a load")
		f.Session = r.Session
		l.failLane(i, f)
		return
	}
	a = l.push(Load, i)
	a.Why, a.Refusal = Rebuilt, r
	l.turn(i, loadAsked)
	l.rest()
}

// refuseAll: the answer as a whole was a refusal. In a body that names a reason
// of ours that reason stands; else it is a gap.
func (l *Link) refuseAll(status int, code string, detail fault.Detail) {
	reason, named := namedRefusal(code)
	if reason == fault.NoReason {
		reason = fault.ReasonGap
	} else {
		detail = named
	}
	if reason == fault.ReasonGap && l.allApart(status, detail) {
		return
	}
	for i := range l.lanes {
		if ln := &l.lanes[i]; ln.asks() {
			r := &replay.Refusal{Reason: reason, Detail: detail}
			r.Stand(ln.tracker.Place())
			r.Evidence.Status = status
			l.refuse(i, r)
		}
	}
}

// namedRefusal reads the code of a problem body: a reason, or the id of its rule
// in the catalog, as in "gap", "stream.gap" or "stream.gap.pruned".
func namedRefusal(code string) (fault.Reason, fault.Detail) {
	const prefix = "stream."
	if len(code) >= len(prefix) && code[:len(prefix)] == prefix {
		code = code[len(prefix):]
	}
	name, rest := cutDot(code)
	reason, _ := fault.ParseReason([]byte(name))
	detail, _ := fault.ParseDetail([]byte(rest))
	return reason, detail
}

// cutDot is what stands before and behind the first dot.
func cutDot(text string) (before, behind string) {
	for i := range len(text) {
		if text[i] == '.' {
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

func statusFault(id fault.ID, status int) *fault.Fault {
	return fault.New(id, "200 with "+sse.ContentType, "status "+string(rawjson.AppendInt(nil, int64(status))))
}

// report tells something to whoever asked for that: the caller fills it in. The
// answer is nil otherwise.
//
//go:noinline
func (l *Link) report() *Report {
	if !l.options.Report {
		return nil
	}
	r := new(Report)
	l.push(Decided, -1).Report = r
	return r
}

// reportOf tells a verdict on a head, or a refusal.
func (l *Link) reportOf(i int, o replay.Outcome, refusal *replay.Refusal) *Report {
	r := l.report()
	if r != nil {
		l.queue[len(l.queue)-1].Lane = i
		r.Cursor, r.Outcome, r.Refusal = *l.lanes[i].tracker.Place(), o, refusal
		r.Session = r.Cursor.Session
	}
	return r
}

// reportDecision tells a verdict on an event, and in observe mode what it would
// have been refused for.
func (l *Link) reportDecision(i int) *Report {
	r := l.reportOf(i, replay.NoOutcome, nil)
	if r == nil {
		return nil
	}
	d := &r.Decision
	*d = l.decision
	d.Generation = append([]byte(nil), d.Generation...)
	if l.observes() && d.Refuses() != fault.NoReason {
		r.Refusal = l.lanes[i].refusal(d)
	}
	return r
}
