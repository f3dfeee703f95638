// Package park folds a log into its parks: the questions to humans that turns wait
// for, and how each of them stands.
//
// Calls you need: [Fold.Add] for each record of a log in order, then [Fold.Parks],
// [Fold.Pending], [Fold.Expired], [Fold.Find] and [Fold.Summary] with a time.
// [Inbox] does that over the verified streams of many sessions, and knows what it
// does not know. [AppendRequested], [AppendResolved] and [AppendExpired] are the other
// direction: the texts that a writer appends to its log.
//
// The package has no clock, does no I/O and starts nothing; every question about
// time takes the time. It never answers for a human, never judges what was decided
// (pkg/decision does), and never changes the bytes of a request or a decision.
//
// Invariants: only records make a park, matched by decisionId; the first
// settlement counts; no input makes anything here panic. A [Fold] and an
// [Inbox] belong to one goroutine.
package park
