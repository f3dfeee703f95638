package relay

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// pages replays what is old from pages of the log that never change, each with as many
// events as the next, until the live stream is nearer than a page. It begins
// where a head has been judged, so that nobody reads a page who may not read the log.
//
// Every page but the first begins with the event that the one before ends with. Pages
// are of one log when that event is the same in both, whatever else they come from; so
// is the live stream, which is asked for from that event as well. Under a generation a
// page is of the log as it is; without one, only what follows shows it.
type pages struct {
	size    int
	most    int // bytes of one event
	head    replay.Head
	tracker cursor.Tracker
	prover  *cursor.Prover
	scanner *events.Scanner

	index int           // of the page that is asked for
	fresh bool          // it is asked of the server itself
	last  cursor.Proof  // of the event that the page before ended with; zero: there was none
	used  []string      // keys of pages that went out
	tells bool          // verdicts are wanted
	told  []link.Report // on the events of the page that was read last
}

// verdictOn is what a page turned out to be.
type verdictOn uint8

const (
	fits     verdictOn = iota // its events connect to what went out
	unfit                     // it is no page of this log as the head has it
	unproven                  // nothing could show that what follows it is of the same log
	changed                   // it is of another log than the page before
	refuses                   // its events do not connect to the cursor
)

// begin takes over a session whose head was accepted.
func (p *pages) begin(o *Options, at *cursor.Cursor, head *replay.Head) {
	read := &profile.Session
	p.head, p.prover, p.scanner = *head, cursor.NewProver(read), read.NewScanner()
	p.scanner.SetMaxDepth(o.MaxDepth)
	p.tells, p.most = o.Verdicts, o.maxFrame()
	p.tracker.Start(read, at)
	p.tracker.Begin(head.Generation, head.LastSeq)
	p.index = int(at.Seq) / p.size
}

// worth reports whether a whole page lies between the cursor and the head.
func (p *pages) worth() bool {
	return p.to() <= p.head.LastSeq && p.since() >= p.head.OldestSeq-min(p.head.OldestSeq, 1)
}

// safe reports whether a page can be shown to be of the log that the cursor is of: by
// the generation of its head, or by having nothing before it. What stood at the cursor
// the consumer alone knows.
func (p *pages) safe() bool {
	return p.head.Generation.IsSet() || p.tracker.Place().Seq == 0
}

// from is the first event that the page brings, to the last one.
func (p *pages) from() events.Seq { return events.Seq(p.index*p.size) + 1 }
func (p *pages) to() events.Seq   { return events.Seq((p.index + 1) * p.size) }

// since is the cursor to ask for the page from: before the event that it shares with
// the page before.
func (p *pages) since() events.Seq { return p.from() - 1 - p.shared() }

// shared is 1 when the page begins with an event of the page before.
func (p *pages) shared() events.Seq { return min(p.from()-1, 1) }

// key names the page in a cache: the log's session and generation, and the range.
func (p *pages) key() string {
	end := cursor.Cursor{Session: p.tracker.Session(), Seq: p.to(), Generation: p.head.Generation}
	return string(rawjson.AppendInt(nil, int64(p.size))) + "/" + end.Token(1)
}

// order asks for the page: of a cache under its key, or of the log route.
func (p *pages) order() []byte {
	w := rawjson.Begin(nil)
	w.Text("key", p.key())
	w.Text("session", p.tracker.Session())
	if since := p.since(); since > 0 {
		(&cursor.Cursor{Session: p.tracker.Session(), Seq: since}).WriteToken(&w, "cursor", 1)
	}
	w.Int("limit", int64(p.size)+int64(p.shared()))
	w.Bool("fresh", p.fresh)
	return w.End()
}

// read judges a page, and appends the frames of the events that the consumer has not
// got. Nothing is appended, and nothing moves, unless the page fits.
func (p *pages) read(dst, body []byte) ([]byte, verdictOn) {
	texts, ok := p.texts(body)
	if !ok || !p.whole(texts) {
		return dst, unfit
	}
	end := texts[len(texts)-1]
	last, _ := p.prover.Of(end)
	if !last.IsSet() && !p.vouched(end) {
		return dst, unproven
	}
	if p.shared() == 1 && !p.joins(texts[0]) {
		return dst, changed
	}
	tracker := p.tracker
	out, ok := p.pass(&tracker, dst, texts)
	if !ok {
		return dst, refuses
	}
	p.tracker, p.last = tracker, last
	return out, fits
}

// vouched reports whether an event carries the generation of the head, so that the
// cursor that stands on it does.
func (p *pages) vouched(text []byte) bool {
	var e events.Envelope
	return p.head.Generation.IsSet() && p.scanner.Scan(text, &e) == events.NoProblem && string(e.Generation) == string(p.head.Generation)
}

// texts are the events of a body of the log route, when its head is that of the log.
func (p *pages) texts(body []byte) (texts [][]byte, ok bool) {
	if problem, _ := rawjson.Check(body, events.MaxDepth); problem != rawjson.OK || rawjson.KindOf(body) != rawjson.Object {
		return nil, false
	}
	for name, value := range rawjson.Members(body) {
		switch string(name) {
		case "head":
			ok = p.sameGeneration(value)
		case "events":
			if rawjson.KindOf(value) != rawjson.Array {
				return nil, false
			}
			for text := range rawjson.Elements(value) {
				texts = append(texts, text)
				if len(text) > p.most {
					return nil, false
				}
			}
		}
	}
	return texts, ok && len(texts) == p.size+int(p.shared())
}

// sameGeneration: a page is of the log while it was written under the head's.
func (p *pages) sameGeneration(head []byte) bool {
	var g events.Generation
	if rawjson.KindOf(head) != rawjson.Object {
		return false
	}
	for name, value := range rawjson.Members(head) {
		if string(name) == "generation" {
			g, _ = events.ParseGeneration(value)
		}
	}
	return g == p.head.Generation
}

// whole resolves the page for itself, from the event it begins with.
func (p *pages) whole(texts [][]byte) bool {
	since := cursor.Cursor{Session: p.tracker.Session(), Seq: p.since()}
	page := replay.NewPage(&profile.Session, since, replay.Head{LastSeq: p.head.LastSeq, Generation: p.head.Generation})
	var e events.Envelope
	for _, text := range texts {
		page.Add(&e, p.scanner.Scan(text, &e))
	}
	v := page.Verdict(true)
	return v.Outcome == replay.Replayed && v.Next.Seq == p.to()
}

// joins compares the shared event. Where nothing can be compared, the generation
// vouches for the page.
func (p *pages) joins(text []byte) bool {
	if !p.last.IsSet() {
		return true
	}
	proof, _ := p.prover.Of(text)
	return proof == p.last
}

// pass lets the tracker of the consumer judge what is new to it.
func (p *pages) pass(tracker *cursor.Tracker, dst []byte, texts [][]byte) ([]byte, bool) {
	var e events.Envelope
	var d cursor.Decision
	p.told = p.told[:0]
	for _, text := range texts {
		problem := p.scanner.Scan(text, &e)
		if e.Seq <= tracker.Place().Seq {
			continue
		}
		if tracker.Observe(&d, &e, problem); d.Verdict != cursor.Accept {
			return dst, false
		}
		if p.tells {
			p.tell(d, tracker.Place())
		}
		var err error
		if dst, err = sse.AppendEvent(dst, sse.Out{ID: tracker.Place().AppendToken(nil, 1), Data: text}); err != nil {
			return dst, false
		}
	}
	return dst, true
}

// tell keeps the verdict on an event for whoever watches.
func (p *pages) tell(d cursor.Decision, at *cursor.Cursor) {
	d.Generation = append([]byte(nil), d.Generation...)
	p.told = append(p.told, link.Report{Session: at.Session, Decision: d, Cursor: *at})
}

// refusal is why the log is not the one that went out so far.
func (p *pages) refusal() *replay.Refusal {
	r := &replay.Refusal{Reason: fault.ReasonGenerationChanged, Detail: fault.DetailHistoryChanged}
	r.Stand(p.tracker.Place())
	r.Evidence.Head(&p.head)
	return r
}
