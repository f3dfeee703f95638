// Package cursor says where a consumer left off, and what each live event means
// to it.
//
// A [Cursor] is the place of one consumer in the log of one session. [Parse] and
// [Cursor.Token] turn it into text and back. A [Tracker] holds a cursor and
// judges events one at a time with [Tracker.Observe]: accept, pass, duplicate,
// gap, generation changed, invalid. Only an accepted event moves the cursor, and
// seq and generation always move together. A [Prover] digests the event that a
// cursor stands on, which is what tells a log from another one with the same
// numbers when there are no generations.
//
// Trackers and decisions are filled in where they stand, and [Tracker.Place] is seen
// there: they hold text, and in a module each copy of them is code and time. A cursor
// alone is a value. [Parse] is for everybody; [Cursor.Read] answers a fault and no
// error, for modules that would carry the texts of all errors for the sake of one.
//
// The package never reads a clock, never blocks, never keeps a reference to the
// bytes it is shown, and allocates nothing while it judges. It is not safe for
// concurrent use.
package cursor

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Cursor is the last recorded event a consumer received.
type Cursor struct {
	Session    string            // not empty, no control characters; may hold colons
	Seq        events.Seq        // 0: before the first event
	Generation events.Generation // of that event; "" when it had none or none is adopted yet
}

// Parse reads a token: <session>:<seq> or <session>:<seq>@<generation>. The last
// colon splits, so session ids may hold colons. base is the first seq on the
// wire, 0 or 1: with base 0 the wire number n is seq n+1.
//
// Anything else is a fault with the ID fault.InvalidCursor.
func Parse(token string, base events.Seq) (Cursor, error) {
	var c Cursor
	if f := c.Read(token, base); f != nil {
		return Cursor{}, f
	}
	return c, nil
}

// Read is [Parse] into c, with the fault itself in place of an error. (A module
// that never makes an error of a fault carries none of the texts of errors.)
func (c *Cursor) Read(token string, base events.Seq) *fault.Fault {
	if !c.read(token, base) {
		return invalidToken(token)
	}
	return nil
}

func (c *Cursor) read(token string, base events.Seq) bool {
	var t parts
	if !t.split([]byte(token)) {
		return false
	}
	generation, ok := t.unescaped()
	c.Session, c.Generation = string(t.session), events.Generation(generation)
	if ok {
		c.Seq, ok = FromWire(events.Seq(t.seq), base)
	}
	return ok && ValidSession(c.Session)
}

// Token is the text of c; see [Cursor.AppendToken].
func (c Cursor) Token(base events.Seq) string {
	return string(c.appendToken(nil, base))
}

// WriteToken writes the token of c as a member, unless it has none.
func (c *Cursor) WriteToken(w *rawjson.Writer, name string, base events.Seq) {
	w.Known(name, string(c.appendToken(nil, base)))
}

// AppendToken appends the token of c. The fenced form is used whenever c has a
// generation. With base 0 a cursor before the first event has no token, and
// nothing is appended.
func (c Cursor) AppendToken(dst []byte, base events.Seq) []byte {
	return c.appendToken(dst, base)
}

func (c *Cursor) appendToken(dst []byte, base events.Seq) []byte {
	if base == 0 && c.Seq == 0 {
		return dst
	}
	dst = append(dst, c.Session...)
	dst = append(dst, ':')
	dst = rawjson.AppendInt(dst, int64(ToWire(c.Seq, base)))
	if c.Generation.IsSet() {
		dst = append(dst, '@')
		dst = appendEscaped(dst, string(c.Generation))
	}
	return dst
}

// ToWire is the number that stands for seq on a wire that starts at base.
func ToWire(seq, base events.Seq) events.Seq { return seq - (1 - base) }

// parts is what a token's text is made of, in place and still escaped.
type parts struct {
	session    []byte
	seq        uint64
	generation []byte // nil without an @
}

func (t *parts) split(text []byte) (ok bool) {
	colon := len(text) - 1
	for colon > 0 && text[colon] != ':' {
		colon--
	}
	if colon <= 0 {
		return false
	}
	t.session = text[:colon]
	end := colon + 1
	for end < len(text) && text[end] != '@' {
		end++
	}
	if end < len(text) {
		t.generation = text[end+1:]
	}
	t.seq, ok = rawjson.Uint(text[colon+1 : end])
	return ok
}

// FromWire is the seq that a wire number stands for; false beyond the largest.
func FromWire(n, base events.Seq) (events.Seq, bool) {
	seq := n + (1 - base)
	return seq, seq <= events.MaxSeq
}

// ValidSession reports whether id can name a session: not empty, valid UTF-8
// and free of control characters.
func ValidSession(id string) bool { return events.IsName(id) }

func invalidToken(token string) *fault.Fault {
	return fault.New(fault.InvalidCursor, "<session>:<seq> or <session>:<seq>@<generation>", shorten(token))
}

// shorten keeps messages readable whatever was passed in.
func shorten(s string) string {
	const most = 80
	if len(s) <= most {
		return string(rawjson.AppendQuoted(nil, s))
	}
	return string(rawjson.AppendQuoted(nil, s[:most])) + "…"
}
