// Package sim is a seeded world for the real core: a link with its tracker,
// resolver and decoder, and page readers, against a model of a log, its writer,
// its servers and the network between them.
//
// [Run] plays one world. Everything in it, faults included, is drawn from the
// seed; time is virtual, and there is no goroutine, so the same seed is always
// the same world. It answers nil, or a [Failure] that tells the last steps as a
// story.
//
// After every step the world compares what the core did with what the rules of
// docs/protocol.md make of the bytes that arrived, and with the logs themselves:
//
//   - what a consumer applied is a prefix of one incarnation of the log from
//     where it started, or its session was refused, and the reason is true;
//   - only recorded events move a cursor, and drafts that a break left out are
//     voided before the next event;
//   - when the faults stop, every session is caught up, refused or ended within
//     a bounded time;
//   - nothing panics, and nothing grows beyond its bound.
//
// docs/sim.md describes the world and how to read a story.
package sim
