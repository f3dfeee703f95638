// Package events says what is on a stream: which types of event there are, where
// an event has its place, and what it is written in.
//
// Calls you need: [NewScanner] and [Scanner.Scan] for the envelope of an event,
// read from its JSON text without building values; [TypeIndex] and [TypeAt] for
// what holds for all events of a type. [Seq] and [Generation] are the two halves
// of a position.
//
// What an event says beyond its envelope is none of this package's business:
// pkg/events/catalog describes it member by member, pkg/events/typed reads it
// into structs. Both stay out of the module that pages load.
//
// The package does no I/O, has no clock and starts nothing. A [Scanner] belongs
// to one goroutine, everything else may be used by many at once. No input makes
// it panic.
//
// Invariants: a position is read in one place, the scanner; types are compared
// by exact text; the table holds each type once, and is generated from
// the catalog.
package events
