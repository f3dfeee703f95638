// Package sse reads and writes text/event-stream: bytes in any cut to frames,
// and frames back to bytes, by the rules of the WHATWG HTML standard
// (section "Server-sent events", "Interpreting an event stream")
// of docs/protocol.md name the points that tend to go wrong.
//
// Reading takes three calls:
//
//	d := sse.NewDecoder(0)
//	for chunk := range network {
//		d.Feed(chunk) // or: copy into d.Reserve(n), then d.Commit(n)
//		var f sse.Frame
//		for d.Next(&f) == sse.HaveFrame {
//			use(f) // f's slices are valid until the next Reserve, Feed or Reset
//		}
//	}
//	cut := d.End()
//
// Writing takes one: [AppendEvent].
//
// What it never does: read a socket, look at a clock, start a goroutine, decode
// text (bytes are passed as they came; invalid UTF-8 is the reader's to replace),
// or hand over half a frame. A Decoder is for one goroutine at a time.
//
// Invariants:
//
//   - The frames, the last id, retry, the comment count and a fault depend on the
//     bytes alone, never on how they were cut into chunks.
//   - A block that did not end with a blank line gives no frame and moves no id.
//   - All frames taken between two feeds stay valid together, and their data lies
//     in the decoder's buffer in ascending order.
//   - Memory is bounded by the frame limit plus one chunk, and in the steady state
//     no call allocates.
package sse
