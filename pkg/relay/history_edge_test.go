package relay_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-stream/tidemark/internal/relayhost"
	"github.com/tidemark-stream/tidemark/pkg/relay"
)

// log is a session log that answers pages and connections. Its events say which
// incarnation of the log they are of.
type log struct {
	last       int
	generation string
	of         func(seq int) string
	rises      int  // the first event under generation; those before have the one below; 0: all have it
	oldest     int  // that is retained; 0: 1
	bare       bool // events hold nothing that could be compared, and no generation
}

func (l *log) event(seq int) string {
	if l.bare {
		return fmt.Sprintf(`{"type":"x","sessionId":"s","seq":%d}`, seq)
	}
	fence := ""
	if l.generation != "" {
		fence = `,"generation":` + l.generation
	}
	if seq < l.rises {
		fence = `,"generation":6`
	}
	return fmt.Sprintf(`{"type":"x","sessionId":"s","seq":%d%s,"n":%q}`, seq, fence, l.of(seq))
}

func (l *log) token(seq int) string {
	if l.generation != "" && seq >= l.rises && !l.bare {
		return fmt.Sprintf("s:%d@%s", seq, l.generation)
	}
	return fmt.Sprintf("s:%d", seq)
}

func (l *log) head() string {
	more := ""
	if l.generation != "" {
		more = `,"generation":` + l.generation
	}
	return strings.Replace(head(l.last, more), `"oldestSeq":1`, fmt.Sprintf(`"oldestSeq":%d`, max(l.oldest, 1)), 1)
}

func (l *log) frames(from, to int) string {
	var b strings.Builder
	for seq := from; seq <= to; seq++ {
		fmt.Fprintf(&b, "id: %s\ndata: %s\n\n", l.token(seq), l.event(seq))
	}
	return b.String()
}

func (l *log) page(cursor string, limit int) []byte {
	since := seqOf(cursor)
	events := []string{}
	for seq := since + 1; seq <= min(l.last, since+limit); seq++ {
		events = append(events, l.event(seq))
	}
	fence := ""
	if l.generation != "" {
		fence = `,"generation":` + l.generation
	}
	return fmt.Appendf(nil, `{"head":{"lastSeq":%d%s,"oldestSeq":1},"events":[%s],"more":%t}`,
		l.last, fence, strings.Join(events, ","), since+limit < l.last)
}

func seqOf(token string) int {
	_, rest, _ := strings.Cut(token, ":")
	digits, _, _ := strings.Cut(rest, "@")
	n, _ := strconv.Atoi(digits)
	return n
}

func same(int) string { return "one" }

// edge drives a relay with pages: a cache, and the log as it is when it is asked.
type edge struct {
	*relayhost.Host
	log   *log
	cache map[string][]byte
	asked []string // of the server, in order
	down  bool     // the log route does not answer
	skips int      // events that the second connection leaves out at its start
	falls bool     // the second connection has a lower generation
	mark  string   // what each connection begins with
	key   string   // of the page that was asked for last
	last  bool     // what was asked for was the last order
	given []byte   // the page that was answered last
	stops int      // the relay is gone when it has asked this often for a page or a stream; 0: never
}

func (e *edge) run(orders []relay.Order) {
	for i := range orders {
		var ask struct {
			Key, Cursor string
			Limit       int
			Fresh       bool
		}
		o := orders[i]
		if o.Kind == relay.Fetch || o.Kind == relay.Join {
			_ = json.Unmarshal(o.Data, &ask)
			e.last, e.key = i == len(orders)-1, ask.Key
			if e.stops--; e.stops == 0 {
				return
			}
		}
		switch o.Kind {
		case relay.Fetch:
			e.page(ask.Key, ask.Cursor, ask.Limit, ask.Fresh)
			return
		case relay.Store:
			e.cache[string(o.Data)] = e.given
		case relay.Evict:
			delete(e.cache, string(o.Data))
		case relay.Join:
			e.asked = append(e.asked, "stream "+ask.Cursor)
			e.Came = nil
			if e.falls {
				e.stream(e.log.head() + e.log.frames(8, 8) + strings.ReplaceAll(e.log.frames(9, 10), `:6`, `:5`))
				return
			}
			e.stream(e.mark + e.log.head() + e.log.frames(seqOf(ask.Cursor)+1+e.skips, e.log.last) + live(e.log.last))
		default:
			e.Obey(orders[i : i+1])
		}
	}
}

func (e *edge) page(key, cursor string, limit int, fresh bool) {
	body, cached := e.cache[key], true
	if body == nil || fresh {
		e.asked = append(e.asked, fmt.Sprintf("page %s %d", cursor, limit))
		body, cached = e.log.page(cursor, limit), false
		if e.down {
			body = nil
		}
	}
	e.given = append([]byte(nil), body...)
	if body == nil {
		e.given = nil
	}
	e.run(clone(e.Relay.Page(e.given, cached)))
}

func (e *edge) stream(bytes string) {
	e.Came = append(e.Came, bytes...)
	copy(e.Relay.Reserve(len(bytes)), bytes)
	e.run(clone(e.Relay.Received(len(bytes))))
}

func clone(orders []relay.Order) []relay.Order {
	out := append([]relay.Order(nil), orders...)
	for i := range out {
		out[i].Data = append([]byte(nil), out[i].Data...)
	}
	return out
}

// serve answers a consumer that comes with a cursor, "" from the beginning.
func serve(t *testing.T, l *log, cursor string, cache map[string][]byte, down bool) *edge {
	o := relay.Options{Sessions: []string{"s"}, PageSize: 4}
	if cursor != "" {
		o.Cursors = at(seqOf(cursor))
	}
	e := &edge{Host: newHost(t, o), log: l, cache: cache, down: down}
	e.stream(l.head() + l.frames(seqOf(cursor)+1, l.last) + live(l.last))
	return e
}
