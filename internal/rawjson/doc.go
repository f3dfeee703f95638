// Package rawjson reads and writes JSON text without building values.
//
// Two calls do most of the work: [Check] says whether a text is exactly one JSON
// value, and [Members] walks the members of an object; [Value] finds one of them.
// What they hand out are slices of the text itself; [Text] and [Uint] turn one into
// a Go value. [AppendQuoted] goes the other way.
//
// The grammar is RFC 8259 to the letter, and narrower in one point: the text has
// to be UTF-8. So what passes [Check] is text that JSON.parse and encoding/json
// read without a complaint (provided that the limit of nesting suits them too).
//
// The package never builds a tree, never reads a number as a float, never
// allocates unless a result has to be decoded, and never panics, whatever the
// bytes are. Functions keep no state and may run at the same time; a [Walker]
// belongs to one goroutine.
package rawjson
