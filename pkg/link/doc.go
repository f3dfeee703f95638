// Package link is one resumable connection as a machine: it joins frames, cursors and
// verdicts, and what a connection brings to what the one before it brought.
//
// Nothing else joins connections. Pages that stand in for the beginning of one are
// joined by pkg/relay, by the same cursor and replay, and the connection behind the
// last of them by a link again.
//
// Feed it one input ([Link.Start], [Link.Opened], [Link.Received], [Link.Closed],
// [Link.Tick], [Link.Loaded], [Link.Stop]; and of what is around a connection
// [Link.Offline], [Link.Online], [Link.Hidden], [Link.Visible], [Link.Renewed],
// [Link.Reset], [Link.Applied]), drain [Link.Next] until it answers nil, perform the
// actions in order, and wait for the next input. Same inputs, same actions: the time
// and a random number come in with each input, and the link never looks for them
// itself.
//
// What an input does is a cell of one table, and so is where a session goes from
// where it stands: docs/states.md shows both. An input without a cell ends the link
// with stream.bad_input, which is the driver's fault and never a panic.
//
// What the app gets is, for each session, a prefix of one log continued without
// a seam, or a refusal with evidence:
//
//   - duplicates are dropped, gaps are never handed over;
//   - a live gap is first a resync: a new connection from the cursor. Only if the
//     answer does not connect either is it a refusal;
//   - a generation change is refused at once;
//   - a refusal is sticky for its session; the others flow on. Only a loaded
//     snapshot's cursor brings a session back;
//   - drafts (events that are not recorded) may come again after a break, so a
//     Restart voids them first.
//
// A link does no I/O, starts no goroutine and is not safe for concurrent use.
package link
