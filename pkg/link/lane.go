package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// lane is one session on the link: its tracker and what the link owes it.
// A refusal of one lane never stops another.
type lane struct {
	tracker cursor.Tracker
	phase   phase
	start   Start
	local   bool // its numbers live with one connection: nothing can be asked for by them
	head    replay.Head
	headed  bool // head is of this connection

	resyncs   int        // since the last recorded event that connected
	loads     int        // since the last recorded event that was handed over
	drafts    bool       // ephemeral output went out since the last recorded event
	owes      bool       // a restart is owed before the next event
	voidAfter events.Seq // its position
	asked     events.Seq // what the connection was asked to go on from
	applied   events.Seq // what the app says it has taken in, since the last rebuild
	handed    bool       // the lane began where another link stood, which says nothing of what was taken in
	moved     bool       // the cursor has moved since the last Position action
	steps     bool       // and nothing but its number

	prover  *cursor.Prover // nil: no proofs
	proof   cursor.Proof   // of the event at the cursor, once prove was called; zero: none
	text    []byte         // that event, until its proof is made
	kept    []byte         // the same, copied, while it is likely that no proof is wanted
	bare    bool           // the latest head named no generation
	named   bool           // the event at the cursor came on this connection, and named one
	reshown bool           // a second head of one connection was answered by another since the last recorded event
	join    join           // of this connection
	trust   trust          // since the last rebuild
	apart   bool           // the event at the cursor could not be had
	given   bool           // the cursor stands where no event has brought it
	stood   bool           // and a server has gone on from it
}

// open makes a fresh lane of a plan.
func (ln *lane) open(p *profile.Profile, pl *plan) {
	ln.phase, ln.start, ln.handed, ln.local = waiting, pl.start, pl.handed, p.Scope == profile.ScopeConnection
	ln.tracker.Start(p, &pl.cursor)
	if pl.start == FromNow || ln.local {
		ln.tracker.Unanchor()
	}
}

// takes reports whether events of the lane are judged at all: nothing is handed
// over while the app loads, and nothing after a refusal.
func (ln *lane) takes() bool { return ln.phase <= resyncing }

// asks reports whether a new connection should ask for the lane.
func (ln *lane) asks() bool { return ln.phase <= resyncing }

// done reports whether the lane has ended.
func (ln *lane) done() bool { return ln.phase >= refused }

func (ln *lane) session() string { return ln.tracker.Session() }

// ask is what the next connection asks for the lane. With base 0 there is no
// cursor to ask from before the first event.
func (ln *lane) ask(a *Ask, base events.Seq) {
	c := ln.tracker.Place()
	a.Session, a.Start, a.Cursor = c.Session, ln.start, *c
	ln.asked = c.Seq
	if ln.join = ln.begins(); ln.join == overlaps {
		a.Cursor.Seq--
		a.Cursor.Generation = "" // of the event behind it
	} else if ln.join == joined && ln.trust == proven {
		ln.trust = untested // from here on a generation has to show it
	}
	switch {
	case ln.start == FromCursor && base == 0 && a.Cursor.Seq == 0:
		a.Start = FromBeginning
	case ln.start == FromBeginning && c.Seq > 0:
		a.Start = FromCursor
	}
}

// disconnect: the connection is gone. Ephemeral output that went out since the
// last recorded event may come again, so a restart is owed for it.
func (ln *lane) disconnect() {
	ln.keep()
	ln.headed, ln.named = false, false
	if ln.drafts {
		ln.drafts, ln.owes, ln.voidAfter = false, true, ln.tracker.Place().Seq
	}
	if ln.local {
		ln.tracker.Unanchor()
	}
}

// connected: a recorded event was accepted, so what was in doubt is settled.
func (ln *lane) connected() {
	ln.resyncs, ln.loads, ln.drafts, ln.reshown = 0, 0, false, false
	ln.stands()
}

// stands: there is a position now that the next connection can ask from,
// unless its numbers are of no use to another connection.
func (ln *lane) stands() {
	if !ln.local {
		ln.start, ln.moved = FromCursor, true
	}
}

// judgeHead compares the position with the head. Without a position there is
// nothing to compare: the first recorded event sets it.
func (ln *lane) judgeHead(p *profile.Profile) *replay.Verdict {
	v := replay.Verdict{Outcome: replay.Replayed}
	if ln.tracker.Anchored() {
		v = replay.Judge(p, ln.tracker.Place(), &ln.head)
	}
	return &v
}

// settle: the lane is at the head, so it takes the head's generation.
func (ln *lane) settle() {
	before := ln.tracker.Place().Generation
	ln.tracker.Settle()
	ln.moved = ln.moved || !ln.local && before != ln.tracker.Place().Generation
}

// rebuild puts a loaded snapshot's cursor in force. Only what the loads were for
// is remembered.
func (ln *lane) rebuild(c *cursor.Cursor) {
	ln.resyncs, ln.applied, ln.handed = 0, 0, false
	ln.head, ln.headed = replay.Head{}, false
	ln.drafts, ln.owes, ln.moved = false, false, false
	ln.tracker.Reset(c)
	ln.trust, ln.bare, ln.reshown = untested, false, false
	ln.stray()
	if ln.local {
		ln.tracker.Unanchor()
	}
	ln.stands()
}

// refusal is what a decision becomes once it is final.
func (ln *lane) refusal(d *cursor.Decision) *replay.Refusal {
	r := &replay.Refusal{Reason: d.Refuses(), Detail: d.Detail}
	r.Stand(ln.tracker.Place())
	e := &r.Evidence
	e.ExpectedSeq, e.ReceivedSeq = d.Expected, d.Seq
	e.Problem, e.Offset = d.Problem, d.Offset
	e.ObservedGeneration = events.Generation(d.Generation)
	e.Head(&ln.head)
	e.HasHead = ln.headed
	if d.Detail == fault.DetailHole && ln.headed && ln.head.OldestSeq > d.Expected {
		r.Detail = fault.DetailPruned
	}
	return r
}
