package check

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Summary is what a recording held, and how it stands.
type Summary struct {
	Name        string
	Format      Format
	Profile     *profile.Profile // nil when the format never became known
	Bytes       int64
	Events      int64 // lines or frames that were judged, malformed ones included
	Recorded    int64 // those with a seq
	Unrecorded  int64 // those without
	Control     int64 // tidemark.* frames
	Other       int64 // frames without an event: empty ones, [DONE], those of another name
	Connections int   // event streams: 1, or in a HAR those that had content; 0 for a log
	Entries     int64 // of a HAR

	Sessions []SessionSummary // in the order in which they began, at most Options.MaxSessions
	Kinds    [kindEnd]int64   // findings of each kind
}

// SessionSummary is what a recording held of one session.
type SessionSummary struct {
	Session          string     // "" when the events name none
	Connection       int        // where numbers live with one connection, which one; else 0
	First, Last      events.Seq // lowest and highest, counting from 1; 0 when nothing was recorded
	Recorded         int64
	Unrecorded       int64
	OldestGeneration events.Generation // of the first fenced event
	NewestGeneration events.Generation
	Strength         profile.Strength // none once anything in the session is an error
}

// Findings is how many there are of a severity.
func (s *Summary) Findings(of Severity) (n int64) {
	for k, count := range s.Kinds {
		if Kind(k).Severity() == of {
			n += count
		}
	}
	return n
}

// Summary says how the recording stands so far. Its sessions are there once the
// checker is closed.
func (c *Checker) Summary() Summary {
	t := &c.tally
	return Summary{
		Name: c.options.Name, Format: c.format, Profile: c.profile,
		Bytes: t.bytes, Events: t.events, Recorded: t.recorded, Unrecorded: t.unrecorded,
		Control: t.control, Other: t.other, Connections: t.connections, Entries: t.entries,
		Sessions: t.sessions, Kinds: t.kinds,
	}
}

// tally is what is counted on the way.
type tally struct {
	bytes, events, recorded, unrecorded, control, other, entries int64
	connections                                                  int

	kinds    [kindEnd]int64
	sessions []SessionSummary
	limits   []string        // subjects that were reported
	unknown  map[string]bool // types that were reported
}

func (t *tally) count(k Kind) { t.kinds[k]++ }
