// Package sessionlog says what a log of session events has to promise, so that
// cursors into it mean something. It holds the contract, the text form of a
// record, and no storage: see memory and disk for logs, logtest for the tests
// every log must pass.
//
// The calls you need:
//
//	log, err := store.Create(ctx, "s1")               // or Open
//	generation, err := log.Acquire(ctx)               // take the lease; optional
//	event, err := log.Append(ctx, generation, text)   // stored, stamped, then published
//	err = log.Publish(ctx, generation, delta)         // live only, never stored
//
//	tail, err := log.Subscribe(ctx)                   // before the head: nothing is missed
//	head, err := log.Head(ctx)
//	page, err := log.Read(ctx, since, 500)
//	lines, more, err := log.Records(ctx, since, 500)  // the same as the lines of the log
//	batch, err := tail.Next(ctx)
//
// # Obligations
//
// A log keeps these; package logtest checks them one by one.
//
//   - O-1 Append stores first and publishes second. A seq that anybody can see is
//     in the log.
//   - O-2 Seqs are 1, 2, 3 … of one session. A failed append uses up no number.
//   - O-3 Read answers in append order, above sinceSeq (exclusive). It never
//     sorts and never fills a hole with events of its own.
//   - O-4 Every recorded event carries seq and record time, in the same bytes
//     whether it was read live, from a page, or after a restart.
//   - O-5 An event's own members keep their bytes and their order.
//   - O-6 Ephemeral and listener-only events, and events of other sessions, are
//     never stored; a live reader gets them without a seq.
//   - O-7 An append or publish under another generation than the lease's is
//     refused with fault.Fenced, and changes nothing.
//   - O-8 Acquire raises the generation, also across restarts and after a prune.
//   - O-9 Prune moves OldestSeq and never LastSeq; a read from before it starts
//     later, and says so by its first seq.
//   - O-10 A subscriber gets everything that is published after Subscribe
//     returned, in order, or a [Cut] that says why not. It never blocks a writer.
//   - O-11 A log that lost its tail says so by a lower head. It does not make up
//     for it, and its subscribers are cut with [CutReplaced].
//   - O-12 A log that cannot be read back answers fault.LogDamaged with the place;
//     a session that is not there answers fault.UnknownSession.
//   - O-13 Records answers the lines that Append stored, byte for byte, also after
//     a restart, and the same for everybody who may compute a digest of them.
//
// # What it never does
//
// It judges no cursor (package replay does), speaks no HTTP (package serve does),
// and repairs no order.
package sessionlog
