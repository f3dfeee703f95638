// Package decision reads what a human answered to a question, and keeps what that
// allows from then on.
//
// The calls you need:
//
//	d, err := decision.Parse(raw)              // an answer, whoever sent it
//	if d.Approves() { … }                      // exactly what was shown, and no more
//
//	var g decision.Grants                      // of one session
//	g.Add(record)                              // each record of its log, in order
//	ok, err := g.Covers(turn, "bash", input)   // need this call be asked about?
//
// # What it never does
//
// It takes nothing for an approval that is not one of the three that say so: not an
// action that it does not know, not "pause", not "continue", not a question that
// expired, and not an answer that came too late. It writes no record, reads no
// clock, starts no goroutine.
//
// # Invariants
//
//   - What was sent is kept byte for byte, members that nobody knows included
//
//   - Nothing is granted but what an approve_tools lists, for the turn that was
//     asked, until that ends. When in doubt there is no grant: a grant that
//     is missing costs a question, one too many runs a tool that nobody allowed.
//   - No input makes it panic. Values belong to one goroutine at a time.
package decision
