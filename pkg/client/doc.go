// Package client follows session logs over HTTP: the driver of package link for
// programs in Go.
//
//	stream, err := client.Open(ctx, "https://api.example/v1/sessions/s1/events", client.Options{})
//	if err != nil {
//		return err
//	}
//	defer stream.Close()
//	for item, err := range stream.Items() {
//		if err != nil {
//			return err
//		}
//		switch item := item.(type) {
//		case client.Event:
//			show(item.Seq, item.JSON)
//		case client.Refused:
//			return item
//		}
//	}
//
// What comes is, for each session, a prefix of one log continued without a seam,
// or a refusal with evidence: reconnects, resyncs, back-off and judgement are the
// link's. The driver performs what the link orders and decides nothing about
// positions.
//
// It is driven by whoever asks for the next item, and by nobody else. Asking says
// that the item before is applied (see [Stream.Cursor]). While nobody asks, the
// body is not read beyond a buffer or two, so a slow consumer slows the server down
// and memory stays bounded; silence that is of the consumer's own making is not
// held against the server. Nothing is lost by being slow.
//
// A [Stream] belongs to one goroutine; [Stream.Close] and [Stream.Stats] may be
// called from any. Callbacks are called by the goroutine that asks, but for Load
// and Credentials, which run beside it. Nothing is stored, and no payload is looked
// at beyond its envelope.
package client
