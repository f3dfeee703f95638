package serve

import (
	"net/http"
	"slices"
)

// allowOrigin answers the browser's question who may read this.
func (h *Handler) allowOrigin(header http.Header, r *http.Request) {
	if len(h.options.Origins) == 0 {
		return
	}
	header.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" || !h.allows(origin) {
		return
	}
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Expose-Headers", "ETag, Retry-After")
	if h.options.Credentials {
		header.Set("Access-Control-Allow-Credentials", "true")
	}
}

func (h *Handler) allows(origin string) bool {
	return slices.Contains(h.options.Origins, origin) ||
		(!h.options.Credentials && slices.Contains(h.options.Origins, "*"))
}

// preflight tells a browser what it may send; whether the origin may at all was
// answered before.
func preflight(method string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Methods", method)
		w.Header().Set("Access-Control-Allow-Headers", "Authorization, Cache-Control, Content-Type, If-None-Match, Last-Event-ID")
		w.Header().Set("Access-Control-Max-Age", "600")
		w.WriteHeader(http.StatusNoContent)
	}
}
