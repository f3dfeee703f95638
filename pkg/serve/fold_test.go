package serve_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// counting is a state that counts events, and does something at the first.
type counting struct {
	n     int
	first func() error
}

func (c *counting) Add(sessionlog.Event) error {
	c.n++
	if c.n == 1 {
		return c.first()
	}
	return nil
}

func (c *counting) AppendJSON(dst []byte) []byte { return strconv.AppendInt(dst, int64(c.n), 10) }

// transcriptOf asks for a transcript; at the first event of pass n of the fold
// disturb is called.
func transcriptOf(t *testing.T, disturb func(pass int, log *memory.Log) error) (w *httptest.ResponseRecorder, told []error) {
	store := memory.New(memory.Options{})
	log := created(t, store, "s", 9)
	pass := 0
	fold := func(string) serve.State {
		pass++
		return &counting{first: func() error { return disturb(pass, log.(*memory.Log)) }}
	}
	w = httptest.NewRecorder()
	handler := serve.New(store, serve.Options{Fold: fold, OnError: func(_ string, err error) { told = append(told, err) }})
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/sessions/s/transcript", nil))
	return w, told
}

// A state never goes out under the cursor of another log.
func TestAFoldThatIsDisturbed(t *testing.T) {
	for name, c := range map[string]struct {
		disturb func(log *memory.Log) error
		want    string
	}{
		"by nothing":    {func(*memory.Log) error { return nil }, `{"state":9,"cursor":"s:9","firstSeq":1}`},
		"by growth":     {func(log *memory.Log) error { grow(t, log, 2); return nil }, `{"state":9,"cursor":"s:9","firstSeq":1}`},
		"by a loss":     {func(log *memory.Log) error { log.Lose(4); return nil }, `{"state":4,"cursor":"s:4","firstSeq":1}`},
		"by a takeover": {func(log *memory.Log) error { _, err := log.Acquire(t.Context()); return err }, `{"state":9,"cursor":"s:9@1","firstSeq":1}`},
		"by a prune":    {func(log *memory.Log) error { return log.Prune(t.Context(), 4) }, `{"state":6,"cursor":"s:9","firstSeq":4}`},
	} {
		t.Run(name, func(t *testing.T) {
			w, told := transcriptOf(t, func(pass int, log *memory.Log) error {
				if pass > 1 {
					return nil
				}
				return c.disturb(log)
			})
			require.Empty(t, told)
			require.Equal(t, http.StatusOK, w.Code)
			require.Equal(t, c.want+"\n", w.Body.String())
		})
	}
}

func TestAFoldThatCannotBeDone(t *testing.T) {
	broken := errors.New("broken")
	for name, disturb := range map[string]func(int, *memory.Log) error{
		"its state fails":      func(int, *memory.Log) error { return broken },
		"a log never at peace": func(_ int, log *memory.Log) error { _, err := log.Acquire(t.Context()); return err },
	} {
		t.Run(name, func(t *testing.T) {
			w, told := transcriptOf(t, disturb)
			require.Equal(t, http.StatusInternalServerError, w.Code)
			require.Len(t, told, 1)
			require.NotContains(t, w.Body.String(), "broken")
		})
	}
}
