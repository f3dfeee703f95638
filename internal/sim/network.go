package sim

import (
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// dial makes a connection that nobody has answered yet.
func (w *world) dial(asks []link.Ask) *conn {
	c := &conn{beat: w.real}
	for i := range asks {
		a := &asks[i]
		lane := w.laneOf(a.Session)
		s := served{lane: lane, log: w.logs[lane], now: a.Start == link.FromNow}
		if a.Start == link.FromCursor {
			s.seq, s.gen = int(a.Cursor.Seq), string(a.Cursor.Generation)
		}
		s.view = s.log.view
		if n := len(s.log.past); n > 0 && w.faulty(stales) && w.dice.one(3) {
			s.own, s.view = true, s.log.past[w.dice.below(n)]
		}
		c.served = append(c.served, s)
	}
	return c
}

// laneOf is the index of a session; without a name there is only one.
func (w *world) laneOf(session string) int {
	for i, l := range w.logs {
		if l.id == session {
			return i
		}
	}
	return 0
}

// answer lets the server answer a connection.
func (w *world) answer() {
	c := w.client.conn
	if c == nil || c.answered || c.silent {
		return
	}
	if r, ok := w.otherAnswer(c); ok {
		w.client.answered(r)
		return
	}
	if w.faulty(silences) && w.dice.one(12) {
		c.silent = true
		return
	}
	c.answered, c.beat = true, w.real
	w.client.answered(link.Response{Status: 200, ContentType: "text/event-stream"})
	if w.dice.one(8) {
		w.sendNonsense()
	}
	for i := range c.served {
		w.attach(&c.served[i])
	}
}

// answers are what servers answer in place of a stream.
var answers = [...]link.Response{
	{Status: 503},
	{Status: 503, RetryAfter: 7_000},
	{Status: 429, RetryAfter: 20_000},
	{Status: 500},
	{Status: 425},
	{Status: 503},
	{Status: 429, RetryAfter: 1_000},
	{Status: 502},
	{Status: 410},
	{Status: 409, Body: []byte(`{"code":"whatever"}`)},
	{Status: 401},
	{Status: 404},
	{Status: 200, ContentType: "text/html"},
}

// otherAnswer is an answer that is no stream, if there is one.
func (w *world) otherAnswer(c *conn) (link.Response, bool) {
	if w.faulty(statuses) && w.dice.one(4) {
		if w.climate.renews && w.dice.one(2) {
			return link.Response{Status: 401 + 2*w.dice.below(2)}, true
		}
		return answers[w.dice.below(len(answers))], true
	}
	for i := range c.served {
		s := &c.served[i]
		if !s.log.ended || s.own || s.now || s.seq != s.log.last() || s.gen != "" && s.gen != s.log.gen {
			return link.Response{}, false
		}
	}
	return link.Response{Status: 204}, true
}

// refusalIn is what the status of an answer refuses every session for.
func refusalIn(status int) (fault.Reason, fault.Detail) {
	if status == 409 || status == 410 {
		return fault.ReasonGap, fault.DetailHTTPStatus
	}
	return fault.NoReason, fault.NoDetail
}

// cut ends the connection, at any byte that has not arrived yet.
func (w *world) cut(e ending) {
	c := w.client.conn
	if c == nil || !c.answered || c.ending != lasting {
		return
	}
	c.ending, c.stop = e, c.fed+w.dice.below(len(c.body)-c.fed+1)
	if w.dice.one(2) {
		c.stop = len(c.body)
	}
	if w.telling {
		w.tell("network  will end the connection (%s) after %d of %d bytes", [...]string{"", "cleanly", "torn"}[e], c.stop, len(c.body))
	}
}

// arrive lets some bytes arrive, or the end of the connection. False: there was
// neither.
func (w *world) arrive() bool {
	c := w.client.conn
	if c == nil || !c.answered || c.silent {
		return false
	}
	end := len(c.body)
	if c.ending != lasting {
		end = c.stop
	}
	switch {
	case c.fed < end:
		n := w.dice.between(1, min(w.climate.chunk, end-c.fed))
		w.client.feed(n)
	case c.ending != lasting:
		w.client.closed(c.ending == torn)
	default:
		return false
	}
	return true
}

// take answers the facts that are told once n more bytes have arrived.
func (c *conn) take(n int) []fact {
	c.fed += n
	told := 0
	for told < len(c.facts) && c.facts[told].end <= c.fed {
		told++
	}
	facts := c.facts[:told]
	c.facts = c.facts[told:]
	return facts
}
