package abi

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// bounds is the arguments of decoderOpen.
type bounds struct{ maxFrame int }

func (b *bounds) member(name string, raw []byte) error {
	if name != "maxFrame" {
		return unknown(fault.InvalidOptions, name)
	}
	if !readLimit(unsafe.Pointer(&b.maxFrame), raw, frameWords) {
		return unusable(name, frameWords, raw)
	}
	return nil
}

func (m *Calls) decoderOpen(arg []byte) ([]byte, error) {
	var b bounds
	if err := readObject(arg, fault.InvalidOptions, b.member); err != nil {
		return nil, err
	}
	return handleAnswer(m.decoders.open(unsafe.Pointer(sse.NewDecoder(b.maxFrame))))
}

func handleAnswer(h int32) ([]byte, error) {
	if h == 0 {
		return nil, fault.New(fault.BadHandle, "fewer open handles", "1048575")
	}
	w := rawjson.Begin(nil)
	w.Int("handle", int64(h))
	return w.End(), nil
}

// decoderFeed answers the messages that a chunk completes. A fault comes after
// the messages before it were answered: with the next call.
func (m *Calls) decoderFeed(h int32, chunk []byte) ([]byte, error) {
	d := (*sse.Decoder)(m.decoders.get(h))
	if d == nil {
		return nil, badHandle("decoder")
	}
	if f := d.Fault(); f != nil {
		return nil, f
	}
	d.Feed(chunk)
	out := []byte{'['}
	var frame sse.Frame
	var text []byte
	for d.Next(&frame) == sse.HaveFrame {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out, text = appendMessage(out, text, d, &frame)
	}
	if f := d.Fault(); f != nil && len(out) == 1 {
		return nil, f
	}
	return append(out, ']'), nil
}

// appendMessage writes a frame as the standard dispatches it: text in which
// what is no UTF-8 is replaced.
func appendMessage(out, text []byte, d *sse.Decoder, f *sse.Frame) (grown, scratch []byte) {
	read := func(b []byte) string {
		text = rawjson.ReplaceInvalid(text[:0], b)
		return string(text)
	}
	w := rawjson.Begin(out)
	name := "message"
	if len(f.Event) > 0 {
		name = read(f.Event)
	}
	w.Text("event", name)
	if f.HasID {
		w.Text("id", read(f.ID))
	}
	w.Text("data", read(f.Data))
	w.Text("lastEventId", read(d.LastEventID()))
	if ms, ok := d.Retry(); ok {
		w.Int("retry", ms)
	}
	return w.End(), text
}

func (m *Calls) decoderEnd(h int32) ([]byte, error) {
	d := (*sse.Decoder)(m.decoders.get(h))
	if d == nil {
		return nil, badHandle("decoder")
	}
	if f := d.Fault(); f != nil {
		return nil, f
	}
	w := rawjson.Begin(nil)
	w.Bool("incompleteTail", d.End())
	w.Text("lastEventId", string(rawjson.ReplaceInvalid(nil, d.LastEventID())))
	if ms, ok := d.Retry(); ok {
		w.Int("retry", ms)
	}
	w.Int("comments", d.Comments())
	return w.End(), nil
}
