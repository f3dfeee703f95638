package sse_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tidemark-stream/tidemark/pkg/sse"
)

func TestMediaType(t *testing.T) {
	for contentType, want := range map[string]string{
		"text/event-stream":                     sse.ContentType,
		"Text/Event-STREAM;charset=utf-8":       sse.ContentType,
		" \ttext/event-stream\t; charset=utf-8": sse.ContentType,
		"text/event-streams":                    "text/event-streams",
		"; charset=utf-8":                       "",
		"  ":                                    "",
		"":                                      "",
	} {
		assert.Equal(t, want, sse.MediaType(contentType), "%q", contentType)
	}
}
