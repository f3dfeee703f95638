package serve

import (
	"context"
	"errors"
	"net/http"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
	"github.com/tidemark-stream/tidemark/pkg/wire"
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
// the store has failed.
func outside(f *fault.Fault) fault.ID {
	if f != nil && f.ID == fault.LogDamaged {
		return fault.LogDamaged
	}
	return fault.StoreFailed
}

func writeFault(w http.ResponseWriter, f *fault.Fault) {
	status := statusOf[f.ID]
	if status == 0 {
		status = http.StatusInternalServerError
	}
	body := wire.BeginFault(status, f)
	writeProblem(w, status, body.End())
}

// writeRefusal answers a refusal: its code is the reason, its status 410 for a
// gap and 409 for the others.
func writeRefusal(w http.ResponseWriter, r *replay.Refusal) {
	status := http.StatusConflict
	if r.Reason == fault.ReasonGap {
		status = http.StatusGone
	}
	body := wire.BeginProblem(status, r.Reason.String(), fault.RuleOf(r.ID()))
	body.Raw("refusal", r.AppendJSON(nil, wireBase, strength(r)))
	writeProblem(w, status, body.End())
}

func strength(r *replay.Refusal) profile.Strength {
	return profile.Session.StrengthOf(r.Evidence.SavedGeneration.IsSet())
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
