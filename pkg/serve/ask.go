package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// wireBase is the first seq on the wire of this protocol.
const wireBase = 1

// ask is what a request wants of one session.
type ask struct {
	cursor cursor.Cursor // where to start; of Seq 0 unless known
	known  bool          // a cursor was given
	now    bool          // from=now: the head decides
}

// sessionsOf lists the sessions a request names, the one of its path first, each
// once. It stops at one more than most: a request costs no more than it may ask.
func sessionsOf(r *http.Request, most int) []string {
	out := []string{r.PathValue("sessionId")}
	for _, session := range r.URL.Query()["session"] {
		if len(out) > most {
			break
		}
		if !slices.Contains(out, session) {
			out = append(out, session)
		}
	}
	return out
}

// queryOf is the query as a whole, because what is left out of it could be a cursor.
func queryOf(r *http.Request) (url.Values, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, fault.New(fault.InvalidOptions, "a query that can be read", "one with a broken escape or a semicolon")
	}
	return query, nil
}

// once refuses a query that has one of these parameters more than once: two readers
// of it could take two things from it.
func once(query url.Values, names ...string) error {
	for _, name := range names {
		if n := len(query[name]); n > 1 {
			return fault.New(fault.InvalidOptions, name+"= once", strconv.Itoa(n)+" of them")
		}
	}
	return nil
}

// readAsks reads where each session is to start.
func readAsks(r *http.Request, sessions []string) ([]ask, error) {
	asks := make([]ask, len(sessions))
	for i, session := range sessions {
		asks[i].cursor.Session = session
	}
	query, err := queryOf(r)
	if err != nil {
		return nil, err
	}
	for _, token := range query["cursor"] {
		if err := takeCursor(asks, token); err != nil {
			return nil, err
		}
	}
	if err := takeFrom(asks, query["from"]); err != nil {
		return nil, err
	}
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		return asks, takeLastEventID(asks, id)
	}
	return asks, nil
}

// find reads a token and finds the session that it is a cursor of.
func find(asks []ask, token string) (cursor.Cursor, *ask, error) {
	c, err := cursor.Parse(token, wireBase)
	if err != nil {
		return c, nil, err
	}
	for i := range asks {
		if asks[i].cursor.Session == c.Session {
			return c, &asks[i], nil
		}
	}
	return c, nil, fault.New(fault.ForeignSession, "a cursor of a session that is asked for", "one of session "+strconv.Quote(c.Session))
}

func takeCursor(asks []ask, token string) error {
	c, a, err := find(asks, token)
	if err != nil {
		return err
	}
	if a.known {
		return fault.New(fault.InvalidOptions, "one cursor for a session", "two for "+strconv.Quote(c.Session))
	}
	a.cursor, a.known = c, true
	return nil
}

// takeFrom reads from=, which is for the sessions without a cursor.
func takeFrom(asks []ask, from []string) error {
	if len(from) == 0 {
		return nil
	}
	if len(from) > 1 || (from[0] != "beginning" && from[0] != "now") {
		return fault.New(fault.InvalidOptions, "from=beginning or from=now, once", strconv.Quote(from[len(from)-1]))
	}
	used := false
	for i := range asks {
		if !asks[i].known {
			asks[i].now, used = from[0] == "now", true
		}
	}
	if !used {
		return fault.New(fault.InvalidOptions, "either from= or cursor= for a session", "both")
	}
	return nil
}

// takeLastEventID lets the header of a reconnecting browser win for its session:
// the URL is the one it first connected with.
func takeLastEventID(asks []ask, id string) error {
	c, a, err := find(asks, id)
	if err != nil {
		return err
	}
	if a.known {
		if err := newer(c, a.cursor); err != nil {
			return err
		}
		if !c.Generation.IsSet() {
			c.Generation = a.cursor.Generation
		}
	}
	a.cursor, a.known, a.now = c, true, false
	return nil
}

// newer reports a header that does not continue the query's cursor.
func newer(header, query cursor.Cursor) error {
	older := header.Seq < query.Seq
	other := header.Generation.IsSet() && query.Generation.IsSet() && header.Generation != query.Generation
	if !older && !other {
		return nil
	}
	return fault.New(fault.InvalidCursor, "a Last-Event-ID that continues "+strconv.Quote(query.Token(wireBase)), strconv.Quote(header.Token(wireBase)))
}
