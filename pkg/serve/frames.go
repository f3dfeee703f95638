package serve

import "github.com/tidemark-stream/tidemark/pkg/sse"

// appendEvent writes one event; token is nil for one that is not recorded.
func appendEvent(dst, token, text []byte) ([]byte, error) {
	return sse.AppendEvent(dst, sse.Out{ID: token, Data: text})
}
