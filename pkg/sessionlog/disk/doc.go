// Package disk keeps session logs as JSONL files in one folder: a file
// <session id>.jsonl for each session, one record a line, in the record envelope
// (v, type, seq, gen, ts, sessionId, turnId, then the event's own members).
//
//	store, err := disk.New("logs", disk.Options{})
//	log, err := store.Create(ctx, "s1")
//
// It implements sessionlog.Store with all its obligations.
//
// # Files
//
// Bytes of a session id that a file name cannot hold are written %XX. What a line
// cannot say stands in <session id>.state beside the log: the lease, and how far
// the log was pruned. A folder without state files is fine; then the lease is the
// generation of the last record.
//
// # Crashes
//
// Append writes one line and, unless NoSync is set, has it on stable storage
// before it is published: what a reader has seen survives a power cut. With
// NoSync it survives the end of the process only. A last line that was never
// finished is not part of the log; a store that may write cuts it off when it
// opens the log, and reports it. A last line that only lacks its line break is
// whole, and stays. Any other line that is no record of the session is the fault
// LogDamaged, with file, line and byte offset; no such line is ever passed over.
//
// State files and pruned logs are written beside their place and put there by a
// rename. What a crash left of one is called .tidemark-*.tmp and is nobody's log; a
// store that may write removes it when it is made, once nothing was written to it
// for a day, whichever process began it.
//
// # Other writers
//
// A log may grow by the hand of another process while it is served (use
// ReadOnly): every call looks at the file again, and tails look at it every Poll.
// A file that shrank, was replaced, or no longer ends as it did is read anew, its
// tails are cut with CutReplaced, and the head says what is there now, even when
// that is less. Two processes that append to the same log are told apart by their
// leases only: give a folder one writer, or have each take the lease.
//
// # Memory
//
// A log is never held in memory. There is one mark for every 256 records; a read
// starts at a mark and streams.
package disk
