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
	w := rawjson.BeginList(m.out)
	for i := range events.TypeCount {
		w.Text("", events.TypeAt(i).Name)
	}
	m.out = w.EndList()
	return len(m.out)
}
