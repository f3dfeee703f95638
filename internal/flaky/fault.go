package flaky

import (
	"context"
	"net/http"
	"slices"
	"time"
)

// Fault is one way to misbehave on one connection, as data. The zero Fault is
// none: the answer is honest.
type Fault struct {
	Kind       string        // a name of [Kinds]; "" for none
	At         int           // byte of the stream as it would have been sent: cut, end, stall
	Record     string        // "<session>:<seq>" of a record, or of the last one that a log holds
	Status     int           // of the answer: status
	RetryAfter string        // header of the answer; "date:N" is written as the date in N seconds
	Code       string        // of the answer's problem body
	Token      string        // the bearer token that auth lets pass
	Drip       bool          // every byte is sent by itself
	Pause      time.Duration // between two such bytes; 0: none
}

// Script is what happens to the connections of a run, in order. The zero Script
// is an honest server.
type Script struct {
	Faults []Fault // of the first connections
	Always bool    // the last of them goes on for good; else what follows is honest
	EOL    string  // how lines end: "\n" (also for ""), "\r\n" or "\r"
}

// of is the fault of the nth connection, counted from 0.
func (s *Script) of(n int) Fault {
	switch {
	case n < len(s.Faults):
		return s.Faults[n]
	case s.Always && len(s.Faults) > 0:
		return s.Faults[len(s.Faults)-1]
	}
	return Fault{}
}

// kind is what a fault does, at one place of an answer.
type kind struct {
	name    string
	says    string
	answers func(w http.ResponseWriter, r *http.Request, f Fault) bool // in place of a stream; false: not this time
	typed   string                                                     // the content type of the stream
	lies    func(v *view, f Fault)                                     // about where a session stands
	sends   func(frames []frame, f Fault) []frame                      // other frames than it should
	stops   func(ctx context.Context)                                  // at byte At, in this way
}

// kinds are all faults.
var kinds = []kind{
	{name: "status", says: "answers with status, retryAfter and code", answers: status},
	{name: "auth", says: "answers 401 to all but the bearer token", answers: auth},
	{name: "html", says: "answers 200 with a page", answers: page},
	{name: "type", says: "answers 200 with the stream under another content type", typed: "application/octet-stream"},
	{name: "empty", says: "answers 200 with an event stream that ends at once", answers: empty},
	{name: "redirect", says: "answers 307 with the same address", answers: redirect},
	{name: "reset", says: "closes the connection without an answer", answers: reset},

	{name: "cut", says: "breaks the connection at byte at", stops: breaks},
	{name: "end", says: "ends the body at byte at, as if it were over", stops: ends},
	{name: "stall", says: "sends nothing more from byte at on, and stays connected", stops: stalls},
	{name: "open", says: "ends the body without saying that the sessions have ended", sends: unfinished},

	{name: "ignore", says: "sends everything from the beginning, whatever the cursor", lies: func(v *view, _ Fault) { v.from = 0 }},
	{name: "skip", says: "begins behind record, whatever the cursor", lies: skip},
	{name: "takeover", says: "its head names another generation for the session of record", lies: takeover},
	{name: "lose", says: "its log ends with record", lies: lose},
	{name: "prune", says: "its log begins behind record", lies: prune},

	{name: "drop", says: "leaves record out", sends: drop},
	{name: "double", says: "sends record twice", sends: double},
	{name: "swap", says: "sends record behind the next one of its session", sends: swap},
	{name: "short", says: "leaves out record and all behind it, and says that the replay has ended", sends: short},
	{name: "garble", says: "sends record as something that is no event", sends: garble},
	{name: "fence", says: "writes another generation into record", sends: fence},
	{name: "rewrite", says: "sends record and all behind it with another content, as a log does that was lost and has grown again", sends: rewrite},
	{name: "mislabel", says: "sends record with the id of another place", sends: mislabel},
}

// Kinds are the names of all faults, with what each does.
func Kinds() (all [][2]string) {
	for _, k := range kinds {
		all = append(all, [2]string{k.name, k.says})
	}
	return all
}

// kindOf is the row of a fault, false when there is none of that name.
func kindOf(name string) (kind, bool) {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if i < 0 {
		return kind{}, name == ""
	}
	return kinds[i], true
}
