// Package catalog is the full description of what can be on a stream: every
// live event type with its members, the record types that only a log has, the
// envelopes, and the values they are made of.
//
// It is the one place where an event type is written down. Everything else is
// generated from here by "tidemark gen": the lean lookup table of pkg/events,
// the Go structs of pkg/events/typed, the TypeScript types, the JSON Schema and
// docs/events.md. The table that the hot path needs is generated rather than
// imported because the words and member lists below would triple its weight in
// a page, and rather than written by hand because a second list would drift.
//
// Calls you need: [Events] and [Find] for types, [Groups] for reading order, and
// [Parse] to understand the type of a member.
//
// The package holds data and decides nothing. All its variables are read-only.
//
// Invariants, kept by its tests: every name stands once; every type expression
// parses and names something that is defined here; every definition is used or
// says why it stands there.
package catalog
