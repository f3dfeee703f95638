package rawjson

// Problem says why a text is not one JSON value. The zero Problem, OK, means
// that it is one.
type Problem uint8

// Problems of a text.
const (
	OK        Problem = iota
	Syntax            // a byte that the grammar does not allow there
	UTF8              // a byte that is no part of UTF-8
	Depth             // a bracket that nests deeper than the limit
	Trailing          // something other than white space behind the value
	Truncated         // the text ends inside the value, or before it
)

var problemNames = [...]string{
	"ok", "not JSON here", "invalid UTF-8 here", "nested too deeply here",
	"more than one value", "ends too early",
}

// String says what is wrong in a few words.
func (p Problem) String() string {
	if int(p) < len(problemNames) {
		return problemNames[p]
	}
	return "unknown problem"
}

// blame names what is wrong with the byte at which reading stopped.
func blame(text []byte, at int) Problem {
	if at >= len(text) {
		return Truncated
	}
	if badUTF8(text[at:]) {
		return UTF8
	}
	return Syntax
}

// badUTF8 reports whether b starts with bytes that are no UTF-8.
func badUTF8(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	_, valid := sequence(asString(b))
	return !valid
}
