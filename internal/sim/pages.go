package sim

// page lets a server answer the reader: its head, and what the log holds above
// the cursor, up to a limit. Much of it may be wrong.
func (r *reader) answer() *answer {
	w := r.w
	a := &answer{head: r.log.view}
	if n := len(r.log.past); n > 0 && w.faulty(stales) && w.dice.one(4) {
		a.head = r.log.past[w.dice.below(n)]
	}
	a.read(a.head, r.seq())
	if n := len(r.log.past); n > 0 && w.faulty(sloppy) && w.dice.one(4) {
		other := &answer{head: a.head}
		other.read(r.log.past[w.dice.below(n)], r.seq())
		if !r.log.fences || other.names() {
			a = other // head and page of two moments
		}
	}
	if limit := w.dice.between(1, 12); len(a.page) > limit {
		a.page, a.more = a.page[:limit], true
	}
	if w.climate.mute {
		a.head.gen = ""
	}
	w.spoilPage(r, a)
	return a
}

// read fills the page with what a view holds above seq.
func (a *answer) read(v view, seq int) {
	for _, rec := range above(v.tail, max(seq, v.oldest-1)) {
		a.page = append(a.page, sheet{rec: rec, text: rec.text})
	}
}

// names reports whether each event names its generation; else nothing would tell
// it from one of another incarnation.
func (a *answer) names() bool {
	for i := range a.page {
		if a.page[i].rec.gen == "" {
			return false
		}
	}
	return true
}

// spoilPage damages an answer in ways that the climate allows.
func (w *world) spoilPage(r *reader, a *answer) {
	for _, s := range pageFlaws {
		if w.faulty(s.needs) && w.dice.one(7) {
			if w.telling {
				w.tell("server   %s", s.name)
			}
			s.do(w, r, a)
		}
	}
	for i := range a.page {
		if rec := a.page[i].rec; rec != nil && rec.poison == broken && !w.quiet {
			a.page[i] = sheet{kind: unreadable, text: rec.text[:len(rec.text)-1]}
		}
	}
}

// pageFlaws are what can be wrong with an answer.
var pageFlaws = []struct {
	needs hazard
	name  string
	do    func(*world, *reader, *answer)
}{
	{drops, "leaves an event out", func(w *world, _ *reader, a *answer) { w.dropSheet(a) }},
	{drops, "leaves everything out", func(_ *world, _ *reader, a *answer) { a.page = nil }},
	{doubles, "sends an event twice", func(w *world, _ *reader, a *answer) { w.insert(a, w.copied(a)) }},
	{doubles, "begins too low", func(w *world, r *reader, a *answer) { w.beginLow(r, a) }},
	{spoils, "swaps two events", func(w *world, _ *reader, a *answer) { w.swap(a) }},
	{spoils, "sends what is no event", func(w *world, _ *reader, a *answer) {
		w.insert(a, &sheet{kind: unreadable, text: []byte(`{"type":`)})
	}},
	{spoils, "sends an event that is not recorded", func(w *world, r *reader, a *answer) {
		w.insert(a, &sheet{kind: unstamped, text: w.eventText(r.log.id, "text_delta", 0, "")})
	}},
	{spoils, "sends an event of another session", func(w *world, r *reader, a *answer) {
		w.insert(a, &sheet{kind: strange, text: w.eventText(foreignSession, "message_completed", r.seq()+1, "")})
	}},
	{spoils, "sends an unrecorded event of another session", func(w *world, _ *reader, a *answer) {
		w.insert(a, &sheet{kind: strangeBare, text: w.eventText(foreignSession, "text_delta", 0, "")})
	}},
	{spoils, "says more, or does not", func(_ *world, _ *reader, a *answer) { a.more = !a.more }},
	{zombies, "sends an event of another incarnation", func(w *world, r *reader, a *answer) { w.mixIn(r, a) }},
}

func (w *world) dropSheet(a *answer) {
	if n := len(a.page); n > 0 {
		i := w.dice.below(n)
		a.page = append(a.page[:i], a.page[i+1:]...)
	}
}

// copied is some event of a page, nil when it has none.
func (w *world) copied(a *answer) *sheet {
	if len(a.page) == 0 {
		return nil
	}
	s := a.page[w.dice.below(len(a.page))]
	return &s
}

// insert puts an event into a page, wherever.
func (w *world) insert(a *answer, s *sheet) {
	if s == nil {
		return
	}
	i := w.dice.below(len(a.page) + 1)
	a.page = append(a.page, sheet{})
	copy(a.page[i+1:], a.page[i:])
	a.page[i] = *s
}

// beginLow puts the event at the cursor in front.
func (w *world) beginLow(r *reader, a *answer) {
	if rec := a.head.tail.back(r.seq()); rec != nil {
		a.page = append([]sheet{{rec: rec, text: rec.text}}, a.page...)
	}
}

func (w *world) swap(a *answer) {
	if n := len(a.page); n > 1 {
		i := w.dice.below(n - 1)
		a.page[i], a.page[i+1] = a.page[i+1], a.page[i]
	}
}

// mixIn puts an event of an earlier view in the place of one that has its number,
// or at the end.
func (w *world) mixIn(r *reader, a *answer) {
	if len(r.log.past) == 0 {
		return
	}
	rec := r.log.past[w.dice.below(len(r.log.past))].tail
	if rec == nil || rec.gen == "" && r.log.fences {
		return
	}
	s := sheet{rec: rec, text: rec.text}
	for i := range a.page {
		if a.page[i].rec != nil && a.page[i].rec.seq == rec.seq {
			a.page[i] = s
			return
		}
	}
	a.page = append(a.page, s)
}
