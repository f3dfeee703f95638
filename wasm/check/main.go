//go:build js && wasm

// Command check is the module of the command line in Node: "tidemark check" and
// "tidemark explain" over one seam.Module, exports only.
package main

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/wasm/abi"
	"github.com/tidemark-stream/tidemark/wasm/check/seam"
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

//go:wasmexport output_to
func outputTo() int32 { return module.To() }

//go:wasmexport check_args
func checkArgs(n int32) int32 { return int32(module.Args(int(n))) }

//go:wasmexport check_profile
func checkProfile(n int32) int32 { return int32(module.Profile(int(n))) }

//go:wasmexport check_open
func checkOpen(n int32) int32 { return module.Open(int(n)) }

//go:wasmexport check_write
func checkWrite(h, n int32) int32 { return int32(module.Write(h, int(n))) }

//go:wasmexport check_close
func checkClose(h int32, stopped, broken bool) int32 { return int32(module.Close(h, stopped, broken)) }

//go:wasmexport check_trouble
func checkTrouble(n int32) int32 { return int32(module.Trouble(int(n))) }

//go:wasmexport check_total
func checkTotal() int32 { return int32(module.Total()) }

//go:wasmexport check_exit
func checkExit() int32 { return module.Exit() }

//go:wasmexport explain
func explain(n int32) int32 { return int32(module.Explain(int(n))) }

//go:wasmexport crash
func crash() { panic("tidemark: crash() was called") }

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }
