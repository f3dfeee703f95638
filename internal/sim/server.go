package sim

import "github.com/tidemark-stream/tidemark/pkg/fault"

// served is one session on a connection, as its server goes about it.
type served struct {
	lane int
	log  *sessionLog
	seq  int    // where a consumer stands that read all of it
	gen  string // of such a consumer's cursor
	now  bool   // the head is to say where

	own     bool // it answers from the view below, not from the log of the moment
	zombie  bool // and a writer that was taken over appends to that
	view    view
	from    *record // the record at seq, of what it sent
	headGen string
	last    int     // of the head
	told    *record // the end of the log that the head was of
	bent    bool    // it has gone on in another log than it began with
	slid    bool    // it went on in a replaced log without a word
	again   bool    // the head was sent again for the event that comes next
	stage   stage
	reason  fault.Reason // what the head denies it for
	detail  fault.Detail
}

type stage uint8

const (
	denying   stage = iota // its head said that the cursor cannot be continued
	replaying              // up to the live frame
	tailing
	done
)

// sees is the log as this server finds it.
func (s *served) sees() view {
	if s.own {
		return s.view
	}
	return s.log.view
}

// judge is what a server makes of a cursor, by the order of.
func judge(seq int, gen string, v view) (fault.Reason, fault.Detail) {
	switch {
	case gen != "" && v.gen != "" && gen != v.gen:
		return fault.ReasonGenerationChanged, fault.NoDetail
	case seq > v.last():
		return fault.ReasonCursorAhead, fault.NoDetail
	case seq < v.last() && v.oldest > seq+1:
		return fault.ReasonGap, fault.DetailPruned
	}
	return fault.NoReason, fault.NoDetail
}

// attach sends the head of a session and judges its cursor.
func (w *world) attach(s *served) {
	v := s.sees()
	if w.climate.mute {
		v.gen = ""
	}
	if s.now {
		s.seq, s.gen, s.now = v.last(), v.gen, false
	}
	s.bent = s.bent || !holds(v.tail, s.from)
	f := fact{kind: headed, lane: s.lane, gen: v.gen, tail: v.tail, last: v.last(), oldest: v.oldest}
	if w.send(f, w.control("head", w.headData(s.log.id, &f))) {
		s.bent = false // a second head is for its reader to look into
	}
	s.told = v.tail
	s.headGen, s.last, s.stage, s.again, s.slid = v.gen, v.last(), replaying, false, false
	s.from = v.tail.back(s.seq)
	if s.reason, s.detail = judge(s.seq, s.gen, v); s.reason != fault.NoReason {
		s.stage = denying
	}
}

// pump lets a session go on by a few frames. False: there is nothing to send.
func (w *world) pump(s *served) bool {
	switch s.stage {
	case denying:
		w.deny(s)
	case replaying, tailing:
		return w.follow(s)
	default:
		return false
	}
	return true
}

func (w *world) deny(s *served) {
	f := fact{kind: denied, lane: s.lane, reason: s.reason, detail: s.detail}
	w.send(f, w.control("refused", refusedData(s.log.id, &f)))
	s.stage = done
}

// follow sends what stands above the server's place, some of it at a time, and
// then what there is to say about its end.
func (w *world) follow(s *served) bool {
	v := s.sees()
	if !holds(v.tail, s.from) || !holds(v.tail, s.told) {
		w.replaced(s)
		return true
	}
	rest := above(v.tail, s.seq)
	for n := w.dice.between(1, 6); n > 0 && len(rest) > 0; n-- {
		if w.readAgain(s, rest[0]) {
			return true
		}
		w.next(s, rest[0], v.oldest)
		rest = rest[1:]
	}
	switch {
	case len(rest) > 0:
		return true
	case s.stage == replaying:
		w.sayLive(s)
	case s.log.ended && !s.own:
		w.send(fact{kind: over, lane: s.lane}, w.control("end", endData(s.log.id)))
		s.stage = done
	default:
		return false
	}
	return true
}

// next sends one record, unless the log has dropped it meanwhile.
func (w *world) next(s *served, r *record, oldest int) {
	s.seq, s.from, s.again = r.seq, r, false
	if r.gen != "" && (s.gen != "" || r.gen == s.headGen) {
		s.gen = r.gen
	}
	if r.seq >= oldest {
		w.sendRecord(s, r, s.gen)
		return
	}
	w.client.conn.lame = w.client.conn.lame || w.climate.hush
}

// readAgain: an event above the head's generation makes a server read head and
// page again, once.
func (w *world) readAgain(s *served, r *record) bool {
	if s.again || s.headGen == "" || r.gen == "" || !newer(r.gen, s.headGen) || w.faulty(sloppy) {
		return false
	}
	w.attach(s)
	s.again = true
	return true
}

// newer reports whether generation a is of a later lease than b.
func newer(a, b string) bool { return len(a) > len(b) || len(a) == len(b) && a > b }

func (w *world) sayLive(s *served) {
	f := fact{kind: caughtUp, lane: s.lane, last: max(s.seq, s.last)}
	w.send(f, w.control("live", w.liveData(s.log.id, f.last)))
	s.stage = tailing
	if w.climate.curt && !w.quiet && !w.dice.one(4) {
		w.cut(clean)
	}
	if s.gen == "" {
		s.gen = s.headGen
	}
}

// replaced: the log is another one now. A server notices and judges the cursor
// anew, or the connection breaks, or it goes on as if nothing had happened.
func (w *world) replaced(s *served) {
	s.bent = true
	switch {
	case w.faulty(sloppy) && !w.dice.one(3):
		s.slid, s.told = true, nil
		s.seq = min(s.seq, s.sees().last())
		s.from = s.sees().tail.back(s.seq)
		if w.telling {
			w.tell("server   goes on in the replaced log of %s", s.log.id)
		}
	case w.faulty(cuts) && w.dice.one(3):
		w.cut(torn)
	case (s.gen == "" || s.sees().gen == "") && w.dice.one(2):
		w.cut(clean + ending(w.dice.below(2))) // as ours does
	default:
		w.attach(s)
	}
}
