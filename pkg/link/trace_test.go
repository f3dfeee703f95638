package link_test

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// parse reads a token whose first seq on the wire is base; "" is no cursor.
func (s *stage) parse(token string, base events.Seq) cursor.Cursor {
	c, err := cursor.Parse(token, base)
	require.NoError(s.t, err)
	return c
}

// line collects the words of one action; those without a value are left out.
type line []string

func (l *line) add(key string, value any) {
	if text := fmt.Sprint(value); text != "" && text != "0" {
		*l = append(*l, key+"="+text)
	}
}

// describe writes an action down with all that it carries, times in
// milliseconds of the story's clock.
func (s *stage) describe(a *link.Action) string {
	l := line{kindNames[a.Kind]}
	if a.Lane >= 0 {
		l = append(l, s.session(a.Lane))
	}
	switch a.Kind {
	case link.Deliver, link.Draft:
		l.add("of", string(a.Session))
		l.add("seq", a.Event.Seq)
		l.add("generation", string(a.Event.Generation))
		l = append(l, string(a.Data))
	case link.Restart:
		l = append(l, fmt.Sprintf("after=%d", a.Seq))
	case link.Live:
		l = append(l, fmt.Sprintf("seq=%d strength=%s", a.Seq, a.Strength))
	case link.Refused:
		l.refusal(a.Refusal)
		l.add("strength", a.Strength)
	case link.End:
		l = append(l, a.Cause.String())
		if a.Fault != nil {
			l.fault(a.Fault)
		}
	case link.Connect:
		l = append(l, fmt.Sprintf("attempt=%d", a.Attempt))
		for _, ask := range a.Asks {
			l = append(l, s.ask(ask))
		}
	case link.Wake:
		l = append(l, fmt.Sprintf("at=%d", a.At))
	case link.Load:
		l = append(l, a.Why.String())
		if a.Refusal != nil {
			l.refusal(a.Refusal)
		}
	case link.Fail:
		l.fault(a.Fault)
	case link.Decided:
		l.report(a.Report)
	case link.Position:
		if s.link.Placed(a.Lane) {
			l = append(l, s.token(a.Cursor))
		}
		l.proof(s.link.Proof(a.Lane))
		if s.link.Drafts(a.Lane) {
			l = append(l, "drafts")
		}
	case link.Credentials:
		l.add("status", a.Status)
	case link.Connection:
		l = append(l, a.Name)
		l.add("attempt", a.Attempt)
		l.add("at", a.At)
	case link.Phase:
		l = append(l, a.Name)
	case link.Mark:
		if a.Cursor.Session == "" {
			l = append(l, "none")
		} else {
			l = append(l, s.token(a.Cursor))
		}
		l.proof(a.Proof)
	case link.State:
		l = append(l, a.Why.String(), s.token(a.Cursor))
	}
	return strings.Join(l, " ")
}

var kindNames = map[link.Kind]string{
	link.Deliver: "event", link.Draft: "draft", link.Restart: "restart", link.Live: "live", link.Refused: "refused",
	link.End: "end", link.Connect: "connect", link.Wake: "wake", link.Load: "load", link.Close: "close",
	link.Fail: "fail", link.Decided: "decided", link.Position: "cursor", link.State: "state",
	link.Credentials: "credentials", link.Connection: "connection", link.Phase: "phase", link.Mark: "mark",
}

func (l *line) fault(f *fault.Fault) {
	*l = append(*l, fmt.Sprintf("%s expected %q found %q", f.ID, f.Expected, f.Found))
	l.add("session", f.Session)
}

func (l *line) refusal(r *replay.Refusal) {
	e := &r.Evidence
	*l = append(*l, r.Reason.String())
	l.add("detail", r.Detail)
	l.add("expected", e.ExpectedSeq)
	l.add("received", e.ReceivedSeq)
	l.add("saved", e.SavedSeq)
	l.add("savedGeneration", e.SavedGeneration)
	l.add("observedGeneration", e.ObservedGeneration)
	if e.HasHead {
		*l = append(*l, fmt.Sprintf("last=%d", e.LastSeq))
	}
	l.add("oldest", e.OldestSeq)
	if e.Index >= 0 {
		*l = append(*l, fmt.Sprintf("index=%d", e.Index))
	}
	l.add("status", e.Status)
	l.problem(e.Problem, e.Offset)
}

// proof is told with a question mark when it goes with a doubt.
func (l *line) proof(p cursor.Proof) {
	known := cursor.NewProver(&profile.Session)
	switch {
	case !p.IsSet():
	case known.Makes(p):
		*l = append(*l, "proof")
	default:
		if p.Doubt(); known.Makes(p) {
			*l = append(*l, "proof?")
		} else {
			*l = append(*l, "proof")
		}
	}
}

func (l *line) problem(p events.Problem, at int) {
	l.add("problem", strings.ReplaceAll(p.String(), " ", "-"))
	l.add("at", at)
}

func (l *line) report(r *link.Report) {
	d := &r.Decision
	if r.Broken != 0 {
		*l = append(*l, "broken", r.Broken.String())
		if r.Cut {
			*l = append(*l, "cut")
		}
		if r.Wait >= 0 {
			*l = append(*l, fmt.Sprintf("wait=%d", r.Wait))
		}
		return
	}
	*l = append(*l, strings.TrimSpace(d.Verdict.String()+r.Outcome.String()))
	l.add("detail", d.Detail)
	l.problem(d.Problem, d.Offset)
	l.add("seq", d.Seq)
	l.add("expected", d.Expected)
	if r.Proven {
		*l = append(*l, "proven")
	}
	l.add("generation", string(d.Generation))
	l.add("savedGeneration", d.Saved)
	if r.Refusal != nil {
		*l = append(*l, "for")
		l.refusal(r.Refusal)
	}
}

func (s *stage) session(lane int) string {
	if name := s.link.Session(lane); name != "" {
		return name
	}
	return "unnamed"
}

func (s *stage) ask(a link.Ask) string {
	name := a.Session
	if name == "" {
		name = "unnamed"
	}
	if a.Start == link.FromCursor {
		return s.token(a.Cursor)
	}
	return name + "=" + a.Start.String()
}

func (s *stage) token(c cursor.Cursor) string {
	if token := c.Token(s.link.Profile().Base); token != "" {
		return token
	}
	return c.Session + ":none"
}

func (s *stage) cursors() (all []string) {
	for _, c := range s.link.Cursors() {
		all = append(all, s.token(c))
	}
	return all
}
