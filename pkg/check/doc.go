// Package check reads a recording from end to end and says what is wrong in it:
// every hole, double and takeover, with place, time, rule and hint.
//
// A recording is a JSONL session log, the raw bytes of an event stream, or a HAR
// file with event streams in it; which of them is told by its first bytes. A
// [Checker] is the machine: bytes in, findings out.
//
//	c := check.New(check.Options{Name: "s1.jsonl"})
//	for chunk := range recording {
//		for len(chunk) > 0 {
//			chunk = chunk[c.Write(chunk):]
//			for f, ok := c.Next(); ok; f, ok = c.Next() {
//				show(&f)
//			}
//		}
//	}
//	c.Close() // and Next until it answers false
//	whole := c.Summary()
//
// A [Report] is the same with words: it turns findings into the text or the JSON
// lines that "tidemark check" prints, [ParseArgs] reads that command's arguments.
// So the command in Go and the one in Node are one.
//
// What it never does: open a file, look at a clock, start a goroutine, hold a
// recording in memory, or show payload. A Checker is for one goroutine at a time.
//
// Invariants:
//
//   - Findings and summary depend on the bytes alone, never on how they were cut.
//   - Memory is bounded by the frame limit and the limits of [Options], whatever
//     the size of the recording. What was left out for that is a finding itself.
//   - An event is judged in the order of R-45: is it one, whose is it, does its
//     generation fit, does its seq connect. The first that fails is reported.
//   - No input makes it panic.
package check
