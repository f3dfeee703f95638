// Package checkpoint says what a checkpoint of a turn is, and decides whether one
// can be trusted: it reads and writes the document, chains the digest of a log,
// proves a document against the log it was taken of, folds the context that a
// resumed turn starts with, and plans what a prune takes away.
//
// The calls you need:
//
//	document, err := checkpoint.Parse(text)          // R-380
//	receipt, err := checkpoint.ReceiptOf(text)       // what the committing record says
//
//	proof := checkpoint.Prove(id, text)              // R-385, one pass over the log; of many, see Proofs
//	context := checkpoint.Context{Spill: read}       // R-387, R-388
//	for each record of the log, first to last {
//		proof.Add(record)
//		if seq <= document.ThroughSeq { context.Add(record) }
//	}
//	document, err = proof.Result()
//	messages, err := context.Messages()
//
// # Invariants
//
//   - A document holds no messages. They stand in the log, and the digest in the
//     document covers every byte of every record up to ThroughSeq.
//   - A document counts from the record on that commits it.
//   - A [Chain] is its seq and its sum, and a [Context] holds what is in the
//     context: neither grows with the log.
//   - What is altered is named apart: the document, the covered part of the log, or
//     the record that commits.
//
// A record is a line of the log without its line break, in the bytes of the log:
// with gen, not generation.
//
// # What it never does
//
// It reads no file, keeps no store and asks no clock: package durable does. It
// looks into no message, except for whose it is, what it says, and a note of
// guidance in it. Text that is none, or damaged, is a fault and never a panic.
package checkpoint
