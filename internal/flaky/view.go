package flaky

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// view is what the server takes one session to be, on one connection.
type view struct {
	session string
	cursor  cursor.Cursor
	head    replay.Head
	whole   bool       // the replay goes to the end of the recording
	from    events.Seq // what is sent begins behind it
	until   events.Seq // and ends with it
}

// views reads what a request asks for. A status that is not 0 is the answer to one
// that cannot be met.
func views(r *http.Request) (all []view, status int) {
	query := r.URL.Query()
	for _, session := range append([]string{r.PathValue("sessionId")}, query["session"]...) {
		if !slices.Contains(sessions, session) {
			return nil, http.StatusNotFound
		}
		all = append(all, view{session: session, cursor: cursor.Cursor{Session: session}})
	}
	tokens := query["cursor"]
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		tokens = append(tokens, id)
	}
	if !place(all, tokens) {
		return nil, http.StatusBadRequest
	}
	for i := range all {
		all[i].stand(query.Get("from") == "now")
	}
	return all, 0
}

// place puts the cursors of a request into their views.
func place(all []view, tokens []string) bool {
	for _, token := range tokens {
		c, err := cursor.Parse(token, 1)
		i := slices.IndexFunc(all, func(v view) bool { return v.session == c.Session })
		if err != nil || i < 0 {
			return false
		}
		all[i].cursor, all[i].from = c, c.Seq
	}
	return true
}

// stand says where the log of the session stands. It grows while a consumer that
// begins is there; to one that comes back everything has been recorded.
func (v *view) stand(now bool) {
	v.whole = v.cursor.Seq > 0
	v.head = replay.Head{LastSeq: last(v.session, v.whole), Generation: generation(v.session), OldestSeq: 1}
	v.until = last(v.session, true)
	if now && !v.whole {
		v.cursor.Seq, v.from = v.head.LastSeq, v.head.LastSeq
	}
}

// owes reports whether the view is owed an event.
func (v *view) owes(e *Event) bool {
	if e.Seq == 0 {
		return e.After >= v.from && e.After <= v.until
	}
	return e.Seq > v.from && e.Seq <= v.until
}

// meant reads the record of a fault. It reports whether it is of this session.
func (v *view) meant(f Fault) (events.Seq, bool) {
	c, err := cursor.Parse(f.Record, 1)
	return c.Seq, err == nil && c.Session == v.session
}

func skip(v *view, f Fault) {
	if seq, ok := v.meant(f); ok {
		v.from = seq
	}
}

func takeover(v *view, f Fault) {
	if _, ok := v.meant(f); ok {
		v.head.Generation = "8"
	}
}

func lose(v *view, f Fault) {
	if seq, ok := v.meant(f); ok {
		v.head.LastSeq, v.until = min(seq, v.head.LastSeq), seq
	}
}

func prune(v *view, f Fault) {
	if seq, ok := v.meant(f); ok {
		v.head.OldestSeq, v.from = seq+1, max(seq, v.from)
	}
}

// asked is what a request asks for, without what only this server reads.
func asked(query url.Values) string {
	var all []string
	for _, name := range []string{"session", "cursor", "from"} {
		for _, value := range query[name] {
			all = append(all, name+"="+value)
		}
	}
	return strings.Join(all, " ")
}
