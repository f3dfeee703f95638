package sim

import (
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// lower reports whether generation a is ordered and below b.
func lower(a, b string) bool {
	x, errA := strconv.Atoi(a)
	y, errB := strconv.Atoi(b)
	return errA == nil && errB == nil && x < y
}

// ruleGeneration. Not ok: the ruling stands.
func (ln *lane) ruleGeneration(f *fact) (ruling, bool) {
	switch {
	case !ln.contradicts(f.gen, f.seq()):
		return nothing, true
	case !ln.outdated(f.gen, f.seq()):
		return ruling{refused, fault.ReasonGenerationChanged, fault.DetailEventGeneration}, false
	case f.kind == draft:
		return nothing, false
	}
	return ruling{refused, fault.ReasonGenerationChanged, fault.DetailStaleGeneration}, false
}

// contradicts reports whether an event of a generation is of another writer than
// what the consumer holds, or than its head. Without a generation it contradicts
// nothing. seq is 0 for what is not recorded.
func (ln *lane) contradicts(gen string, seq int) bool {
	switch {
	case gen == "":
		return false
	case ln.beyond(seq):
		return gen != ln.headGen
	case ln.gen != "":
		return gen != ln.gen
	}
	last := ln.newest()
	return gen != last && (ln.outdated(gen, seq) || lower(ln.headGen, gen) || ln.left(gen) || last != "" && last == ln.headGen)
}

// beyond reports whether a seq stands above a head that names its generation.
func (ln *lane) beyond(seq int) bool { return seq > ln.headLast && ln.headGen != "" }

// outdated reports whether a generation is below one that was seen.
func (ln *lane) outdated(gen string, seq int) bool {
	switch {
	case ln.beyond(seq):
		return lower(gen, ln.headGen)
	case ln.gen != "":
		return lower(gen, ln.gen)
	}
	for _, g := range ln.risen {
		if lower(gen, g) {
			return true
		}
	}
	return false
}

// left reports whether a generation was seen before the newest one.
func (ln *lane) left(gen string) bool {
	for _, g := range ln.risen {
		if g == gen {
			return true
		}
	}
	return false
}

// newest is the newest generation accepted while the cursor has none.
func (ln *lane) newest() string {
	if n := len(ln.risen); n > 0 {
		return ln.risen[n-1]
	}
	return ""
}

// rise takes the generation of an accepted event.
func (ln *lane) rise(gen string) {
	if gen == "" || ln.gen != "" {
		return
	}
	if gen != ln.newest() {
		ln.risen = append(ln.risen, gen)
	}
	if !ln.begun || gen == ln.headGen {
		ln.gen, ln.since = gen, seqOf(ln.at)
	}
}

// settle: the consumer is at the head.
func (ln *lane) settle() {
	if ln.gen != "" {
		return
	}
	ln.gen = ln.headGen
	if ln.gen == "" {
		ln.gen = ln.newest()
		ln.unproven = ln.unproven || ln.gen != "" && ln.at.named() != ln.gen
	} else {
		excused := ln.own || ln.bent
		ln.unproven = ln.unproven || excused && !vouches(view{tail: ln.head.tail, gen: ln.head.gen}, ln.at)
	}
	ln.begun = ln.gen != ""
	ln.since, ln.misled = seqOf(ln.at), ln.unproven
}
