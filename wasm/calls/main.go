//go:build js && wasm

// Command calls is the module for whoever brings a transport of their own:
// questions to the core, one at a time, over one abi.Calls.
package main

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/wasm/abi"
)

var calls abi.Calls

// main has to stay alive, or Go would tear the instance down.
func main() { select {} }

//go:wasmexport abi
func number() int32 { return abi.Number }

//go:wasmexport input
func input(n int32) unsafe.Pointer { return pointer(calls.Input(int(n))) }

//go:wasmexport output
func output() unsafe.Pointer { return pointer(calls.Output()) }

//go:wasmexport output_len
func outputLen() int32 { return int32(len(calls.Output())) }

//go:wasmexport call
func call(op, handle, n int32) int32 { return int32(calls.Call(op, handle, int(n))) }

//go:wasmexport crash
func crash() { panic("tidemark: crash() was called") }

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }
