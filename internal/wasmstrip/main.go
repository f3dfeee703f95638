// Command wasmstrip takes out of a Go WebAssembly module what only stack traces
// read: the names of functions, their files and their lines. That is a sixth of
// what a page downloads, and nothing that runs looks at it: the garbage
// collector and the unwinder keep all of their own tables.
//
//	wasmstrip MODULE.wasm     rewrites the file in place
//
// The bytes become zeros, so that every address stays as it is. Initial memory is
// then cut anew into segments at its longer runs of zeros: the linker makes some
// 28,000 of them, whose headers cost more than the zeros they save. A panic still says what it is; its stack has no names.
//
// The layout is that of Go's function table since Go 1.20 (runtime/symtab.go). A
// module with any other layout is refused and left alone: then this command has
// to be brought up to the toolchain, or left out of the build.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: wasmstrip MODULE.wasm")
		os.Exit(2)
	}
	if err := stripFile(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "wasmstrip: %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

func stripFile(path string) error {
	module, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	stripped, err := strip(module)
	if err != nil {
		return err
	}
	return os.WriteFile(path, stripped, 0o644)
}

// strip answers the module with its tables blanked and its memory packed anew. It
// changes nothing in place.
func strip(module []byte) ([]byte, error) {
	segments, section, err := dataSegments(module)
	if err != nil {
		return nil, err
	}
	image := load(module, segments)
	t, err := findTable(image)
	if err != nil {
		return nil, err
	}
	if err := t.blank(); err != nil {
		return nil, err
	}
	return pack(module, image, section), nil
}
