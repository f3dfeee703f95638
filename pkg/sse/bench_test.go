package sse

import (
	"strings"
	"testing"
)

// Frames of about 500 bytes on the wire in the shapes that servers send.
var benchShapes = []struct{ name, frame string }{
	{"id+data", "id: s-1234567890:1234567\ndata: {" + strings.Repeat("x", 465) + "}\n\n"},
	{"data", "data: {" + strings.Repeat("x", 490) + "}\n\n"},
	{"event+data", "event: text_delta\ndata: {" + strings.Repeat("x", 472) + "}\n\n"},
	{"event+id+data", "event: text_delta\nid: s-1234567890:1234567\ndata: {" + strings.Repeat("x", 448) + "}\n\n"},
	{"CRLF", "id: s-1234567890:1234567\r\ndata: {" + strings.Repeat("x", 462) + "}\r\n\r\n"},
	{"CR", "id: s-1234567890:1234567\rdata: {" + strings.Repeat("x", 465) + "}\r\r"},
	{"10 data lines", "id: s-1234567890:1234567\n" + strings.Repeat("data: "+strings.Repeat("x", 40)+"\n", 10) + "\n"},
	{"short", "data: {\"type\":\"heartbeat\"}\n\n"},
}

func BenchmarkDecode(b *testing.B) {
	for _, s := range benchShapes {
		b.Run(s.name, func(b *testing.B) {
			const frames = 2000
			benchStream(b, []byte(strings.Repeat(s.frame, frames)), frames, 16<<10)
		})
	}
}

// BenchmarkLongLine is one line of 4 MiB in chunks of one byte to 64 KiB.
func BenchmarkLongLine(b *testing.B) {
	stream := []byte("data: " + strings.Repeat("x", 4<<20) + "\n\n")
	for name, chunk := range map[string]int{"1": 1, "16": 16, "1024": 1 << 10, "65536": 64 << 10} {
		b.Run(name, func(b *testing.B) { benchStream(b, stream, 1, chunk) })
	}
}

func benchStream(b *testing.B, stream []byte, frames, chunk int) {
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	d := NewDecoder(0)
	var f Frame
	got, size := 0, 0
	for b.Loop() {
		for rest := stream; len(rest) > 0; {
			n := min(chunk, len(rest))
			d.Feed(rest[:n])
			rest = rest[n:]
			for d.Next(&f) == HaveFrame {
				got++
				size += len(f.Data)
			}
		}
	}
	if got != frames*b.N || size < got {
		b.Fatal("frames were lost")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(got), "ns/frame")
}

func BenchmarkEncode(b *testing.B) {
	out := Out{ID: []byte("s-1234567890:1234567"), Data: []byte("{" + strings.Repeat("x", 465) + "}")}
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = AppendEvent(dst[:0], out)
	}
	b.SetBytes(int64(len(dst)))
}
