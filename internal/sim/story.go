package sim

import (
	"fmt"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/link"
)

// tell adds a line to the story of a world that is told.
func (w *world) tell(format string, args ...any) {
	w.story = append(w.story, fmt.Sprintf("%4d %8.3fs  ", w.step, float64(w.real)/1000)+fmt.Sprintf(format, args...))
}

// factText writes a fact down.
func (w *world) factText(f *fact) string {
	text := factNames[f.kind]
	if f.lane >= 0 {
		text += " of " + w.logs[f.lane].id
	}
	switch f.kind {
	case headed:
		text += fmt.Sprintf(" (last %d, generation %q, oldest %d)", f.last, f.gen, f.oldest)
	case caughtUp:
		text += fmt.Sprintf(" (last %d)", f.last)
	case denied:
		text += fmt.Sprintf(" (%s %s)", f.reason, f.detail)
	case event:
		text += fmt.Sprintf(" (%d@%s after %s)", f.rec.seq, f.gen, f.rec.prev.name())
	case draft:
		text += fmt.Sprintf(" (generation %q)", f.gen)
	}
	if f.flaw != flawless {
		text += " " + flawNames[f.flaw]
	}
	return text
}

// name tells a record from another of the same seq.
func (r *record) name() string {
	if r == nil {
		return "nothing"
	}
	return fmt.Sprintf("%d@%s#%x", r.seq, r.gen, len(r.text))
}

// sheetText writes a page down.
func sheetText(page []sheet) string {
	kinds := [...]string{"", "!", "-", "x", "x-"}
	var words []string
	for i := range page {
		if s := &page[i]; s.rec != nil {
			words = append(words, fmt.Sprintf("%d@%s", s.rec.seq, s.rec.gen))
		} else {
			words = append(words, kinds[s.kind])
		}
	}
	return "[" + strings.Join(words, " ") + "]"
}

func (w *world) asksText(asks []link.Ask) string {
	text := ""
	for i := range asks {
		a := &asks[i]
		text += " " + w.logs[w.laneOf(a.Session)].id + " from " + a.Start.String()
		if a.Start == link.FromCursor {
			text += fmt.Sprintf(" %d@%s", a.Cursor.Seq, a.Cursor.Generation)
		}
	}
	return text
}

var hazardNames = [faultKinds]string{
	"cuts", "silences", "drops", "doubles", "spoils", "poisons", "losses", "takeovers", "prunes", "stales", "zombies", "sloppy",
	"statuses", "crashes", "bad loads", "clocks", "networks", "resets", "slow",
}

// text is the climate in one line.
func (c *climate) text() string {
	var words []string
	for kind, name := range hazardNames {
		if c.faults&(1<<kind) != 0 {
			words = append(words, name)
		}
	}
	traits := []struct {
		has  bool
		name string
	}{
		{c.leases == never, "unfenced"}, {c.leases == later, "fenced later"}, {c.names, "named generations"}, {c.mute, "mute heads"},
		{c.shy, "shy events"}, {c.pages, "pages"}, {c.terminal, "terminal events"}, {c.anonymous, "anonymous events"}, {c.idless, "no ids"},
		{c.load, "load"}, {c.explicit, "explicit"}, {c.now, "from now"}, {c.unnamed, "unnamed"}, {c.base == 0, "from 0"}, {c.report, "reports"},
		{c.proof == link.Off, "proofs off"}, {c.proof == link.Require, "proofs required"},
	}
	traitWords := []string{}
	for _, t := range traits {
		if t.has {
			traitWords = append(traitWords, t.name)
		}
	}
	return fmt.Sprintf("a world of %d sessions (%s) with %s", c.lanes, strings.Join(traitWords, ", "), strings.Join(words, ", "))
}
