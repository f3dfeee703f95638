package sim

import (
	"bytes"
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// sessions are the ids of logs; foreignSession is of none that is asked for.
var sessions = [...]string{"s1", "s:2", "sé3"}

const foreignSession = "other"

// fillers go into payloads, so that bytes are cut inside of all sorts.
var fillers = [...]string{"", "ok", "grün 🌊", `a\nb`, `\"data: \"`, "0123456789012345678901234567890123456789"}

// wire is the number that stands for a seq on the wire.
func (w *world) wire(seq int) int { return seq - 1 + w.climate.base }

// eventText writes one event; seq 0 is not recorded. No two have the same text.
func (w *world) eventText(session, typeName string, seq int, gen string) []byte {
	w.made++
	b := make([]byte, 0, 160)
	b = append(b, `{"type":"`...)
	b = append(b, typeName...)
	b = append(b, '"')
	if w.climate.bare {
		b = w.appendFiller(b)
	}
	if seq > 0 {
		b = strconv.AppendInt(append(b, `,"seq":`...), int64(w.wire(seq)), 10)
	}
	b = w.appendGeneration(b, gen)
	if !w.climate.anonymous || session == foreignSession {
		b = append(b, `,"sessionId":"`...)
		b = append(b, session...)
		b = append(b, '"')
	}
	b = append(strconv.AppendInt(append(b, `,"turnId":"t`...), int64(w.made), 10), '"') // tells it from all others
	if !w.climate.bare {
		b = w.appendFiller(b)
	}
	return append(b, '}')
}

func (w *world) appendFiller(b []byte) []byte {
	b = strconv.AppendInt(append(b, `,"n":`...), int64(w.made), 10)
	b = append(b, `,"text":"`...)
	b = append(b, fillers[w.dice.below(len(fillers))]...)
	return append(b, '"')
}

func (w *world) appendGeneration(b []byte, gen string) []byte {
	if gen == "" {
		return b
	}
	b = append(b, `,"generation":`...)
	if w.climate.names || w.climate.quoted {
		return append(append(append(b, '"'), gen...), '"')
	}
	return append(b, gen...)
}

// frame writes one frame, with the line ends of this world.
func (w *world) frame(out sse.Out) []byte {
	b, err := sse.AppendEvent(w.scratch[:0], out)
	if err != nil {
		w.fail("the encoder refused a frame: %v", err)
	}
	w.scratch = b
	if w.climate.crlf {
		return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
	}
	return b
}

func (w *world) eventFrame(id, text []byte) []byte {
	if w.climate.idless {
		id = nil
	}
	return w.frame(sse.Out{ID: id, Data: text})
}

// token is the id of a record as a server writes it whose cursor stands there.
func (w *world) token(session string, seq int, gen string) []byte {
	c := cursor.Cursor{Session: session, Seq: events.Seq(seq), Generation: events.Generation(gen)}
	return c.AppendToken(nil, events.Seq(w.climate.base))
}

func (w *world) control(name string, data []byte) []byte {
	return w.frame(sse.Out{Event: []byte("tidemark." + name), Data: data})
}

// about begins the data of a control frame.
func about(session string) []byte {
	return append(append([]byte(`{"sessionId":"`), session...), '"')
}

func (w *world) headData(session string, f *fact) []byte {
	b := about(session)
	if f.last > 0 || w.climate.base == 1 {
		b = strconv.AppendInt(append(b, `,"lastSeq":`...), int64(w.wire(f.last)), 10)
	}
	b = w.appendGeneration(b, f.gen)
	b = strconv.AppendInt(append(b, `,"oldestSeq":`...), int64(w.wire(f.oldest)), 10)
	return append(b, '}')
}

func (w *world) liveData(session string, last int) []byte {
	b := about(session)
	if last > 0 || w.climate.base == 1 {
		b = strconv.AppendInt(append(b, `,"lastSeq":`...), int64(w.wire(last)), 10)
	}
	return append(b, '}')
}

func refusedData(session string, f *fact) []byte {
	b := append(about(session), `,"reason":"`...)
	b = append(append(b, f.reason.String()...), '"')
	if d := f.detail.String(); d != "" {
		b = append(append(append(b, `,"detail":"`...), d...), '"')
	}
	return append(b, `,"evidence":{}}`...)
}

func endData(session string) []byte { return append(about(session), `,"reason":"done"}`...) }
