// Package durable keeps what one session needs to outlive its process: the
// checkpoints of its turns, and the questions that wait for humans. It writes both
// through the log of the session, and documents into a store; see memory and disk
// for stores, storetest for the tests that every store must pass.
//
// The calls you need:
//
//	s, err := durable.New(durable.Options{Log: log, Store: store, Scope: scope, Lease: lease})
//
//	err = s.Capture(ctx, state)                     // where the iteration loop begins
//	made, err := s.Commit(ctx, state)               // a checkpoint
//	made, err = s.CommitCaptured(ctx, turn)         // the captured one, when the turn pauses without its own
//	back, err := s.Restore(ctx, turn, checkpoint)   // proven, or refused
//
//	p, err := s.Park(ctx, durable.Question{…})      // a turn waits for a human
//	p, err = s.Answer(ctx, decision, fence, answer, by)
//	ended, err := s.Sweep(ctx)                      // expire what is past its deadline
//	list, err := s.List(ctx, turn)                  // and apart from them what cannot be read
//	pruned, err := s.Prune(ctx, turn, keep)
//
//	l, err := durable.ListerOf(store)               // which runs there are, page by page
//
// # Invariants
//
//   - The document is written first and the record that commits it second. Between
//     the two, a checkpoint does not exist.
//   - Nothing is resumed that was not proven against the log.
//   - The first settlement of a question counts, and everybody is told which one it
//     was.
//   - Everything is recorded under one lease. When another writer has it, the
//     answer is fault.NotTheWriter, and nothing is recorded.
//   - A prune takes nothing that an unsettled question refers to.
//
// Memory grows with the turns, the questions and the checkpoints that there are, not
// with the log: the log is read on from where it was read last.
//
// # What it never does
//
// It starts no goroutine and holds no lock in the log: share one Session between
// all callers of a process, and have one writer. It does not run turns, does not
// carry decisions out, and never repairs a log or a document.
package durable
