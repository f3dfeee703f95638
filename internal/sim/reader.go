package sim

import (
	"iter"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// reader is a consumer that follows a log by pages, through the resolver.
type reader struct {
	w       *world
	log     *sessionLog
	scanner *events.Scanner
	event   events.Envelope

	place
	refused bool
	applied []*record
	spliced bool
	kept    saved
}

// pageDeeds happen in worlds whose consumer reads pages.
var pageDeeds = []deed{
	{10, 0, (*world).write},
	{1, 0, (*world).lease},
	{16, 0, func(w *world) { w.reader.fetch() }},
	{4, 0, func(w *world) { w.reader.reload() }},
	{2, 0, func(w *world) { w.reader.save() }},
	{4, losses, (*world).loseTail},
	{4, takeovers, (*world).takeOver},
	{2, prunes, (*world).prune},
	{2, crashes, func(w *world) { w.reader.crash() }},
}

func (r *reader) begin(l *sessionLog) {
	r.log, r.scanner = l, r.w.climate.profile.NewScanner()
}

func (r *reader) seq() int { return seqOf(r.at) }

// fetch asks for a page and holds the verdict to the rules.
func (r *reader) fetch() {
	if r.refused {
		return
	}
	a := r.answer()
	c := r.cursor(r.log.id)
	head := replay.Head{LastSeq: events.Seq(a.head.last()), Generation: events.Generation(a.head.gen), OldestSeq: events.Seq(a.head.oldest)}
	v := replay.Resolve(r.w.climate.profile, c, head, r.scan(a.page), a.more)
	want := owed(r.seq(), r.gen, a)
	if r.w.telling {
		r.w.tell("reader   at %d@%s, head %d@%s from %d, page %s more=%v: %s %s %s", r.seq(), r.gen,
			a.head.last(), a.head.gen, a.head.oldest, sheetText(a.page), a.more, v.Outcome, v.Refusal.Reason, v.Refusal.Detail)
	}
	r.compare(&v, &want)
	r.take(a, &want)
}

// scan shows the events of a page as a store answers them.
func (r *reader) scan(page []sheet) iter.Seq2[*events.Envelope, events.Problem] {
	return func(yield func(*events.Envelope, events.Problem) bool) {
		for i := range page {
			if !yield(&r.event, r.scanner.Scan(page[i].text, &r.event)) {
				return
			}
		}
	}
}

// compare holds a verdict to what is owed.
func (r *reader) compare(v *replay.Verdict, want *due) {
	refusal := &v.Refusal
	if v.Outcome != want.outcome || refusal.Reason != want.reason || refusal.Detail != want.detail {
		r.w.fail("the resolver says %s %s %s, by the rules it is %s %s %s", v.Outcome, refusal.Reason, refusal.Detail, want.outcome, want.reason, want.detail)
	}
	if v.Outcome == replay.Unavailable {
		e := &refusal.Evidence
		if e.Index != want.index || e.SavedSeq != events.Seq(r.seq()) || string(e.SavedGeneration) != r.gen {
			r.w.fail("the evidence of %s %s is untrue: %+v", refusal.Reason, refusal.Detail, *e)
		}
		return
	}
	if v.Next.Seq != events.Seq(want.seq) || string(v.Next.Generation) != want.gen {
		r.w.fail("the next cursor is %d@%s, by the rules %d@%s", v.Next.Seq, v.Next.Generation, want.seq, want.gen)
	}
}

// take applies what is owed, which has to be the same log still.
func (r *reader) take(a *answer, d *due) {
	switch d.outcome {
	case replay.Unavailable:
		r.refused = true
		return
	case replay.Replayed:
		for i := range a.page {
			r.apply(a.page[i].rec, a.head.gen)
		}
	}
	r.unproven = r.unproven || r.gen == "" && d.gen != "" && !vouches(a.head, r.at)
	r.gen = d.gen
}

// apply takes one record in. What a splice may be is as in a stream.
func (r *reader) apply(rec *record, headGen string) {
	if rec.prev != r.at {
		if r.gen != "" && !r.unproven && (rec.gen != "" || headGen != "") {
			r.w.fail("a splice: %s is of another incarnation than the %d@%s that the reader holds", rec.name(), r.seq(), r.gen)
		}
		r.spliced = true
	}
	r.at, r.unproven = rec, r.gen != "" && rec.gen == "" && headGen == ""
	r.applied = append(r.applied, rec)
}

// reload loads a snapshot after a refusal.
func (r *reader) reload() {
	if !r.refused || !r.w.climate.load {
		return
	}
	v := r.log.view
	if n := len(r.log.past); n > 0 && r.w.faulty(badLoads) && r.w.dice.one(3) {
		v = r.log.past[r.w.dice.below(n)]
	}
	r.place, r.refused, r.spliced = place{at: v.tail, gen: v.gen}, false, false
	r.applied = above(v.tail, 0)
	if r.w.telling {
		r.w.tell("reader   loads up to %d@%s", r.seq(), r.gen)
	}
}

func (r *reader) save() {
	n := len(r.applied)
	r.kept = saved{true, r.place, r.applied[:n:n], r.spliced}
}

func (r *reader) crash() {
	s := r.kept
	r.place, r.applied, r.spliced, r.refused = s.place, s.state, s.spliced, false
	if r.w.telling {
		r.w.tell("reader   begins again at %d@%s", r.seq(), r.gen)
	}
}

// calm reads on without faults: to the head, or to a refusal.
func (r *reader) calm() {
	r.w.writeAll()
	for range calmRounds {
		r.reload()
		r.fetch()
		if !r.refused && r.seq() == r.log.last() {
			break
		}
	}
	if !r.refused && r.seq() != r.log.last() {
		r.w.fail("after the faults stopped the reader stands at %d of %d", r.seq(), r.log.last())
	}
	if r.refused && r.w.climate.load {
		r.w.fail("after the faults stopped a reader that can load is refused")
	}
	r.w.verifyRun(r.log, r.applied, r.spliced)
}
