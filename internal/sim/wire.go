package sim

import (
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// fact is what one frame tells its reader.
type fact struct {
	kind factKind
	lane int     // of the session it is about
	rec  *record // of a recorded event
	gen  string  // of an event or a head; "" when it names none
	text []byte  // of an event, as it was sent
	flaw flaw
	bent bool // its server has gone on in another log without a new connection

	ephemeral bool // of a draft: a restart voids it
	tail      *record
	last      int // of a head or live frame; of noise the retry field
	oldest    int
	reason    fault.Reason
	detail    fault.Detail

	end int // how much of the body has to arrive until it is told
}

// seq is that of a recorded event, 0 for anything else.
func (f *fact) seq() int { return seqOf(f.rec) }

type factKind uint8

const (
	noise    factKind = iota // nothing that a reader may act on
	junk                     // a control frame that is none
	headed                   // tidemark.head
	caughtUp                 // tidemark.live
	denied                   // tidemark.refused
	over                     // tidemark.end
	event                    // a recorded event
	draft                    // an event of the session that is not recorded
	relayed                  // an event of another session, not recorded
)

var factNames = [...]string{"noise", "junk", "head", "live", "refused", "end", "event", "draft", "relayed event"}

// flaw is how an event differs from what its server was to send.
type flaw uint8

const (
	flawless  flaw = iota
	malformed      // the text is no event
	mismatch       // the id names another place
	foreign        // it is of a session that was not asked for
	homeless       // it names no session, on a stream of several
)

var flawNames = [...]string{"", "malformed", "with an id that contradicts it", "of a foreign session", "without a session"}

// conn is one connection, from the side of its server and of the network.
type conn struct {
	served   []served
	answered bool
	body     []byte
	fed      int    // bytes of body that arrived
	facts    []fact // those that did not arrive as a whole
	silent   bool   // nothing arrives any more, and nobody says so
	ending   ending
	stop     int   // where in the body it ends, when it does
	beat     int64 // when the latest frame was sent
	lame     bool  // a frame was dropped that its consumer cannot miss, and after which nothing may come
}

type ending uint8

const (
	lasting ending = iota
	clean
	torn
)

// send puts a frame on the wire, where it may be left out or come twice. False: it
// was left out.
func (w *world) send(f fact, frame []byte) bool {
	c := w.client.conn
	if c == nil || c.ending != lasting {
		return true
	}
	if f.kind != noise && w.faulty(drops) && w.dice.one(w.climate.every) {
		if w.telling {
			w.tell("network  drops %s", w.factText(&f))
		}
		c.lame = c.lame || w.client.cannotMiss(&f)
		return false
	}
	w.put(c, f, frame)
	if f.kind != noise && w.faulty(doubles) && w.dice.one(w.climate.every) {
		w.put(c, f, frame)
	}
	return true
}

func (w *world) put(c *conn, f fact, frame []byte) {
	if w.telling && f.kind != noise {
		w.tell("server   sends %s", w.factText(&f))
	}
	if f.kind == noise && f.last > 0 {
		w.client.retry = link.Millis(f.last) // it counts before its frame has ended
	}
	if w.climate.mark && len(c.body) == 0 {
		c.body = append(c.body, "\xef\xbb\xbf"...)
	}
	c.body = append(c.body, frame...)
	f.end = len(c.body) - index(w.climate.crlf) // a CR ends the line already
	c.facts = append(c.facts, f)
	c.beat = w.real
}

// sendRecord sends a recorded event, in whatever state. gen is that of the
// server's cursor, for the id.
func (w *world) sendRecord(s *served, r *record, gen string) {
	f := fact{kind: event, lane: s.lane, rec: r, gen: r.gen, text: r.text, flaw: w.drawFlaw(r), bent: s.bent}
	if r.poison == lost && !w.quiet {
		if w.telling {
			w.tell("server   leaves out %s", w.factText(&f))
		}
		if c := w.client.conn; c != nil {
			c.lame = c.lame || w.client.cannotMiss(&f)
		}
		return
	}
	id := w.token(s.log.id, r.seq, gen)
	switch f.flaw {
	case malformed:
		f.text = r.text[:len(r.text)-1]
	case mismatch:
		id = w.token(s.log.id, r.seq+1, gen)
	case foreign:
		f.text, id = w.eventText(foreignSession, "message_completed", r.seq, ""), nil
	case homeless:
		f.text, id = []byte(`{"type":"message_completed","seq":1}`), nil
	}
	w.send(f, w.eventFrame(id, f.text))
}

func (w *world) drawFlaw(r *record) flaw {
	if r.poison == broken && !w.quiet {
		return malformed
	}
	if !w.faulty(spoils) || !w.dice.one(w.climate.every) {
		return flawless
	}
	f := malformed + flaw(w.dice.below(4))
	c := &w.climate
	if f == mismatch && c.idless || f == foreign && c.unnamed || f == homeless && c.lanes == 1 {
		return malformed
	}
	return f
}

// sendDraft sends an event that is not recorded.
func (w *world) sendDraft(s *served, gen string) {
	f := fact{kind: draft, lane: s.lane, gen: gen, ephemeral: !w.dice.one(4)}
	typeName := "agent_pending"
	if f.ephemeral {
		typeName = "text_delta"
	}
	f.text = w.eventText(s.log.id, typeName, 0, gen)
	w.send(f, w.eventFrame(nil, f.text))
}

// sendRelayed sends an event of a session that nobody asked for.
func (w *world) sendRelayed(s *served) {
	if w.climate.unnamed {
		return
	}
	f := fact{kind: relayed, lane: s.lane, gen: "999"}
	f.text = w.eventText(foreignSession, "text_delta", 0, f.gen)
	w.send(f, w.eventFrame(nil, f.text))
}

// nonsense are frames that mean nothing, or that cannot be read.
var nonsense = [...]struct {
	kind factKind
	out  sse.Out
}{
	{noise, sse.Out{Comment: []byte("beat")}},
	{noise, sse.Out{Event: []byte("ping"), Data: []byte("not for us")}},
	{noise, sse.Out{Event: []byte("tidemark.tomorrow"), Data: []byte("{}")}},
	{noise, sse.Out{Data: []byte("")}},
	{noise, sse.Out{Retry: 3000, HasRetry: true}},
	{noise, sse.Out{ID: []byte("s1:4096@77")}},
	{junk, sse.Out{Event: []byte("tidemark.head"), Data: []byte(`{"lastSeq":3}`)}},
	{junk, sse.Out{Event: []byte("tidemark.live"), Data: []byte(`{"sessionId":"nobody","lastSeq":3}`)}},
	{junk, sse.Out{Event: []byte("tidemark.refused"), Data: []byte(`{"sessionId":"s1"}`)}},
}

// sendNonsense sends a frame of no session.
func (w *world) sendNonsense() {
	n := &nonsense[w.dice.below(len(nonsense))]
	if n.kind == junk && !w.faulty(spoils) || n.kind == junk && w.climate.unnamed {
		n = &nonsense[0]
	}
	w.send(fact{kind: n.kind, lane: -1, last: int(n.out.Retry)}, w.frame(n.out))
}
