// Package ask reads what a request for a stream wants of each session: where it starts
//
package ask

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Query is what a request says, in the order in which it says it. Absent is empty.
type Query struct {
	Sessions    []string   // each once, the one of the path first
	Cursors     []string   // of cursor=
	From        []string   // of from=
	LastEventID string     // of the header; "" when there is none
	Base        events.Seq // first seq on the wire, 0 or 1
}

// Ask is where one session starts.
type Ask struct {
	Cursor cursor.Cursor // where to start; of Seq 0 unless Known
	Known  bool          // a cursor was given
	Now    bool          // the head decides
}

// Read answers one Ask for each session. What contradicts itself is a fault of whoever
// asks: invalid_options, invalid_cursor or foreign_session.
func Read(q *Query) ([]Ask, *fault.Fault) {
	asks := make([]Ask, len(q.Sessions))
	for i, session := range q.Sessions {
		asks[i].Cursor.Session = session
	}
	for _, token := range q.Cursors {
		if f := takeCursor(asks, token, q.Base); f != nil {
			return nil, f
		}
	}
	if f := takeFrom(asks, q.From); f != nil {
		return nil, f
	}
	if q.LastEventID != "" {
		if f := takeLastEventID(asks, q.LastEventID, q.Base); f != nil {
			return nil, f
		}
	}
	return asks, nil
}

// find reads a token and finds the session that it is a cursor of.
func find(asks []Ask, token string, base events.Seq) (c cursor.Cursor, a *Ask, f *fault.Fault) {
	if f = c.Read(token, base); f != nil {
		return c, nil, f
	}
	for i := range asks {
		if asks[i].Cursor.Session == c.Session {
			return c, &asks[i], nil
		}
	}
	return c, nil, fault.New(fault.ForeignSession, "a cursor of a session that is asked for", "one of session "+quote(c.Session))
}

func takeCursor(asks []Ask, token string, base events.Seq) *fault.Fault {
	c, a, f := find(asks, token, base)
	if f != nil {
		return f
	}
	if a.Known {
		return fault.New(fault.InvalidOptions, "one cursor for a session", "two for "+quote(c.Session))
	}
	a.Cursor, a.Known = c, true
	return nil
}

// takeFrom reads from=, which is for the sessions without a cursor.
func takeFrom(asks []Ask, from []string) *fault.Fault {
	if len(from) == 0 {
		return nil
	}
	if len(from) > 1 || from[0] != "beginning" && from[0] != "now" {
		return fault.New(fault.InvalidOptions, "from=beginning or from=now, once", quote(from[len(from)-1]))
	}
	used := false
	for i := range asks {
		if !asks[i].Known {
			asks[i].Now, used = from[0] == "now", true
		}
	}
	if !used {
		return fault.New(fault.InvalidOptions, "either from= or cursor= for a session", "both")
	}
	return nil
}

// takeLastEventID lets the header of a reconnecting browser win for its session: the
// URL is the one it first connected with.
func takeLastEventID(asks []Ask, id string, base events.Seq) *fault.Fault {
	c, a, f := find(asks, id, base)
	if f != nil {
		return f
	}
	if a.Known {
		if older(c, a.Cursor) {
			return fault.New(fault.InvalidCursor, "a Last-Event-ID that continues "+quote(a.Cursor.Token(base)), quote(c.Token(base)))
		}
		if !c.Generation.IsSet() {
			c.Generation = a.Cursor.Generation
		}
	}
	a.Cursor, a.Known, a.Now = c, true, false
	return nil
}

// older reports a header that does not continue the query's cursor.
func older(header, query cursor.Cursor) bool {
	other := header.Generation.IsSet() && query.Generation.IsSet() && header.Generation != query.Generation
	return header.Seq < query.Seq || other
}

func quote(text string) string { return string(rawjson.AppendQuoted(nil, text)) }
