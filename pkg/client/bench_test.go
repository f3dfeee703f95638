package client_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tidemark-stream/tidemark/internal/flaky"
	"github.com/tidemark-stream/tidemark/pkg/client"
)

// BenchmarkNext is what an event costs from a body that is there to an item that
// was handed over.
func BenchmarkNext(b *testing.B) {
	const last = 50_000
	body := records(1, last) + "event: tidemark.end\ndata: {\"sessionId\":\"s\",\"reason\":\"done\"}\n\n"
	http := &http.Client{Transport: flaky.Transport(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.Copy(w, strings.NewReader(body))
	}))}
	b.SetBytes(int64(len(body)) / last)
	b.ReportAllocs()
	for n := 0; n < b.N; {
		stream, err := client.Open(b.Context(), one("s"), client.Options{Client: http})
		if err != nil {
			b.Fatal(err)
		}
		for item, err := range stream.Items() {
			if err != nil {
				b.Fatal(err)
			}
			if _, ok := item.(client.Event); ok {
				n++
			}
		}
	}
}
