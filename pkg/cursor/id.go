package cursor

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

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
	var d ID
	d.Read(id, base)
	return d
}

// Read is [ReadID] in place.
func (id *ID) Read(text []byte, base events.Seq) {
	*id = ID{}
	n, ok := rawjson.Uint(text)
	if !ok {
		var t parts
		if !t.split(text) {
			return
		}
		n, id.Session, id.generation, id.fenced = t.seq, t.session, t.generation, t.fenced
	}
	id.Seq, id.OK = FromWire(events.Seq(n), base)
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

// Confirms reports whether the id is the token of a recorded event, as a server
// of ours writes it. It is the short answer for the id that fits; any other has
// to be read with [ReadID].
func Confirms(id []byte, e *events.Envelope, base events.Seq) bool {
	n := len(e.Session)
	if e.Seq == 0 || n == 0 || len(id) <= n+1 || id[n] != ':' || string(id[:n]) != string(e.Session) {
		return false
	}
	rest := id[n+1:]
	if at := len(rest) - len(e.Generation) - 1; at > 0 && rest[at] == '@' {
		if string(rest[at+1:]) != string(e.Generation) {
			return false
		}
		rest = rest[:at]
	}
	seq, ok := rawjson.Uint(rest)
	return ok && events.Seq(seq) == ToWire(e.Seq, base)
}
