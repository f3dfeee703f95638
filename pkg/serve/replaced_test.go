package serve_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// where no generation tells a log from the one that replaced it, and its numbers
// fit, only another connection can show what became of it.
func TestALogThatWasReplacedUnderAStream(t *testing.T) {
	head := func(last int, generation string) sessionlog.Head {
		return sessionlog.Head{LastSeq: events.Seq(last), Generation: events.Generation(generation), OldestSeq: 1}
	}
	for name, c := range map[string]struct {
		cursor string
		heads  []sessionlog.Head
		want   int // heads on this connection
		then   string
	}{
		"grown past the cursor":        {"s:2", []sessionlog.Head{head(2, ""), head(3, "")}, 1, ""},
		"as long as it was":            {"s:2", []sessionlog.Head{head(2, ""), head(2, "")}, 1, ""},
		"a first lease":                {"s:2", []sessionlog.Head{head(3, ""), head(3, "4")}, 1, ""},
		"a lease that is gone":         {"s:2@4", []sessionlog.Head{head(2, "4"), head(3, "")}, 1, ""},
		"the same lease":               {"s:2@4", []sessionlog.Head{head(2, "4"), head(3, "4")}, 2, "tidemark.live"},
		"another lease":                {"s:2@4", []sessionlog.Head{head(2, "4"), head(3, "5")}, 2, `"reason":"generation_changed"`},
		"too short for the cursor":     {"s:2", []sessionlog.Head{head(2, ""), head(1, "")}, 2, `"reason":"cursor_ahead"`},
		"before anything was received": {"s:0", []sessionlog.Head{head(0, ""), head(0, "")}, 2, "tidemark.live"},
	} {
		t.Run(name, func(t *testing.T) {
			inner := memory.New(memory.Options{})
			created(t, inner, "s", 0)
			store := &tampered{Store: inner, heads: c.heads, cuts: 1}
			w := httptest.NewRecorder()
			o := serve.Options{OnError: func(_ string, err error) { t.Error(err) }}
			serve.New(store, o).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/sessions/s/events?cursor="+c.cursor, nil))
			require.Equal(t, http.StatusOK, w.Code)
			parts := strings.Split(w.Body.String(), "event: tidemark.head\n")
			require.Len(t, parts, 1+c.want)
			require.Contains(t, parts[c.want], c.then)
		})
	}
}
