package check

import (
	"slices"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// finish finds what only the end of a recording can tell.
func (c *Checker) finish(stopped bool) {
	c.finishSessions(stopped)
	t := &c.tally
	if c.numbered() && t.recorded == 0 && (t.events > 0 || c.format == HAR) && !stopped && t.kinds[Malformed] == 0 {
		c.report(Finding{Kind: NothingRecorded, What: c.nothing(), Place: nowhere})
	}
}

func (c *Checker) nothing() string {
	switch {
	case c.format == HAR && c.tally.connections == 0:
		return "none of its " + grouped(c.tally.entries) + " entries is an event stream with content"
	case c.profile.Position == profile.InID:
		return "none of " + grouped(c.tally.events) + " events has a position in its SSE id"
	}
	return "none of " + grouped(c.tally.events) + " events has a " + c.profile.Members.Seq
}

// finishSessions ends every session, and keeps what a summary says of it.
func (c *Checker) finishSessions(stopped bool) {
	for _, s := range c.book.order {
		c.flush(s)
		if !stopped {
			c.finishSession(s)
		}
		if len(c.tally.sessions) < c.options.MaxSessions {
			c.tally.sessions = append(c.tally.sessions, c.summaryOf(s))
		}
	}
	c.book.clear()
}

func (c *Checker) finishSession(s *session) {
	if len(c.profile.Terminal) > 0 && !s.terminal && !s.ended {
		what := "none of " + strings.Join(c.profile.Terminal, ", ")
		c.reportOf(s, Finding{Kind: MissingTerminal, What: clip(what, mostURL), Place: s.at})
	}
	for _, id := range sortedTurns(s.turns) {
		t := s.turns[id]
		kind := UnfinishedTurn
		if t.paused {
			kind = PausedTurn
		}
		c.reportOf(s, Finding{Kind: kind, Turn: clip(id, mostName), Type: t.typ, Time: t.time, Place: t.place})
	}
}

// sortedTurns are the open turns in the order in which they stand in the recording.
func sortedTurns(turns map[string]*turn) []string {
	ids := make([]string, 0, len(turns))
	for id := range turns {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		p, q := turns[a].place, turns[b].place
		if p.Entry != q.Entry {
			return p.Entry - q.Entry
		}
		if p.Offset != q.Offset {
			return int(p.Offset - q.Offset)
		}
		return strings.Compare(a, b)
	})
	return ids
}

func (c *Checker) summaryOf(s *session) SessionSummary {
	return SessionSummary{
		Session: s.id, Connection: s.scope,
		First: s.first, Last: s.highest, Recorded: s.recorded, Unrecorded: s.unrecorded,
		OldestGeneration: shortToken([]byte(s.oldest)), NewestGeneration: shortToken([]byte(s.newest)),
		Strength: c.strengthOf(s),
	}
}

// strengthOf is what the recording proves about a session: what its profile can
// prove, and nothing once something in it is wrong.
func (c *Checker) strengthOf(s *session) profile.Strength {
	if s.wrong > 0 || s.recorded == 0 {
		return profile.StrengthNone
	}
	strength := c.profile.StrengthOf(s.newest.IsSet())
	if s.breaks > 0 {
		strength = min(strength, profile.StrengthOrdered)
	}
	return strength
}

// wire is the number that stands for a seq where the profile counts from its base.
func wire(p *profile.Profile, f *Finding) Finding {
	shown := *f
	if p == nil || p.Base == 1 {
		return shown
	}
	if f.Expected > 0 {
		shown.Expected = cursor.ToWire(f.Expected, p.Base)
	}
	if f.Found > 0 {
		shown.Found = cursor.ToWire(f.Found, p.Base)
	}
	if f.Through > 0 {
		shown.Through = cursor.ToWire(f.Through, p.Base)
	}
	return shown
}
