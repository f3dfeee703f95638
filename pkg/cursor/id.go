package cursor

import "github.com/tidemark-stream/tidemark/pkg/events"

// ID is an SSE id read as a token, in place: it aliases the id's bytes.
// OK is false when the id is no token; such an id says nothing.
type ID struct {
	Session    []byte
	Seq        events.Seq
	generation []byte
	fenced     bool
	OK         bool
}

// ReadID reads the id line of a frame without allocating. A bare number is read
// too, without a session: servers that number one stream write that.
func ReadID(id []byte, base events.Seq) ID {
	if n, ok := digits(id); ok {
		seq, ok := FromWire(events.Seq(n), base)
		return ID{Seq: seq, OK: ok}
	}
	t, ok := splitToken(id)
	if !ok {
		return ID{}
	}
	seq, ok := FromWire(events.Seq(t.seq), base)
	return ID{Session: t.session, Seq: seq, generation: t.generation, fenced: t.fenced, OK: ok}
}

// Contradicts reports whether the id names another place than the event does.
// What either side leaves out contradicts nothing, and neither does an id that
// is no full token: it is some other server's numbering.
func (id ID) Contradicts(e *events.Envelope) bool {
	if !id.OK || id.Session == nil || e.Seq == 0 {
		return false
	}
	if e.Seq != id.Seq || (e.Session != nil && string(e.Session) != string(id.Session)) {
		return true
	}
	return id.fenced && e.Generation != nil && !id.isGeneration(e.Generation)
}

// isGeneration compares the escaped token with a plain one, byte by byte.
func (id ID) isGeneration(g []byte) bool {
	rest := id.generation
	for _, want := range g {
		if len(rest) == 0 {
			return false
		}
		b, width := unescapeByte(rest)
		if width == 0 || b != want {
			return false
		}
		rest = rest[width:]
	}
	return len(rest) == 0
}
