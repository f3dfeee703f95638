package sim

// How long a consumer has, in rounds of roundMillis, once the faults have stopped.
const (
	calmRounds  = 90
	roundMillis = 7_000
)

// calm stops all faults and sees to it that every session comes to rest: caught
// up with its log, refused, or ended.
func (w *world) calm() {
	w.quiet = true
	if w.telling {
		w.tell("the faults stop")
	}
	if w.climate.pages {
		w.reader.calm()
		return
	}
	w.calmServers()
	if w.client.away {
		w.client.goOffline()
	}
	for round := range calmRounds {
		if (round == 1 || round == 3) && !w.climate.hush {
			w.writeAll()
		}
		w.endLame()
		w.settle()
		if round > 3 && w.atRest() {
			break
		}
		w.elapse(roundMillis)
	}
	w.verify()
	w.stop()
}

// calmServers lets every server know the log of the moment, and say so.
func (w *world) calmServers() {
	if c := w.client.conn; c != nil {
		for i := range c.served {
			s := &c.served[i]
			s.own, s.zombie = false, false
			if s.slid || s.bent && w.climate.hush {
				w.attach(s)
			}
		}
	}
}

// endLame ends a connection that lost what its consumer cannot miss.
func (w *world) endLame() {
	if c := w.client.conn; c != nil && c.lame {
		w.cut(torn)
	}
}

func (w *world) writeAll() {
	for _, l := range w.logs {
		if !l.ended {
			r := w.append(l)
			if w.telling {
				w.tell("writer   appends %s:%d@%s", l.id, r.seq, r.gen)
			}
		}
	}
}

// settle lets everything happen that can happen without time.
func (w *world) settle() {
	for moved := true; moved; {
		moved = false
		w.client.renew()
		for w.client.apply() || w.client.answerLoad() {
			moved = true
		}
		if c := w.client.conn; c != nil && !c.answered && !c.silent {
			w.answer()
			moved = true
		}
		for w.serveAll() || w.bring() {
			moved = true
			w.client.apply()
		}
	}
}

func (w *world) serveAll() bool {
	moved := false
	for i := 0; w.client.conn != nil && w.client.conn.answered && i < len(w.client.conn.served); i++ {
		moved = w.pump(&w.client.conn.served[i]) || moved
	}
	return moved
}

// atRest reports whether every session is where it can stay.
func (w *world) atRest() bool {
	for i := range w.client.lanes {
		ln := &w.client.lanes[i]
		if ln.phase != finished && !ln.caughtUp() {
			return false
		}
	}
	return len(w.client.queue) == 0
}

// caughtUp: the consumer holds the end of the log, or of one that it cannot tell
// from it.
func (ln *lane) caughtUp() bool {
	blind := ln.unproven || ln.gen == "" || !ln.exact()
	return ln.phase == following && (ln.at == ln.log.tail || blind && seqOf(ln.at) == ln.log.last())
}

// verify looks at the app: what it applied is one log from where it began.
func (w *world) verify() {
	for i := range w.client.lanes {
		ln := &w.client.lanes[i]
		if ln.phase != finished && !ln.caughtUp() {
			w.fail("%d s after the faults stopped %s stands at %d of %d", calmRounds*roundMillis/1000, ln.log.id, seqOf(ln.at), ln.log.last())
		}
		w.verifyRun(ln.log, ln.applied, ln.spliced)
	}
}

// verifyRun: what an app holds is one run of one log, unless it was spliced where
// nobody could see it.
func (w *world) verifyRun(l *sessionLog, applied []*record, spliced bool) {
	if spliced || len(applied) == 0 {
		return
	}
	want := applied[len(applied)-1]
	for i := len(applied) - 1; i >= 0; i-- {
		if applied[i] != want {
			w.fail("what the app holds of %s is no run of one log: place %d", l.id, i)
		}
		want = want.prev
	}
}

// stop closes the link: everything ends, and nothing comes after it.
func (w *world) stop() {
	c := &w.client
	c.input = stopIn
	c.link.Stop()
	c.drain()
	for i := range c.lanes {
		if c.lanes[i].phase != finished {
			w.fail("%s did not end when the link was stopped", c.lanes[i].log.id)
		}
	}
	if c.conn != nil {
		w.fail("a connection is open after the end")
	}
	w.elapse(longestWait)
}
