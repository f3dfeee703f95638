package relay

import (
	"github.com/tidemark-stream/tidemark/pkg/ask"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Ask sets what a request for the stream says: which sessions it asks for and where
// each starts, read as its server reads it. Without sessions, those of
// the cursors are asked for; without these either, the server names one. Set the
// profile before: the base of the query is taken from it. What contradicts itself is
// the fault of whoever asks.
func (o *Options) Ask(q *ask.Query) *fault.Fault {
	read := *q
	read.Base = o.base()
	if len(read.Sessions) == 0 {
		read.Sessions = named(&read)
	}
	o.header(&read)
	if len(read.Sessions) == 0 {
		return o.askUnnamed(&read)
	}
	asks, f := ask.Read(&read)
	if f != nil {
		return f
	}
	o.Sessions = read.Sessions
	for i := range asks {
		if asks[i].Now {
			o.From = link.FromNow
		}
		if asks[i].Known {
			o.Cursors = append(o.Cursors, asks[i].Cursor)
		}
	}
	return nil
}

// header reads a Last-Event-ID of a stream that is not ours, whose ids need be no tokens
// . One that says nothing says only that the consumer is somewhere behind where its
// address starts: then the first event tells.
func (o *Options) header(q *ask.Query) {
	if q.LastEventID == "" {
		return
	}
	p := o.profile()
	id := cursor.ReadID([]byte(q.LastEventID), q.Base)
	switch {
	case p.Scope == profile.ScopeConnection: // its numbers are those of a connection that is gone
		q.LastEventID = ""
	case id.OK && id.Session != nil:
	case id.OK && p.Position == profile.InID && len(q.Sessions) == 1:
		q.LastEventID = (&cursor.Cursor{Session: q.Sessions[0], Seq: id.Seq}).Token(q.Base)
	case !p.Control:
		q.LastEventID, q.Cursors, q.From = "", nil, []string{"now"}
	}
}

func (o *Options) profile() *profile.Profile {
	if o.Profile == nil {
		return &profile.Session
	}
	return o.Profile
}

func (o *Options) base() events.Seq { return o.profile().Base }

// askUnnamed reads where a session starts that only the server can name.
func (o *Options) askUnnamed(q *ask.Query) *fault.Fault {
	q.Sessions = []string{"?"}
	asks, f := ask.Read(q)
	if f == nil && asks[0].Now {
		o.From = link.FromNow
	}
	return f
}

// named are the sessions of the tokens, each once. What is no token is named by whoever
// reads it.
func named(q *ask.Query) (sessions []string) {
	for i := range len(q.Cursors) + 1 {
		token := q.LastEventID
		if i < len(q.Cursors) {
			token = q.Cursors[i]
		}
		var c cursor.Cursor
		if token != "" && c.Read(token, q.Base) == nil && !holds(sessions, c.Session) {
			sessions = append(sessions, c.Session)
		}
	}
	return sessions
}

func holds(sessions []string, session string) bool {
	for _, known := range sessions {
		if known == session {
			return true
		}
	}
	return false
}
