package serve_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// discarding takes everything and ends the request once the replay is over.
type discarding struct {
	header http.Header
	bytes  int64
	close  func()
}

func (d *discarding) Header() http.Header { return d.header }
func (d *discarding) WriteHeader(int)     {}
func (d *discarding) Flush()              {}

func (d *discarding) Write(b []byte) (int, error) {
	d.bytes += int64(len(b))
	if len(b) < 200 && strings.Contains(string(b), "tidemark.live") {
		d.close()
	}
	return len(b), nil
}

// BenchmarkReplay streams a log of 10,000 events of about 500 bytes.
func BenchmarkReplay(b *testing.B) {
	store := memory.New(memory.Options{})
	log, err := store.Create(b.Context(), "s")
	require.NoError(b, err)
	text := []byte(`{"type":"message_completed","turnId":"t1","iteration":1,"messageId":"m1","stopReason":"end","content":"` + strings.Repeat("text ", 70) + `"}`)
	for range 10_000 {
		_, err := log.Append(b.Context(), "", text)
		require.NoError(b, err)
	}
	for b.Loop() {
		handler := serve.New(store, serve.Options{})
		d := &discarding{header: http.Header{}, close: handler.Close}
		handler.ServeHTTP(d, httptest.NewRequest(http.MethodGet, "/v1/sessions/s/events", nil))
		b.SetBytes(d.bytes)
	}
}
