//go:build js && wasm

// Command lean is the module that a page loads to open streams: the exports of
// docs/seam.md over one abi.Links and one abi.Inboxes, and nothing else.
package main

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/wasm/abi"
)

var (
	links   abi.Links
	inboxes = abi.Inboxes{Room: &links.Room}
)

// main has to stay alive, or Go would tear the instance down.
func main() { select {} }

//go:wasmexport abi
func number() int32 { return abi.Number }

//go:wasmexport input
func input(n int32) unsafe.Pointer { return pointer(links.Input(int(n))) }

//go:wasmexport output
func output() unsafe.Pointer { return pointer(links.Output()) }

//go:wasmexport output_len
func outputLen() int32 { return int32(len(links.Output())) }

//go:wasmexport rows
func rows() unsafe.Pointer { return unsafe.Pointer(links.Rows()) }

//go:wasmexport text
func text(h, id int32) int32 { return int32(links.Text(h, uint32(id))) }

//go:wasmexport types
func types() int32 { return int32(links.Types()) }

//go:wasmexport link_open
func linkOpen(n int32) int32 { return links.Open(int(n)) }

//go:wasmexport link_reserve
func linkReserve(h, n int32) unsafe.Pointer { return pointer(links.Reserve(h, int(n))) }

//go:wasmexport link_feed
func linkFeed(h, n int32, now, random float64) int32 {
	return int32(links.Feed(h, int(n), now, random))
}

//go:wasmexport link_input
func linkInput(h, kind, n int32, now, random float64) int32 {
	return int32(links.Do(h, kind, int(n), now, random))
}

//go:wasmexport link_next
func linkNext(h int32) int32 { return int32(links.Next(h)) }

//go:wasmexport link_close
func linkClose(h int32) { links.Close(h) }

//go:wasmexport saved_replaces
func savedReplaces(n int32) int32 { return links.Replaces(int(n)) }

//go:wasmexport inbox_open
func inboxOpen(n int32) int32 { return inboxes.Open(int(n)) }

//go:wasmexport inbox_input
func inboxInput(h, kind, n int32, now float64) int32 {
	return int32(inboxes.Do(h, kind, int(n), now))
}

//go:wasmexport inbox_close
func inboxClose(h int32) { inboxes.Close(h) }

//go:wasmexport crash
func crash() { panic("tidemark: crash() was called") }

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }
