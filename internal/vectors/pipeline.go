package vectors

import (
	"encoding/json"
	"errors"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// Cases from bytes to verdicts: a real link, its connections served from
// memory, in virtual time.

var (
	passedKeys   = standKeys.with(keys("retry", "stream_end"))
	pipelineKeys = caseKeys.with(shape{
		"input":    keys("profile", "proof", "start_cursor", "start_generation", "encoding", "chunks", "connections"),
		"expected": passedKeys.with(shape{"also_ok": passedKeys}), "also_ok": passedKeys,
	})
)

// openFor is how long a connection stays open: long enough to count as
// progress, so that idle ends do not add up to an incomplete stream.
const openFor link.Millis = 6_000

// restarted stands among the verdicts where earlier ephemeral output was voided.
const restarted = "RESET"

func runPipeline(v vector) (any, error) {
	in := v.object("input")
	connections, err := in.connections()
	if err != nil {
		return nil, err
	}
	w, err := in.wire()
	if err != nil {
		return orError(nil, err)
	}
	w.link.Start(w.moment())
	w.drain()
	for _, chunks := range connections {
		w.serve(chunks)
	}
	outcome := stand(w.verdicts, w.state())
	return outcome, tail(connections[len(connections)-1], outcome)
}

// connections is the chunks of each connection; "chunks" is those of one.
func (m members) connections() (all [][][]byte, err error) {
	lists := m.list("connections")
	if lists == nil {
		lists = []json.RawMessage{m["chunks"]}
	}
	for _, raw := range lists {
		chunks, err := decodeChunks(members{"chunks": raw}.list("chunks"), m["encoding"])
		if err != nil {
			return nil, err
		}
		all = append(all, chunks)
	}
	if len(all) == 0 {
		return nil, errors.New("there are no connections")
	}
	return all, nil
}

// tail adds what the decoder says about the end of the last connection.
func tail(chunks [][]byte, outcome map[string]any) error {
	decoded, err := decodeStream(chunks, true)
	outcome["retry"], outcome["stream_end"] = decoded["expected_retry"], "clean"
	if decoded["expected_incomplete_tail"] == true {
		outcome["stream_end"] = "incomplete_tail"
	}
	return err
}

// wire is a driver without a network: it performs what the link orders and
// keeps its verdicts.
type wire struct {
	link     *link.Link
	now      link.Millis
	wakeAt   link.Millis
	asked    bool // a connection is asked for
	cut      bool // the present connection is given up
	verdicts []any
}

func (m members) wire() (*wire, error) {
	p, err := m.profile()
	if err != nil {
		return nil, err
	}
	raw, err := m.fenced("start_cursor", "start_generation")
	if err != nil {
		return nil, err
	}
	o := link.Options{Profile: p, Report: true}
	if !absent(raw) {
		token, _ := textOf(raw)
		c, err := cursor.Parse(token, p.Base)
		if err != nil {
			return nil, asFault(err)
		}
		o.Cursors = []cursor.Cursor{c}
	}
	if o.Proof, err = m.proof(); err != nil {
		return nil, err
	}
	l, err := link.New(o)
	return &wire{link: l, verdicts: []any{}}, err
}

// proof is what a case asks to be proven; nothing when it does not say.
func (m members) proof() (link.Proof, error) {
	word, _ := textOf(m["proof"])
	for p := link.ProofByProfile; p <= link.Off; p++ {
		if p.String() == word {
			return p, nil
		}
	}
	return 0, errors.New("proof is prefer, require or off")
}

func (w *wire) moment() link.Moment { return link.Moment{Now: w.now} }

// serve is one connection: it answers, sends its chunks and ends. What comes
// after the link gave it up is not read.
func (w *wire) serve(chunks [][]byte) {
	if !w.asked {
		w.now = max(w.now, w.wakeAt)
		w.link.Tick(w.moment())
		w.drain()
	}
	w.asked, w.cut = false, false
	w.link.Opened(w.moment(), link.Response{Status: 200, ContentType: "text/event-stream"})
	w.drain()
	for _, chunk := range chunks {
		if w.cut {
			return
		}
		w.link.Feed(w.moment(), chunk)
		w.drain()
	}
	if !w.cut {
		w.now += openFor
		w.link.Closed(w.moment(), false)
		w.drain()
	}
}

func (w *wire) drain() {
	for a := w.link.Next(); a != nil; a = w.link.Next() {
		switch a.Kind {
		case link.Connect:
			w.asked = true
		case link.Close, link.Fail:
			w.cut = true
		case link.Wake:
			w.wakeAt = a.At
		case link.Restart:
			w.restart()
		case link.Decided:
			if a.Lane >= 0 && a.Report.Decision.Verdict != cursor.NoVerdict {
				w.verdicts = append(w.verdicts, a.Report.Decision.Verdict.String())
			}
		}
	}
}

// restart comes between the verdict on an event and its delivery; for whoever
// reads the verdicts it comes before both.
func (w *wire) restart() {
	last := len(w.verdicts) - 1
	w.verdicts = append(w.verdicts[:last], restarted, w.verdicts[last])
}

// state is where the link stands, as the seam writes a cursor.
func (w *wire) state() any {
	c := w.link.Cursors()[0]
	base := w.link.Profile().Base
	state := map[string]any{"session": c.Session}
	if seq := int64(c.Seq) - int64(1-base); seq >= 0 {
		state["seq"] = number(seq)
	}
	if c.Generation.IsSet() {
		state["generation"] = string(c.Generation)
	}
	return state
}
