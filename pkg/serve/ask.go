package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/ask"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// wireBase is the first seq on the wire of this protocol.
const wireBase = 1

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
func readAsks(r *http.Request, sessions []string) ([]ask.Ask, error) {
	query, err := queryOf(r)
	if err != nil {
		return nil, err
	}
	asks, f := ask.Read(&ask.Query{
		Sessions: sessions, Cursors: query["cursor"], From: query["from"],
		LastEventID: r.Header.Get("Last-Event-ID"), Base: wireBase,
	})
	if f != nil {
		return nil, f
	}
	return asks, nil
}
