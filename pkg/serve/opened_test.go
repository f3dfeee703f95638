package serve_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// Who may read is settled before what is asked, and that before whether there is such
// a session, on every route that answers from a log.
func TestTheOrderOfRefusals(t *testing.T) {
	authorize := func(_ *http.Request, session string) int {
		if session == "secret" {
			return http.StatusForbidden
		}
		return 0
	}
	store := memory.New(memory.Options{})
	created(t, store, "secret", 0)
	handler := serve.New(store, serve.Options{Authorize: authorize})
	for route, bad := range map[string]int{"log?limit=none": 400, "records?since=none": 400, "transcript": 404} {
		require.Equal(t, http.StatusForbidden, get(handler, "/v1/sessions/secret/"+route).Code, route)
		require.Equal(t, bad, get(handler, "/v1/sessions/nowhere/"+route).Code, route)
	}
	for _, route := range []string{"log", "records", "transcript"} {
		requireProblem(t, get(handler, "/v1/sessions/nowhere/"+route), http.StatusNotFound, "stream.unknown_session")
	}
}
