package check

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// Exit codes of the command.
const (
	ExitClean      = 0 // nothing is wrong
	ExitWrong      = 1 // a finding is an error, or with Strict a warning
	ExitUsage      = 2 // the command was not called as it can be
	ExitUnreadable = 3 // something could not be read
)

// Total adds up the recordings of one call. The zero Total is ready.
type Total struct {
	files [verdictEnd]int64
}

// Add counts a recording.
func (t *Total) Add(v Verdict) {
	if v < verdictEnd {
		t.files[v]++
	}
}

// Exit is the exit code for all of them: the worst one's.
func (t *Total) Exit(s Style) int {
	switch {
	case t.files[Unreadable] > 0:
		return ExitUnreadable
	case t.files[Wrong] > 0, s.Strict && t.files[Warned] > 0:
		return ExitWrong
	}
	return ExitClean
}

// AppendText writes one closing line when there was more than one recording.
func (t *Total) AppendText(dst []byte, s Style) []byte {
	all := int64(0)
	for _, n := range t.files {
		all += n
	}
	if all < 2 || s.JSON {
		return dst
	}
	p := &page{text: dst, style: s}
	if !s.Quiet {
		p.add("\n")
	}
	p.add(counted(all, "recording"), ":")
	comma := " "
	for v, name := range [verdictEnd]string{"clean", "with warnings", "with errors", "unreadable"} {
		if t.files[v] > 0 {
			p.add(comma, grouped(t.files[v]), " ", name)
			comma = ", "
		}
	}
	p.add("\n")
	return p.text
}

// Causes for which a recording cannot be read; see [AppendTrouble].
const (
	CauseNotFound   = "not_found"
	CauseDirectory  = "directory"
	CauseDenied     = "denied"
	CauseStatus     = "status"
	CauseConnection = "connection"
	CauseOther      = "other"
	notARecording   = "no_recording"
)

var troubles = map[string]struct{ says, advice string }{
	CauseNotFound:   {"there is no such file", "Check the path; it is taken from the current folder."},
	CauseDirectory:  {"it is a folder", "Name the recordings in it, one by one or with a pattern."},
	CauseDenied:     {"it may not be read", "Check who owns the file."},
	CauseStatus:     {"the server answered with another status than 200", "Check the address and, for a session, its id and cursor."},
	CauseConnection: {"the connection failed", "Check that the server runs and can be reached from here."},
	CauseOther:      {"it could not be read", "The text behind it is what the system said."},
	notARecording:   {"it is no recording", "A JSONL session log, an event stream or a HAR file is expected; --format says which, when the first bytes do not."},
}

// AppendTrouble writes that a recording could not be read: one of the causes, and
// in detail what the system or the server said, which may be empty.
func AppendTrouble(dst []byte, name, cause, detail string, s Style) []byte {
	t, ok := troubles[cause]
	if !ok {
		t = troubles[CauseOther]
	}
	if s.JSON {
		w := rawjson.Begin(dst)
		w.Text("unreadable", cause)
		w.Text("file", name)
		w.Text("says", t.says)
		w.Known("detail", detail)
		return append(w.End(), '\n')
	}
	p := &page{text: dst, style: s}
	p.mark(Error)
	p.add(" ")
	p.paint(bold, name)
	p.add(": ", t.says)
	if detail != "" {
		p.add(" (")
		p.safe(detail)
		p.add(")")
	}
	p.add("\n")
	if !s.Quiet {
		p.wrap("  ", "→ ", t.advice)
	}
	return p.text
}
