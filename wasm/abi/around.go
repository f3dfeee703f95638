package abi

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// frameRow is the row of what the frames of the events behind it have in common.
const frameRow link.Kind = 20

// around is what the host was told of the frames that events come in.
type around struct {
	wanted   bool
	told     bool
	name, id string
}

// differs reports whether the host has to be told anew, and takes it for told.
func (s *around) differs(l *link.Link) bool {
	if !s.wanted {
		return false
	}
	name, id := l.Frame()
	if s.told && s.name == string(name) && s.id == string(id) {
		return false
	}
	s.told, s.name, s.id = true, string(name), string(id)
	return true
}

func (c *channel) frame(r *row, a *link.Action) {
	r.clear(frameRow, laneOf(a))
	w := rawjson.Begin(nil)
	w.Known("name", c.around.name)
	w.Known("id", c.around.id)
	c.ours(r, w.End())
}

// writeAside writes a frame that is no event.
func (c *channel) writeAside(w *rawjson.Writer, a *link.Action) {
	name, id := c.link.Frame()
	w.Known("name", string(name))
	w.Known("id", string(id))
	w.Text("data", string(a.Data))
}
