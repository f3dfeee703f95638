package abi

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// Types answers the names of the event table, as a JSON list in the order of its
// indexes, so that a host can name the type of a row; the length is returned. An
// index is good for one version of the module.
func (m *Links) Types() int {
	m.reuse()
	m.out = append(m.out, '[')
	for i := range events.TypeCount {
		if i > 0 {
			m.out = append(m.out, ',')
		}
		m.out = rawjson.AppendQuoted(m.out, events.TypeAt(i).Name)
	}
	m.out = append(m.out, ']')
	return len(m.out)
}
