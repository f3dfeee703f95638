package sessionlog

import "strconv"

// CutReason says why a tail ended. The list is closed.
type CutReason uint8

// Reasons of a cut. The zero value is no reason.
const (
	CutSlow     CutReason = iota + 1 // the reader fell behind its buffer: read again from the cursor
	CutReplaced                      // the log behind the tail is another one now: judge the cursor again
	CutDeleted                       // the session's log was deleted
	CutClosed                        // the tail or its store was closed
	CutDamaged                       // the log cannot be read any further; Err says where
)

var cutNames = [...]string{"", "slow subscriber", "log replaced", "session deleted", "closed", "log damaged"}

// String is a short name for logs.
func (r CutReason) String() string {
	if int(r) < len(cutNames) {
		return cutNames[r]
	}
	return "cut " + strconv.Itoa(int(r))
}

// Cut is the end of a tail: no event that was published before it is missing,
// and no later one will come.
type Cut struct {
	Session string
	Reason  CutReason
	Err     error // cause, for CutDamaged; else nil
}

// Error is one sentence for a log.
func (c *Cut) Error() string {
	text := "the tail of session " + strconv.Quote(c.Session) + " was cut: " + c.Reason.String()
	if c.Err != nil {
		text += ": " + c.Err.Error()
	}
	return text
}

// Unwrap answers the cause, nil when there is none.
func (c *Cut) Unwrap() error { return c.Err }
