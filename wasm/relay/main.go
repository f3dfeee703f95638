//go:build js && wasm

// Command relay is the module of an edge worker: the exports of docs/seam.md over one
// abi.Relays, and nothing else.
package main

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/wasm/abi"
)

var relays abi.Relays

// main has to stay alive, or Go would tear the instance down.
func main() { select {} }

//go:wasmexport abi
func number() int32 { return abi.Number }

//go:wasmexport input
func input(n int32) unsafe.Pointer { return pointer(relays.Input(int(n))) }

//go:wasmexport output
func output() unsafe.Pointer { return pointer(relays.Output()) }

//go:wasmexport output_len
func outputLen() int32 { return int32(len(relays.Output())) }

//go:wasmexport rows
func rows() unsafe.Pointer { return unsafe.Pointer(relays.Rows()) }

//go:wasmexport arrival
func arrival() unsafe.Pointer { return pointer(relays.Arrival()) }

//go:wasmexport relay_judge
func relayJudge(n int32) int32 { return int32(relays.Judge(int(n))) }

//go:wasmexport relay_open
func relayOpen(n int32) int32 { return relays.Open(int(n)) }

//go:wasmexport relay_begin
func relayBegin(h int32) int32 { return int32(relays.Begin(h)) }

//go:wasmexport relay_feed
func relayFeed(h, n int32) int32 { return int32(relays.Feed(h, int(n))) }

//go:wasmexport relay_page
func relayPage(h, n, kind int32) int32 { return int32(relays.Page(h, int(n), kind)) }

//go:wasmexport relay_closed
func relayClosed(h, failed int32) int32 { return int32(relays.Closed(h, failed != 0)) }

//go:wasmexport relay_next
func relayNext(h int32) int32 { return int32(relays.Next(h)) }

//go:wasmexport relay_close
func relayClose(h int32) { relays.Close(h) }

//go:wasmexport saved_replaces
func savedReplaces(n int32) int32 { return relays.Replaces(int(n)) }

//go:wasmexport crash
func crash() { panic("tidemark: crash() was called") }

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }
