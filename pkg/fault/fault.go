package fault

import (
	"unicode/utf8"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// Fault is a stream fault: what went wrong, whose fault it is (by its rule),
// what was expected and what was found instead. It never carries payload.
//
// The words come from the catalog by ID; two faults with the same ID are the
// same to [errors.Is].
type Fault struct {
	_        [0]func() // not comparable, which saves a module the code of it
	ID       ID
	Session  string // session concerned; "" when none or not known
	Expected string // what would have been right, in the terms of the caller; may be ""
	Found    string // what was there instead, shortened, never payload; may be ""
	Offset   int64  // byte position in the input it was found at; -1 when it has none
	Err      error  // cause, for unwrapping; may be nil
}

// New makes a fault without a position. It is called from everywhere: one copy of
// the code is enough.
//
//go:noinline
func New(id ID, expected, found string) *Fault {
	return &Fault{ID: id, Expected: expected, Found: found, Offset: -1}
}

// Clip is what a fault shows of a value: the start of a long one, up to 60 bytes,
// which ends between two characters of UTF-8.
//
//go:noinline
func Clip(value []byte) string {
	const most = 60
	if len(value) <= most {
		return string(value)
	}
	end := most
	for end > most-3 && value[end]&0xc0 == 0x80 { // inside of a character
		end--
	}
	return string(value[:end]) + "…"
}

// Rule is the catalog row of the fault.
func (f *Fault) Rule() Rule { return RuleOf(f.ID) }

// Error is one line for a log: the rule, what happened, and in brackets what was
// expected and found, where, in which session, and why.
func (f *Fault) Error() string {
	if f == nil {
		return noText
	}
	line := []byte(f.ID.Error())
	start := len(line)
	line = appendPart(line, start, "expected ", f.Expected)
	line = appendPart(line, start, "found ", f.Found)
	if f.Offset >= 0 {
		line = appendPart(line, start, "at byte ", string(rawjson.AppendInt(nil, f.Offset)))
	}
	line = appendPart(line, start, "session ", f.Session)
	if f.Err != nil {
		line = appendPart(line, start, "because ", textOf(f.Err))
	}
	if len(line) > start {
		line = append(line, ')')
	}
	return string(line)
}

// appendPart appends one entry to the brackets that open at start.
func appendPart(line []byte, start int, label, text string) []byte {
	switch {
	case text == "":
		return line
	case len(line) == start:
		line = append(line, " ("...)
	default:
		line = append(line, ", "...)
	}
	return appendLine(append(line, label...), text)
}

// Unwrap answers the cause, nil when there is none.
func (f *Fault) Unwrap() error {
	if f == nil {
		return nil
	}
	return f.Err
}

// Is reports whether target is the same rule: an [ID], or a Fault with that ID.
func (f *Fault) Is(target error) bool {
	switch t := target.(type) {
	case ID:
		return f != nil && t == f.ID
	case *Fault:
		return f != nil && t != nil && t.ID == f.ID
	}
	return false
}

// lineLimit is how much of one text a log line shows, in bytes.
const lineLimit = 200

// appendLine appends s so that it stays on one line: what is no printable text
// is shown as \xXX, and what is too long is cut.
func appendLine(dst []byte, s string) []byte {
	limit := len(dst) + lineLimit
	for len(s) > 0 {
		if len(dst) > limit {
			return append(dst, "…"...)
		}
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 || unprintable(r) {
			dst = appendHex(dst, s[:size])
		} else {
			dst = append(dst, s[:size]...)
		}
		s = s[size:]
	}
	return dst
}

// unprintable are controls, the line ends of Unicode, and what turns the
// direction of text around it.
func unprintable(r rune) bool {
	return r < ' ' || 0x7f <= r && r < 0xa0 || 0x2028 <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}

func appendHex(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	for i := range len(s) {
		dst = append(dst, '\\', 'x', digits[s[i]>>4], digits[s[i]&0xf])
	}
	return dst
}

// bare is a sentence without its full stop, to be continued.
func bare(sentence string) string {
	if n := len(sentence); n > 0 && sentence[n-1] == '.' {
		return sentence[:n-1]
	}
	return sentence
}
