package sse_test

import (
	"fmt"

	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// The network cuts where it likes; the frames do not depend on it.
func ExampleDecoder() {
	d := sse.NewDecoder(0)
	for _, chunk := range []string{"id: s1:7\r\nda", "ta: {\"seq\":7}\r", "\n\r\nid: s1:8\r\ndata: {\"se"} {
		d.Feed([]byte(chunk))
		var f sse.Frame
		for d.Next(&f) == sse.HaveFrame {
			fmt.Printf("%s %s %s\n", f.Type(), f.ID, f.Data)
		}
	}
	fmt.Println("cut:", d.End())
	fmt.Printf("resume behind %s\n", d.LastEventID())
	// Output:
	// message s1:7 {"seq":7}
	// cut: true
	// resume behind s1:7
}

// A host that has the bytes elsewhere writes them straight into the decoder.
func ExampleDecoder_Reserve() {
	d := sse.NewDecoder(0)
	room := d.Reserve(4096)
	d.Commit(copy(room, "event: note\ndata: first\ndata: second\n\n"))
	var f sse.Frame
	for d.Next(&f) == sse.HaveFrame {
		fmt.Printf("%s %q\n", f.Type(), f.Data)
	}
	// Output: note "first\nsecond"
}

func ExampleAppendEvent() {
	text, err := sse.AppendEvent(nil, sse.Out{ID: []byte("s1:7"), Data: []byte("{\n}")})
	fmt.Printf("%s%v\n", text, err)
	_, err = sse.AppendEvent(nil, sse.Out{ID: []byte("s1:7\ndata: forged")})
	fmt.Println(err != nil)
	// Output:
	// id: s1:7
	// data: {
	// data: }
	//
	// <nil>
	// true
}
