package check

import (
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// mostSessions is how many sessions without findings a text lists.
const mostSessions = 10

var formatTitles = [formatEnd]string{"recording", "session log", "event stream", "HAR"}

// appendText writes the report for people: the verdict, what was found session by
// session, what the recording held.
func (r *Report) appendText(dst []byte, s *Summary) []byte {
	p := &page{text: dst, style: r.style}
	r.headline(p, s)
	if r.style.Quiet {
		return p.text
	}
	r.sessions(p, s)
	p.add("\n  ")
	p.paint(dim, holdings(s))
	p.add("\n")
	return p.text
}

func (r *Report) headline(p *page, s *Summary) {
	worst := Severity(0)
	var parts []string
	for _, x := range []struct {
		of   Severity
		noun string
	}{{Error, "error"}, {Warning, "warning"}, {Information, "note"}} {
		if n := s.Findings(x.of); n > 0 {
			parts = append(parts, counted(n, x.noun))
			worst = max(worst, x.of)
		}
	}
	if worst == Information {
		worst = 0
	}
	p.mark(worst)
	p.add(" ")
	p.paint(bold, s.Name)
	p.add(": ")
	if worst == 0 {
		p.add("nothing is missing, doubled or out of order")
		if len(parts) > 0 {
			p.add(" (", parts[0], ")")
		}
	} else {
		p.add(strings.Join(parts, ", "))
	}
	p.add("\n")
}

// sessions writes what belongs to no session, every session with findings, and
// the first of the others.
func (r *Report) sessions(p *page, s *Summary) {
	groups := r.byOwner()
	left, whole := int64(0), 0
	var listed []owner
	for i := range s.Sessions {
		one := &s.Sessions[i]
		listed = append(listed, owner{one.Session, one.Connection})
	}
	r.unlisted(p, groups, listed)
	apart := true // findings stand between blank lines, sessions without close together
	for i := range s.Sessions {
		keys := groups[listed[i]]
		if len(keys) == 0 {
			if whole++; whole > mostSessions {
				left++
				continue
			}
		}
		if apart || len(keys) > 0 {
			p.add("\n")
		}
		apart = len(keys) > 0
		p.add("  ")
		r.sessionLine(p, s, &s.Sessions[i])
		r.writeGroups(p, keys)
	}
	if left > 0 {
		p.add("\n  and ", counted(left, "more session"), " without findings\n")
	}
}

// unlisted writes the groups of the recording as a whole, and of sessions beyond
// those that a summary holds.
func (r *Report) unlisted(p *page, groups map[owner][]groupKey, listed []owner) {
	known := map[owner]bool{}
	for _, o := range listed {
		known[o] = true
	}
	for _, k := range r.order {
		if known[k.owner] {
			continue
		}
		known[k.owner] = true
		p.add("\n  ")
		p.paint(bold, k.title())
		p.add(":\n")
		r.writeGroups(p, groups[k.owner])
	}
}

// title names a session, "the recording" for what belongs to none.
func (o owner) title() string {
	name := o.session
	if name == "" && o.connection == 0 {
		return "the recording"
	}
	if name == "" {
		name = "no session id"
	}
	if o.connection > 0 {
		name += ", connection " + grouped(int64(o.connection))
	}
	return name
}

func (r *Report) sessionLine(p *page, s *Summary, one *SessionSummary) {
	o := owner{one.Session, one.Connection}
	if o == (owner{}) {
		p.paint(bold, "no session id")
	} else {
		p.paint(bold, o.title())
	}
	parts := []string{counted(one.Recorded, "recorded event")}
	if one.Recorded > 0 {
		seen := wire(s.Profile, &Finding{Expected: one.First, Found: one.Last})
		parts = append([]string{"seq " + span2(seen.Expected, seen.Found)}, parts...)
	}
	if one.Unrecorded > 0 {
		parts = append(parts, grouped(one.Unrecorded)+" not recorded")
	}
	switch oldest, newest := string(one.OldestGeneration), string(one.NewestGeneration); {
	case newest == "":
	case oldest == newest:
		parts = append(parts, "generation "+newest)
	default:
		parts = append(parts, "generation "+oldest+" to "+newest)
	}
	parts = append(parts, "strength "+one.Strength.String())
	p.add(": ")
	p.safe(strings.Join(parts, ", "))
	p.add("\n")
}

func (r *Report) writeGroups(p *page, keys []groupKey) {
	for _, key := range keys {
		g := r.groups[key]
		rule := fault.RuleOf(key.rule)
		p.add("    ")
		p.mark(key.kind.Severity())
		p.add(" ")
		p.paint(bold, key.kind.String())
		p.paint(dim, "  "+rule.Name)
		p.add("\n")
		for i := range g.shown {
			r.writeFinding(p, &g.shown[i])
		}
		if rest := g.count - int64(len(g.shown)); rest > 0 {
			p.add("      … and ", grouped(rest), " more\n")
		}
		p.wrap("      ", "→ ", rule.Hint)
	}
}

func (r *Report) writeFinding(p *page, f *Finding) {
	shown := wire(r.checker.profile, f)
	p.add("      ")
	p.safe(shown.says())
	p.add("\n")
	if place := placeText(f); place != "" {
		p.add("        ")
		p.paint(dim, place)
		p.add("\n")
	}
}

// placeText is where and when, as far as is known.
func placeText(f *Finding) string {
	var parts []string
	if f.Place.Entry > 0 {
		parts = append(parts, "entry "+grouped(int64(f.Place.Entry)))
	}
	if f.Place.Line > 0 && f.Place.Offset >= 0 {
		parts = append(parts, "line "+grouped(f.Place.Line), "byte "+grouped(f.Place.Offset))
	} else if f.Place.Line > 0 {
		parts = append(parts, "message "+grouped(f.Place.Line))
	}
	for _, text := range []string{f.Type, f.Time, f.Place.URL} {
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// holdings is what the recording held, in one line.
func holdings(s *Summary) string {
	text := formatTitles[s.Format]
	if s.Format == HAR {
		text += " of " + counted2(s.Entries, "entry", "entries") + ", " + counted(int64(s.Connections), "event stream")
	}
	text += ", " + counted(s.Bytes, "byte") + ": " + counted(s.Events, "event") + ", " + grouped(s.Recorded) + " recorded"
	if s.Control > 0 {
		text += ", " + counted(s.Control, "control frame")
	}
	text += "; " + counted(int64(len(s.Sessions)), "session")
	if s.Profile != nil {
		text += "; profile " + s.Profile.Name
	}
	return text
}

func counted2(n int64, one, many string) string {
	if n == 1 {
		return grouped(n) + " " + one
	}
	return grouped(n) + " " + many
}
