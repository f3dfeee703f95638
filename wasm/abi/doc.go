// Package abi is the byte seam between the core and its host: rows, inputs and
// cold calls as docs/seam.md fixes them, in ordinary Go that is tested natively.
//
// [Links] is what the lean module exports, [Calls] what the module for other
// transports does. Neither needs the other, so a page loads the one it uses.
// Nothing here is specific to wasm but the width of a pointer.
// Bad handles and bad arguments get an answer, never a panic.
package abi

// Number is the version of the seam. It moves when a host built for the former
// number could misread something.
const Number = 1
