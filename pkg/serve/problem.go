package serve

import (
	"context"
	"errors"
	"net/http"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// statusOf is the status of a fault; others are 500. The code travels in the
// body, the status only follows from it.
var statusOf = map[fault.ID]int{
	fault.InvalidCursor:  http.StatusBadRequest,
	fault.ForeignSession: http.StatusBadRequest,
	fault.InvalidOptions: http.StatusBadRequest,
	fault.UnknownSession: http.StatusNotFound,

	fault.BadDecision:      http.StatusBadRequest,
	fault.UnknownDecision:  http.StatusNotFound,
	fault.DecisionAnswered: http.StatusConflict,
	fault.StaleDecision:    http.StatusConflict,
	fault.DecisionExpired:  http.StatusGone,
	fault.NotTheWriter:     http.StatusServiceUnavailable,
	fault.ReadOnly:         http.StatusNotImplemented,
	fault.ScopeHole:        http.StatusBadRequest,
	fault.BadPageToken:     http.StatusBadRequest,
	fault.CannotList:       http.StatusNotImplemented,
	fault.NoAttribution:    http.StatusNotImplemented,
}

// fail answers an error. What is not the client's doing it learns as a rule
// without particulars; OnError gets those.
func (h *Handler) fail(w http.ResponseWriter, session string, err error) {
	if errors.Is(err, context.Canceled) {
		writeDenied(w, http.StatusServiceUnavailable) // the handler was closed, or nobody listens
		return
	}
	var f *fault.Fault
	if !errors.As(err, &f) || statusOf[f.ID] == 0 {
		h.options.OnError(session, err)
		f = fault.New(outside(f), "", "")
		f.Session = session
	}
	writeFault(w, f)
}

// outside is the rule a client is told: that of a damaged log, or just that
// something is wrong here.
func outside(f *fault.Fault) fault.ID {
	if f != nil && f.ID == fault.LogDamaged {
		return fault.LogDamaged
	}
	return fault.InternalFault
}

func writeFault(w http.ResponseWriter, f *fault.Fault) {
	status := statusOf[f.ID]
	if status == 0 {
		status = http.StatusInternalServerError
	}
	body := faultBody(status, f)
	writeProblem(w, status, body.End())
}

// faultBody begins the problem document of a fault.
func faultBody(status int, f *fault.Fault) rawjson.Writer {
	body := problem(status, f.ID.String(), fault.RuleOf(f.ID))
	body.Known("session", f.Session)
	body.Known("expected", f.Expected)
	body.Known("found", f.Found)
	return body
}

// writeRefusal answers a refusal: its code is the reason, its status 410 for a
// gap and 409 for the others.
func writeRefusal(w http.ResponseWriter, r *replay.Refusal) {
	status := http.StatusConflict
	if r.Reason == fault.ReasonGap {
		status = http.StatusGone
	}
	body := problem(status, r.Reason.String(), fault.RuleOf(r.ID()))
	body.Raw("refusal", r.AppendJSON(nil, wireBase, strength(r)))
	writeProblem(w, status, body.End())
}

func strength(r *replay.Refusal) profile.Strength {
	return profile.Session.StrengthOf(r.Evidence.SavedGeneration.IsSet())
}

// problem begins a problem document (RFC 9457) with the members that all have.
func problem(status int, code string, rule fault.Rule) rawjson.Writer {
	w := rawjson.Begin(nil)
	w.Text("type", rule.Href())
	w.Text("title", rule.Message)
	w.Int("status", int64(status))
	w.Text("code", code)
	w.Text("rule", rule.Name)
	w.Text("hint", rule.Hint)
	w.Text("class", rule.Code.String())
	w.Bool("retryable", rule.Retryable)
	return w
}

// writeDenied says no and nothing else.
func writeDenied(w http.ResponseWriter, status int) {
	body := rawjson.Begin(nil)
	body.Text("title", http.StatusText(status))
	body.Int("status", int64(status))
	writeProblem(w, status, body.End())
}

func writeProblem(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // the client may be gone; nothing follows
}
