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
	Generation []byte // without its escapes; nil when the id has none
	OK         bool
}

// ReadID reads the id line of a frame; only an escaped generation costs a copy. A
// bare number is read too, without a session: servers that number one stream
// write that.
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
		n, id.Session = t.seq, t.session
		if id.Generation, ok = t.unescaped(); !ok || !isName(t.session) {
			return
		}
	}
	id.Seq, id.OK = FromWire(events.Seq(n), base)
}

// Contradicts reports whether the id names another place than the event does.
// What either side leaves out contradicts nothing, and neither does an id that
// is no full token: it is some other server's numbering.
func (id *ID) Contradicts(e *events.Envelope) bool {
	if !id.OK || id.Session == nil || e.Seq == 0 {
		return false
	}
	if e.Seq != id.Seq || (e.Session != nil && string(e.Session) != string(id.Session)) {
		return true
	}
	return id.Generation != nil && e.Generation != nil && string(id.Generation) != string(e.Generation)
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
		if len(e.Generation) == 0 || string(rest[at+1:]) != string(e.Generation) || !allPlain(e.Generation) {
			return false
		}
		rest = rest[:at]
	}
	seq, ok := rawjson.Uint(rest)
	return ok && events.Seq(seq) == ToWire(e.Seq, base)
}

// allPlain reports whether a generation stands in a token as it is.
func allPlain(generation []byte) bool {
	for _, b := range generation {
		if !plain(b) {
			return false
		}
	}
	return true
}
