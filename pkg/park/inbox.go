package park

import "github.com/tidemark-stream/tidemark/pkg/events"

// Inbox folds the verified streams of many sessions, and says of each row what it
// knows. Nobody is shown a question as open that may be none: while the stream of a
// session is not caught up, was refused or is gone, all its rows are unknown, and so
// are those it showed before, until it knows better.
//
// Whoever drives it begins each session as its stream does, hands over its recorded
// events in order (those of [Types] suffice), and says when the stream is live and
// when it is not. The zero Inbox is ready, and keeps all settled rows.
type Inbox struct {
	keep     int
	sessions []*inboxed // in the order in which they became known; there are few
	answer   int        // number of the last one of AppendChanges
}

// Keep bounds how many settled rows are kept of a session: of those that are there,
// and of what comes. 0 keeps all.
//
//go:noinline
func (b *Inbox) Keep(settled int) {
	b.keep = settled
	for _, s := range b.sessions {
		s.fold.Keep(settled)
		s.before.Keep(settled)
	}
}

// inboxed is one session: the fold of its stream, and what was shown before that
// stream began.
type inboxed struct {
	name   string
	fold   Fold
	before Fold // parks of streams before this one
	why    Why
	placed bool // last is a place
	last   events.Seq
	fence  events.Generation
}

// session is the one of that name, a new one for a new name.
//
//go:noinline
func (b *Inbox) session(name string) *inboxed {
	if i := b.find(name); i >= 0 {
		return b.sessions[i]
	}
	s := &inboxed{name: name, why: Elsewhere}
	s.fold.Keep(b.keep)
	s.before.Keep(b.keep)
	b.sessions = append(b.sessions, s)
	return s
}

//go:noinline
func (b *Inbox) find(name string) int {
	for i, s := range b.sessions {
		if s.name == name {
			return i
		}
	}
	return -1
}

// Begin says that the stream of a session begins with its first record. What the
// session showed stays, as unknown, until it is live.
func (b *Inbox) Begin(session string) { b.session(session).begin(CatchingUp) }

// BeginElsewhere says that the stream begins at a place where no saved fold of this
// inbox ends: at a cursor, or now. Its rows are never known.
func (b *Inbox) BeginElsewhere(session string) { b.session(session).begin(Elsewhere) }

// begin starts over.
//
//go:noinline
func (s *inboxed) begin(why Why) {
	older := s.before.Parks()
	s.before.Reset("")
	for _, p := range older {
		if !p.Resolved { // or every stream would leave some
			s.before.put(p)
		}
	}
	for _, p := range s.fold.Parks() {
		s.before.put(p)
	}
	s.fold.Reset("")
	s.why, s.placed, s.last, s.fence = why, false, 0, ""
}

// Event takes a recorded event of a session, as its stream judged it: where it
// stands, and its text. Unrecorded ones are no business of an inbox. An event at a
// place that was passed is taken for a double, unless its generation is another one:
// then the host has missed that the stream began anew, and the session is Elsewhere.
func (b *Inbox) Event(session string, seq events.Seq, generation events.Generation, text []byte) Effect {
	s := b.session(session)
	if s.placed && seq <= s.last {
		if generation != s.fence {
			s.lose(Elsewhere)
		}
		return Ignored
	}
	s.placed, s.last, s.fence = true, seq, generation
	effect := s.fold.AddAt(text, seq, generation)
	if effect == Opened {
		s.before.forget(s.fold.list[len(s.fold.list)-1].DecisionID)
	}
	return effect
}

// Live says that the stream has handed over everything that is recorded: that it is
// live, or has ended where its session does. whole tells whether it can prove that
// nothing is missing (its strength is exact or contiguous); without that the session
// is Incomplete.
//
//go:noinline
func (b *Inbox) Live(session string, whole bool) {
	s := b.session(session)
	switch {
	case s.why.lasts():
	case !whole:
		s.why = Incomplete
	default:
		s.why = Known
		s.before.Reset("")
	}
}

// Lost says why the rows of a session are not known from now on. What lasts is not
// taken back by what does not.
func (b *Inbox) Lost(session string, why Why) { b.session(session).lose(why) }

//go:noinline
func (s *inboxed) lose(why Why) {
	if why.lasts() && why > s.why || !s.why.lasts() && why != Known {
		s.why = why
	}
}

// Forget drops a session and its rows, as when nobody looks at it any more.
//
//go:noinline
func (b *Inbox) Forget(session string) {
	if i := b.find(session); i >= 0 {
		last := len(b.sessions) - 1
		copy(b.sessions[i:], b.sessions[i+1:])
		b.sessions[last] = nil
		b.sessions = b.sessions[:last]
	}
}
