// Package fault is the catalog of everything that can go wrong: what happened,
// whose fault it is, whether trying again can help, and what to do.
//
// Two jobs are kept apart. Classifying happens where a failure happens: an
// [Error] has one of eight [Code]s, a [ProviderError] what a model provider
// said, a [Fault] a rule of the stream. Explaining happens where a person reads
// it, by an ordered list of [Rule]s that anyone can extend:
//
//	if e, ok := fault.Explain(err); ok {
//		show(e.Message, e.Hint)
//	}
//	wire := fault.Normalize(err) // code, message, details, retryable
//
// Faults of the stream are compared by rule:
//
//	errors.Is(err, fault.InvalidCursor)
//	var f *fault.Fault
//	errors.As(err, &f)
//
// # What it never does
//
// No I/O, no clock, no goroutines, no fmt, no encoding/json. Rules never look at
// wording, only at codes, statuses, stream rules and attached hints. Texts never
// carry payload. Explaining and normalising never fail and never panic, also
// not when a value's own Error or String method does.
//
// # Invariants
//
// Every stream [ID] of this version, every [Code], and every reason and detail of
// a refusal has a row in the catalog; docs/faults.md is written from it. Numbers and names
// are stable for good: a changed meaning takes a new one, texts may improve.
// Values of this package are plain data, safe to read from several goroutines;
// the With methods of [Error] change their receiver and belong to its maker.
package fault
