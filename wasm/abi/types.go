package abi

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// typeNames answers the names of the event table in the order of its indexes, so
// that a host can name the type of a row. An index is good for one instance.
func typeNames() []byte {
	out := []byte{'['}
	for i := range events.TypeCount {
		if i > 0 {
			out = append(out, ',')
		}
		out = rawjson.AppendQuoted(out, events.TypeAt(i).Name)
	}
	return append(out, ']')
}
