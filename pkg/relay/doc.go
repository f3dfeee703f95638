// Package relay says which bytes of a stream may pass on to the next reader: a machine
// for whatever stands between a server and a consumer.
//
// A [Relay] reads one connection. Feed it bytes ([Relay.Reserve], [Relay.Received]),
// tell it of the end ([Relay.Closed]), and carry out the [Order]s that come back, in
// order: pass these bytes on as they came, write these of ours in between, close. What
// may pass is named by where it stands in the connection, so that the bytes themselves
// are never copied or written anew.
//
// Frames are held until they are whole and judged. A frame that does not go on is cut
// out; the first that does not connect ends its session with a tidemark.refused frame
// in its place, and the connection when no other session is left. A
// relay never asks for anything twice: to look again is the consumer's right, who knows
// its own cursor.
//
// With [Options.PageSize] what is old comes from pages of the log: the relay orders to
// fetch one, takes it by [Relay.Page], and orders the connection behind the last one.
// What shows that they are of one log is in R-426. A relay can go on for another in the
// middle of a connection, from the [Place]s that were kept.
//
// What is decided before a relay is made stands here as well: what a request asks for
// ([Options.Ask]), what to answer in place of a stream ([Judge]), and which headers
// pass ([HopByHop], [NotAsked], [OfBody]).
//
// The package is pure and a relay is not safe for concurrent use.
package relay
