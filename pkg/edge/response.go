package edge

import (
	"net/http"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/wire"
)

// ofLength is left out where the body is the server's: what comes may be read encoded or
// not.
var ofLength = []string{"Content-Length"}

// canPass reports an answer that can be given on: a server makes none with another
// status, or something else of the connection.
func canPass(response *http.Response) bool {
	return response.StatusCode >= 200 && response.StatusCode <= 599
}

// line is all that is said of a name, which can stand more than once.
func line(header http.Header, name string) string { return strings.Join(header.Values(name), ", ") }

// addHeader adds the headers of the server but those that are named.
func addHeader(w http.ResponseWriter, response *http.Response, but []string) {
	to := w.Header()
	for name, values := range without(response.Header, but) {
		to[name] = append(to[name], values...)
	}
}

// deny answers a problem document (RFC 9457).
func (h *Handler) deny(w http.ResponseWriter, r *http.Request, status int, f *fault.Fault) {
	h.options.OnFault(r, f)
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(wire.AppendProblem(nil, status, f), '\n')) // the consumer may be gone; nothing follows
}
