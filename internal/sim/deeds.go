package sim

// deed is one thing that can happen in a step.
type deed struct {
	weight int
	needs  hazard // a world without this kind of fault does not have the deed; 0: all do
	do     func(*world)
}

// streamDeeds happen in worlds whose consumer follows a stream.
var streamDeeds = []deed{
	{14, 0, (*world).write},
	{9, 0, (*world).publish},
	{3, 0, (*world).sayNothing},
	{24, 0, func(w *world) { w.serve() }},
	{26, 0, (*world).bringSome},
	{12, 0, (*world).answer},
	{8, 0, (*world).pass},
	{3, 0, (*world).wait},
	{8, 0, (*world).applySome},
	{3, 0, func(w *world) { w.client.save() }},
	{6, 0, func(w *world) { w.client.answerLoad() }},
	{1, 0, (*world).finish},
	{1, 0, (*world).lease},
	{1, 0, (*world).headAgain},
	{7, cuts, (*world).cutSome},
	{2, silences, (*world).fallSilent},
	{4, losses, (*world).loseTail},
	{4, takeovers, (*world).takeOver},
	{3, prunes, (*world).prune},
	{3, stales, (*world).catchUp},
	{6, zombies, (*world).writeOn},
	{4, zombies, (*world).mix},
	{2, crashes, func(w *world) { w.client.crash() }},
	{2, crashes, func(w *world) { w.client.replace() }},
	{2, clocks, (*world).stepBack},
	{2, cuts, (*world).comeLate},
	{4, networks, func(w *world) { w.client.goOffline() }},
	{4, networks, func(w *world) { w.client.look() }},
	{5, statuses, func(w *world) { w.client.renew() }},
	{1, resets, func(w *world) { w.client.reset() }},
}

// deck is the deeds of one world, each as often as it weighs.
type deck []func(*world)

func (d deck) draw(from *dice) func(*world) { return d[from.below(len(d))] }

func (w *world) deck() deck {
	all := streamDeeds
	if w.climate.pages {
		all = pageDeeds
	}
	d := make(deck, 0, 160)
	for i := range all {
		if all[i].needs != 0 && !w.faulty(all[i].needs) {
			continue
		}
		for range all[i].weight {
			d = append(d, all[i].do)
		}
	}
	return d
}

// write appends to a log.
func (w *world) write() {
	l := w.anyLog()
	if l == nil || w.climate.curt && !w.dice.one(8) {
		return
	}
	for range w.dice.between(1, 3) {
		r := w.append(l)
		if w.telling {
			w.tell("writer   appends %s:%d@%s", l.id, r.seq, r.gen)
		}
	}
}

// publish sends an event that is not recorded to whoever is at the tail.
func (w *world) publish() {
	s := w.anyServed()
	if s == nil || s.stage != tailing || s.log.ended || s.seq != s.sees().last() {
		return
	}
	if w.dice.one(6) {
		w.sendRelayed(s)
		return
	}
	gen := ""
	if w.dice.one(2) {
		gen = s.sees().gen
	}
	w.sendDraft(s, gen)
}

func (w *world) sayNothing() {
	if w.anyServed() != nil {
		w.sendNonsense()
	}
}

// serve lets one session of the connection go on.
func (w *world) serve() bool {
	s := w.anyServed()
	return s != nil && w.pump(s)
}

// bring lets bytes arrive, unless the app is too far behind.
func (w *world) bring() bool {
	return len(w.client.queue) <= queueMost && w.arrive()
}

// applySome lets the app take in what waits, or a little of it.
func (w *world) applySome() {
	if w.faulty(slow) {
		w.client.apply()
		return
	}
	for w.client.apply() {
	}
}

// bringSome lets several pieces arrive.
func (w *world) bringSome() {
	for n := w.dice.between(1, 12); n > 0 && w.bring(); n-- {
	}
}

// pass lets a little time go by, wait all that is waited for.
func (w *world) pass() { w.elapse(int64(w.dice.between(1, 2500))) }

func (w *world) wait() {
	if c := &w.client; c.armed {
		w.elapse(max(0, c.alarm-w.real) + int64(w.dice.below(2)*w.dice.below(70_000)))
	}
}

// elapse moves the clocks on: the server says that it is alive, and the alarm
// that is due rings, late if it has to.
func (w *world) elapse(ms int64) {
	w.real += ms
	if c := w.client.conn; c != nil && c.answered && w.real-c.beat >= 15_000 {
		w.send(fact{kind: noise, lane: -1}, w.frame(nonsense[0].out))
		c.beat = w.real
	}
	if c := &w.client; c.armed && w.real >= c.alarm {
		c.tick()
	}
}

// finish ends a session for good.
func (w *world) finish() {
	if l := w.anyLog(); l != nil && w.dice.one(3) {
		l.ended = true
		if w.telling {
			w.tell("writer   ends %s", l.id)
		}
	}
}

// lease lets a writer take its first lease some time after it began.
func (w *world) lease() {
	if l := w.anyLog(); l != nil && w.climate.leases == later && !l.fences {
		l.remember(&w.dice)
		l.fences = true
		w.acquire(l)
		if w.telling {
			w.tell("writer   takes the lease %s of %s", l.gen, l.id)
		}
	}
}

// headAgain makes a server judge a session anew, for no reason.
func (w *world) headAgain() {
	if s := w.anyServed(); s != nil && s.stage == tailing {
		w.attach(s)
	}
}

func (w *world) cutSome() {
	if c := w.client.conn; c != nil && !c.answered && w.dice.one(4) {
		w.client.closed(true)
		return
	}
	w.cut(clean + ending(w.dice.below(2)))
}

func (w *world) fallSilent() {
	if c := w.client.conn; c != nil {
		c.silent = true
		if w.telling {
			w.tell("network  goes dead")
		}
	}
}

// loseTail restarts a log that had not written everything down.
func (w *world) loseTail() {
	l := w.anyLog()
	if l == nil {
		return
	}
	l.remember(&w.dice)
	l.lose(w.dice.between(1, 4))
	if w.telling {
		w.tell("log      %s restarts and has lost its tail: %d", l.id, l.last())
	}
	if w.dice.one(2) {
		w.cut(torn)
	}
}

// takeOver lets another writer take the lease, and maybe replace the tail.
// Without leases it is another process that writes on.
func (w *world) takeOver() {
	l := w.anyLog()
	if l == nil {
		return
	}
	l.remember(&w.dice)
	w.keepOld(l)
	if w.dice.one(2) {
		l.lose(w.dice.between(1, 4))
	}
	if l.fences {
		w.acquire(l)
	}
	if w.telling {
		w.tell("log      %s is taken over at %d under %q", l.id, l.last(), l.gen)
	}
	if w.climate.curt {
		return
	}
	for range w.dice.below(4) {
		w.append(l)
	}
}

// keepOld leaves the consumer on a server that does not know of the takeover.
func (w *world) keepOld(l *sessionLog) {
	c := w.client.conn
	if !w.faulty(zombies) || c == nil || l.stale || w.dice.one(2) {
		return
	}
	for i := range c.served {
		if s := &c.served[i]; s.log == l && !s.own {
			s.own, s.zombie, s.view = true, true, l.view
		}
	}
}

func (w *world) prune() {
	if l := w.anyLog(); l != nil {
		l.prune(w.dice.between(1, 5))
		if w.telling {
			w.tell("log      %s is pruned up to %d", l.id, l.oldest)
		}
	}
}

func (w *world) catchUp() {
	if s := w.anyServed(); s != nil && s.own {
		s.own, s.zombie = false, false
		if w.telling {
			w.tell("server   catches up on %s", s.log.id)
		}
	}
}

// writeOn lets a writer that was taken over append to the log as it has it.
func (w *world) writeOn() {
	if s := w.anyServed(); s != nil && s.zombie {
		s.view.tail = w.record(s.log, s.view.tail, s.view.gen)
		if w.telling {
			w.tell("zombie   appends %s:%d@%s", s.log.id, s.view.tail.seq, s.view.gen)
		}
	}
}

// mix sends an event of an earlier incarnation on the connection of this one.
func (w *world) mix() {
	s := w.anyServed()
	if s == nil || s.stage > tailing || len(s.log.past) == 0 {
		return
	}
	v := s.log.past[w.dice.below(len(s.log.past))]
	switch {
	case w.dice.one(3):
		w.sendDraft(s, v.gen)
	case v.tail != nil && (v.tail.gen != "" || !s.log.fences): // else nothing would tell it from this one
		s.bent = true
		w.sendRecord(s, v.tail, v.tail.gen)
	}
}

func (w *world) stepBack() {
	back := int64(w.dice.between(1, 100_000))
	w.skew -= back
	if w.telling {
		w.tell("clock    steps back by %d ms", back)
	}
}

// comeLate brings bytes of the connection before, while there is none.
func (w *world) comeLate() {
	c := &w.client
	if c.conn != nil || len(c.late) == 0 || c.dead {
		return
	}
	late := c.late
	c.late, c.input = nil, feedingIn
	c.link.Feed(c.moment(), late)
	c.drain()
}
