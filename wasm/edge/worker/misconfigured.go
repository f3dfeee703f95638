package worker

import (
	"net/http"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/wire"
)

// Misconfigured answers every request with 500 and the rule. What exactly is wrong is
// for the log: it can name hosts that are nobody's business.
func Misconfigured() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		const status = http.StatusInternalServerError
		w.Header().Set("Content-Type", "application/problem+json")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(status)
		_, _ = w.Write(wire.AppendProblem(nil, status, fault.New(fault.InvalidOptions, "", "")))
	})
}
