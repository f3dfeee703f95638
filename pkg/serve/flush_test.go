package serve_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// Middleware that hides what a response writer can do breaks every stream. The
// client sees one that ends; who runs the server is told why.
func TestAWriterThatCannotFlush(t *testing.T) {
	store := memory.New(memory.Options{})
	log, err := store.Create(t.Context(), "s")
	require.NoError(t, err)
	_, err = log.Append(t.Context(), "", []byte(`{"type":"note"}`))
	require.NoError(t, err)
	for _, route := range []string{"events", "records"} {
		var told []error
		handler := serve.New(store, serve.Options{OnError: func(_ string, err error) { told = append(told, err) }})
		bare := struct{ http.ResponseWriter }{httptest.NewRecorder()}
		cut := func() (thrown any) {
			defer func() { thrown = recover() }()
			handler.ServeHTTP(bare, httptest.NewRequest(http.MethodGet, "/v1/sessions/s/"+route, nil))
			return nil
		}()
		require.Len(t, told, 1, route)
		require.ErrorContains(t, told[0], "cannot flush")
		if route == "records" {
			require.Equal(t, http.ErrAbortHandler, cut, "nobody takes a part for the whole")
		}
	}
}
