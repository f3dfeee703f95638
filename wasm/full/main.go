//go:build js && wasm

// Command full is the module of the inspector: whole logs, checkpoints, decisions
// and listings over one seam.Module. Bytes go through exports; what is small goes
// as objects, see ask.
package main

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/wasm/abi"
	"github.com/tidemark-stream/tidemark/wasm/full/seam"
)

var module seam.Module

// main has to stay alive, or Go would tear the instance down.
func main() { select {} }

//go:wasmexport abi
func number() int32 { return abi.Number }

//go:wasmexport input
func input(n int32) unsafe.Pointer { return pointer(module.Input(int(n))) }

//go:wasmexport output
func output() unsafe.Pointer { return pointer(module.Output()) }

//go:wasmexport output_len
func outputLen() int32 { return int32(len(module.Output())) }

//go:wasmexport log_open
func logOpen(n int32) int32 { return module.Open(int(n)) }

//go:wasmexport log_write
func logWrite(h, of, n int32) int32 { return module.Write(h, of, int(n)) }

//go:wasmexport log_end
func logEnd(h int32) int32 { return module.End(h) }

//go:wasmexport log_spilled
func logSpilled(h, place, n int32) int32 { return module.Spilled(h, int(place), int(n)) }

//go:wasmexport log_text
func logText(h, what int32, now float64) int32 { return int32(module.Text(h, what, now)) }

//go:wasmexport log_close
func logClose(h int32) { module.Close(h) }

//go:wasmexport runs_close
func runsClose(h int32) { module.CloseRuns(h) }

//go:wasmexport crash
func crash() { panic("tidemark: crash() was called") }

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }
