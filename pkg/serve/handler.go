package serve

import (
	"context"
	"net/http"

	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// Handler serves a store. It is safe for concurrent use.
type Handler struct {
	store   sessionlog.Store
	options Options
	mux     *http.ServeMux
	open    context.Context // done once the handler is closed
	close   context.CancelFunc
}

// New makes a handler for the routes below /v1/.
func New(store sessionlog.Store, o Options) *Handler {
	h := &Handler{store: store, options: o.orDefault(), mux: http.NewServeMux()}
	h.open, h.close = context.WithCancel(context.Background())
	const session = "/v1/sessions/{sessionId}/"
	for _, route := range []struct {
		method, path string
		serve        http.HandlerFunc
	}{
		{http.MethodGet, session + "events", h.serveEvents},
		{http.MethodGet, session + "log", h.serveLog},
		{http.MethodGet, session + "transcript", h.serveTranscript},
		{http.MethodGet, session + "records", h.serveRecords},
		{http.MethodPost, session + "decisions/{decisionId}", h.serveDecision},
		{http.MethodGet, "/v1/runs", h.serveRuns},
	} {
		h.mux.HandleFunc(route.method+" "+route.path, route.serve)
		h.mux.HandleFunc("OPTIONS "+route.path, preflight(route.method))
	}
	return h
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.allowOrigin(w.Header(), r)
	h.mux.ServeHTTP(w, r)
}

// Close breaks every open stream off, without tidemark.end: their consumers come
// back. Call it before http.Server.Shutdown, which waits for open requests.
func (h *Handler) Close() { h.close() }

// opened answers the log that a request is about. First comes Authorize, then what the
// request asks, by read, and only then the store: a stranger learns nothing of what is
// wrong with a request, nor whether there is a log. false: it was answered already.
func (h *Handler) opened(w http.ResponseWriter, r *http.Request, read func(session string) error) (log sessionlog.Log, ok bool) {
	session := r.PathValue("sessionId")
	if !h.admit(w, r, []string{session}) {
		return nil, false
	}
	err := read(session)
	if err == nil {
		log, err = h.store.Open(r.Context(), session)
	}
	if err != nil {
		h.fail(w, session, err)
		return nil, false
	}
	return log, true
}

// admit asks Authorize for every session, and answers for it when the answer is no.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request, sessions []string) bool {
	for _, session := range sessions {
		if status := h.options.Authorize(r, session); status != 0 {
			writeDenied(w, status)
			return false
		}
	}
	return true
}
