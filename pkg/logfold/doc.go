// Package logfold reads the records of one log, from the first to the last, once:
// bytes go in as they come, and what a log says goes out.
//
// The calls you need:
//
//	f := logfold.New(logfold.Options{Digest: true})
//	for each chunk of the log, however it is cut { f.Write(chunk) }
//	f.End()
//
//	f.Parks().Pending(now)   // the questions to humans
//	f.Checkpoints()          // what is committed and not pruned
//	f.Grants()               // the calls that need not be asked about
//	f.Chain()                // the digest, when it was asked for
//	f.Findings()             // what no log should have
//
// [Fold.Messages] is the context up to a seq, for those who ask with
// Options.Through. [Fold.AppendState] and [Resume] stop and go on.
//
// # Invariants
//
//   - The outcome does not depend on how the bytes are cut.
//   - A line that is a record, or should be one, is a link of the chain. Blank
//     lines are none. A line ends with LF or CR LF, which is no part of it.
//   - Memory grows with what is kept: open and settled questions, checkpoints that
//     were not pruned, grants, a context. It does not grow with the log.
//   - Damage is a finding, with the line and the byte it stands at. It ends nothing
//     but a context, and nothing panics.
//
// # What it never does
//
// It reads no file and has no clock; it judges no document (checkpoint.Proof does,
// see Options.Each), and repairs nothing. A Fold belongs to one goroutine.
package logfold
