// Package guardrail asks rules of the application whether a text may pass: what a
// user sent, before it goes to a model, and the final answer of a turn, before it
// counts.
//
// The calls you need:
//
//	rails := guardrail.Chain{{Name: "secrets", Check: noSecrets}, {Check: polite}}
//	r, err := rails.Input(ctx, guardrail.Context{SessionID: s, TurnID: t, Messages: messages})
//	for _, e := range r.Triggered { … }       // append e.AppendEvent to the log, in order
//	if err != nil || !r.Passes() { … }        // nothing is sent
//	send(r.Messages)
//
//	r, err = rails.Output(ctx, guardrail.Context{SessionID: s, TurnID: t, Text: answer, Messages: history})
//
// # What the caller records
//
//   - Each entry of Triggered, as it comes; a pass leaves no trace.
//   - After an output that was blocked, turn_completed: the turn ended, and did not
//     fail.
//   - After an output that was rewritten, message_replaced for the last message of
//     the assistant ([AppendReplaced]), and then turn_completed with Text as its
//     result. What was streamed of that answer is void from then on: a page shows
//     the message as it was replaced, and nobody can take back what a user has read.
//     Whoever cannot have that streams nothing before the output has passed.
//   - After an input that was rewritten, the message as it stands in Messages.
//
// # What it never does
//
// It has no rules of its own, writes no record, and never lets something through
// that a guardrail was to judge and did not: one that fails, panics, has no check or
// answers something unknown blocks, and a chain that was broken off by its
// context has no result.
//
// # Invariants
//
//   - Guardrails run in the order given, one at a time, each on the text that the
//     one before left; the first block is the last to run.
//   - A guardrail changes things by its verdict alone: the list of messages that it is
//     shown is its own. What stands in it is everybody's, and read-only.
//   - What goes into a record is name and reason, never the text, and never the
//     error of a check, which is in [Result.Err].
package guardrail
