package sse

// lineEnd is the place of the first CR or LF from i on, len(buf) when there is
// none. i is at most that. Half the work of framing is this search, so it is done
// in structured loops; compiled Go jumps through a table for every block.
//
//go:noescape
func lineEnd(buf []byte, i int) int

// linesEnd is the place behind the last CR or LF from i on, i when there is none.
//
//go:noescape
func linesEnd(buf []byte, i int) int
