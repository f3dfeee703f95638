package main

// mutant is the core without one rule.
type mutant struct {
	rule string // what it does not do any more
	file string
	old  string // stands in the file once
	new  string
}

// mutants are the rules whose absence the seeds have to see.
var mutants = []mutant{
	// The resolver.
	{"R-67 a head of another generation", "pkg/replay/verdict.go", `case fenced && h.Generation.IsSet() && c.Generation != h.Generation:`, `case false:`},
	{"R-67 before R-68", "pkg/replay/verdict.go", `case c.Seq > h.LastSeq && p.Continuity.Rises():`, `case c.Seq > h.LastSeq && !fenced:`},
	{"R-68 a cursor above the head", "pkg/replay/verdict.go", `case c.Seq > h.LastSeq && p.Continuity.Rises():`, `case c.Seq > h.LastSeq+1:`},
	{"R-95 a head that was pruned", "pkg/replay/verdict.go", `case c.Seq < h.LastSeq && h.OldestSeq > c.Seq+1 && p.Continuity == profile.Contiguous:`, `case false:`},
	{"R-90 complete takes the head's generation", "pkg/replay/verdict.go", `	if !fenced { // at the head`, `	if false { // at the head`},
	{"R-70 an empty page", "pkg/replay/page.go", `	case p.count == 0 && (contiguous || more):
		return p.refuse(fault.ReasonGap, offence{detail: fault.DetailEmpty, index: -1, expected: p.next})
`, ``},
	{"R-71 a foreign event in a page", "pkg/replay/page.go", `case p.foreign.found:`, `case false:`},
	{"R-72 a bad event in a page", "pkg/replay/page.go", `case problem != events.NoProblem || seq == 0:`, `case problem != events.NoProblem:`},
	{"R-73 generations of a page", "pkg/replay/page.go", `case p.generation.found:`, `case false:`},
	{"R-74 seqs of a page", "pkg/replay/page.go", `case p.seq.found:`, `case false:`},
	{"R-75 a page that ends too early", "pkg/replay/page.go", `case !more && contiguous && p.next <= p.head.LastSeq:`, `case false:`},
	{"R-77 an earlier check wins", "pkg/replay/page.go", `	case p.generation.found:
		return p.refuse(fault.ReasonGenerationChanged, p.generation)
	case p.seq.found:
		return p.refuse(fault.ReasonGap, p.seq)
`, `	case p.seq.found:
		return p.refuse(fault.ReasonGap, p.seq)
	case p.generation.found:
		return p.refuse(fault.ReasonGenerationChanged, p.generation)
`},
	{"R-81 generations of a page are taken in", "pkg/replay/page.go", `	p.fence.Take(token)
`, ``},
	{"R-83 only the first place is named", "pkg/replay/page.go", `	if !o.found {
		*o = first`, `	if true {
		*o = first`},
	{"R-89 the cursor of a page", "pkg/replay/page.go", `	if !next.Generation.IsSet() && (!more || string(p.last) == string(p.head.Generation)) {`, `	if !next.Generation.IsSet() {`},
	{"R-93 the newest generation of a page", "pkg/replay/page.go", `			next.Generation = events.Generation(p.last)`, `			next.Generation = ""`},

	// The tracker and its fence.
	{"R-46 the generation before the seq", "pkg/cursor/tracker.go", `		if v, detail := t.judgeGeneration(e); v != NoVerdict {
			return v, detail
		}
`, `		if v, detail := t.judgeGeneration(e); v != NoVerdict && e.Seq > t.at.Seq {
			return v, detail
		}
`},
	{"R-48 drafts of an older generation", "pkg/cursor/tracker.go", `			return Duplicate, fault.DetailStaleGeneration`, `			return Pass, fault.NoDetail`},
	{"R-49 recorded events of an older generation", "pkg/cursor/tracker.go", `		return GenerationChanged, fault.DetailStaleGeneration`, `		return Duplicate, fault.DetailStaleGeneration`},
	{"R-49 events of another generation", "pkg/cursor/tracker.go", `		return GenerationChanged, fault.DetailEventGeneration`, `		return NoVerdict, fault.NoDetail`},
	{"R-57 foreign events with a seq", "pkg/cursor/tracker.go", `	return Invalid, fault.DetailForeignSession`, `	return Pass, fault.NoDetail`},
	{"R-62 an event that came before", "pkg/cursor/tracker.go", `	case seq <= t.at.Seq:`, `	case seq < t.at.Seq:`},
	{"R-63 a hole", "pkg/cursor/tracker.go", `	case seq > t.at.Seq+1 && t.profile.Continuity == profile.Contiguous:`, `	case seq > t.at.Seq+2 && t.profile.Continuity == profile.Contiguous:`},
	{"R-54 a head is adopted with its event", "pkg/cursor/tracker.go", `	if !t.headed || string(e.Generation) == string(t.fence.head) {`, `	if !t.headed {`},
	{"R-54 and not with another's", "pkg/cursor/tracker.go", `	if !t.headed || string(e.Generation) == string(t.fence.head) {`, `	if true {`},
	{"R-80 an own generation", "pkg/cursor/fence.go", `		return against(token, f.own)`, `		return Fits`},
	{"R-81 a generation that falls", "pkg/cursor/fence.go", `	if order(token, f.last) < 0 {`, `	if false {`},
	{"R-81 a generation above the head's", "pkg/cursor/fence.go", `	if order(token, f.head) > 0 {`, `	if false {`},
	{"R-96 what stands above a head", "pkg/cursor/fence.go", `	if seq > f.ends && f.head.IsSet() && string(token) != string(f.head) {`, `	if false {`},
	{"R-81 a generation that returns", "pkg/cursor/fence.go", `		if fit := against(token, p); fit == Lower || string(token) == string(p) {`, `		if fit := against(token, p); fit == Lower {`},

	// The link.
	{"R-56 two sessions, and an event of neither", "pkg/link/frame.go", `	if len(l.lanes) == 1 {
		return 0
	}`, `	if len(l.lanes) >= 1 {
		return 0
	}`},
	{"R-58 an id that contradicts", "pkg/link/frame.go", `	case problem == events.NoProblem && l.contradicted():`, `	case false:`},
	{"R-103 a gap is looked at again first", "pkg/link/frame.go", `case reason == fault.ReasonGap && l.canLookAgain(ln):`, `case false:`},
	{"R-103 and only once", "pkg/link/frame.go", `	return ln.resyncs == 0 && !ln.local && !l.options.Single`, `	return !ln.local`},
	{"R-117 a refusal that the head contradicts", "pkg/link/control.go", `	case l.canLookAgain(ln) && l.denies(ln, c):`, `	case false:`},
	{"R-117 and only that", "pkg/link/control.go", `	case l.canLookAgain(ln) && l.denies(ln, c):`, `	case l.canLookAgain(ln):`},
	{"R-106 nothing after a refusal", "pkg/link/lane.go", `func (ln *lane) takes() bool { return ln.phase <= resyncing }`, `func (ln *lane) takes() bool { return true }`},
	{"R-114 a load that did not help", "pkg/link/refuse.go", `	if ln.loads++; ln.loads > 1 {`, `	if ln.loads++; ln.loads > 9 {`},
	{"R-116 a position to ask from", "pkg/link/lane.go", `		ln.start, ln.moved = FromCursor, true`, `		ln.moved = true`},
	{"R-120 a restart is owed", "pkg/link/lane.go", `		ln.drafts, ln.owes, ln.voidAfter = false, true, ln.tracker.Place().Seq`, `		ln.drafts = false`},
	{"R-121 where drafts are void from", "pkg/link/lane.go", `		ln.drafts, ln.owes, ln.voidAfter = false, true, ln.tracker.Place().Seq`, `		ln.drafts, ln.owes, ln.voidAfter = false, true, 0`},
	{"R-123 a recorded event makes drafts final", "pkg/link/lane.go", `	ln.resyncs, ln.loads, ln.drafts, ln.reshown = 0, 0, false, false`, `	ln.resyncs, ln.loads, ln.reshown = 0, 0, false`},
	{"R-131 a clean end is a break", "pkg/link/wait.go", `	if empty >= 2 {`, `	if empty >= 1 {`},
	{"R-132 other outcomes between clean ends", "pkg/link/wait.go", `	c.empty = 0 // it did not end cleanly (R-132)
`, ``},
	{"R-150 events before their head", "pkg/link/frame.go", `func (l *Link) early(ln *lane) bool { return l.heads && !ln.headed && !l.observes() }`, `func (l *Link) early(ln *lane) bool { return false }`},
	{"R-150 a head is of one connection", "pkg/link/lane.go", `	ln.headed, ln.named = false, false
`, `	ln.named = false
`},
	{"R-152 a replay that ends below its head", "pkg/link/control.go", `ln.tracker.Place().Seq < max(c.last, ln.head.LastSeq) &&`, `ln.tracker.Place().Seq < max(0, 0) &&`},
	{"R-186 what the server asks to wait", "pkg/link/wait.go", `	if l.conn.floor > 0 {
		return l.conn.floor
	}
`, ``},
	{"R-188 a wait, and a clock that steps back", "pkg/link/conn.go", `		c.retryAt -= back
`, ``},
	{"R-188 a floor, and a clock that steps back", "pkg/link/conn.go", `		c.leastAt -= back
`, ``},
	{"R-188 silence, and a clock that steps back", "pkg/link/conn.go", `		c.life -= back
`, ``},
	{"R-193 a wait that is cut", "pkg/link/wait.go", `	l.conn.retryAt = min(l.conn.retryAt, l.conn.leastAt)
`, ``},
	{"R-194 a head that never comes", "pkg/link/wait.go", `	if l.lacksHead() {`, `	if false {`},
	{"R-191 silence", "pkg/link/backoff.go", `45_000`, `45_000_000`},
	{"R-192 no network", "pkg/link/conn.go", `	if l.conn.away {`, `	if false {`},
	{"R-182 credentials are asked for once", "pkg/link/answer.go", `	if c.asked || !l.options.Credentials {`, `	if !l.options.Credentials {`},
	{"R-291 the generation of a mark", "pkg/cursor/tracker.go", `	if seq < t.since || seq > t.at.Seq {`, `	if seq > t.at.Seq {`},
	{"R-300 the event at the cursor is asked for", "pkg/link/lane.go", `		a.Cursor.Seq--
`, ``},
	{"R-308 an event that differs", "pkg/link/overlap.go", `p != ln.proof {`, `false && p != ln.proof {`},
	{"R-309 the event at the cursor cannot be had", "pkg/link/overlap.go", `	if !l.canAskApart(ln) || ln.head.OldestSeq <= ln.tracker.Place().Seq {`, `	if true {`},
	{"R-310 who insists on a proof", "pkg/link/overlap.go", `	if !required {
		ln.doubt()`, `	if true {
		ln.doubt()`},
	{"R-311 what stands for itself", "pkg/link/overlap.go", `own := ln.given && !ln.stood || ln.tracker.Place().Seq == 0`, `own := ln.tracker.Place().Seq == 0`},
	{"R-311 and once", "pkg/link/overlap.go", `own := ln.given && !ln.stood || ln.tracker.Place().Seq == 0`, `own := ln.given || ln.tracker.Place().Seq == 0`},
	{"R-315 a head that names no generation", "pkg/link/overlap.go", `	case ln.join != joined, !again && (was || !ln.fenced()):`, `	case ln.join != joined, !again:`},
	{"R-318 a second head of one connection", "pkg/link/overlap.go", `	case ln.join != joined, !again && (was || !ln.fenced()):`, `	case ln.join != joined, was || !ln.fenced():`},
	{"R-318 is answered once", "pkg/link/overlap.go", `	if again && ln.reshown || `, `	if `},
	{"R-318 and can be answered", "pkg/link/overlap.go", `	if again && ln.reshown || `, `	if again || `},
	{"R-316 an event that names one", "pkg/link/overlap.go", `	if ln.fenced() && seq > 0 && len(l.event.Generation) > 0 {`, `	if false {`},
	{"R-206 a generation that was named here", "pkg/link/overlap.go", `	named := ln.named || ln.headed && !ln.bare`, `	named := true`},
	{"R-307 drafts before the event at the cursor", "pkg/link/overlap.go", `	case v == cursor.Pass && ln.join == overlaps && ln.headed && !l.observes():`, `	case false:`},
	{"R-312 what unproven cursors claim", "pkg/link/overlap.go", `	ln.trust = doubtful
`, ``},
	{"R-317 the generation of a doubtful cursor", "pkg/link/link.go", `ln.trust != doubtful {`, `true {`},
	{"R-317 and of its mark", "pkg/link/mark.go", `		if ln.trust == doubtful {`, `		if false {`},
	{"R-317 a proof with a doubt", "pkg/link/overlap.go", `		p.Doubt()
`, ``},
	{"R-317 a doubt is told", "pkg/link/overlap.go", `	ln.moved = ln.moved || ln.trust != doubtful && (ln.fenced() || ln.prove().IsSet())
`, ``},
}
