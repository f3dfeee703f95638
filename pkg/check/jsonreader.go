package check

import "unicode/utf8"

// jsonReader walks one JSON text of any size as its bytes come in. It knows where
// it is by the nodes of a tree of member names (see [nodes]), and hands over what
// that tree has a use for; the rest it passes over.
type jsonReader struct {
	archive *archive
	state   state
	stack   []level
	node    node // of the value that comes next, or is being read

	at   int64 // offset of the next byte
	line int64 // lines that ended

	name    []byte // of the member that is being read, as long as it can matter
	inName  bool
	piece   []byte // decoded text that was not handed over yet
	wanted  bool   // the string is of use
	unit    rune   // of an escape \uXXXX, so far
	digits  int    // of it
	high    rune   // first half of a surrogate pair, 0 for none
	scalar  []byte
	problem string
}

// level is an open array or object.
type level struct {
	object bool
	node   node
}

// state is what may come next.
type state uint8

const (
	wantValue     state = iota // a value
	wantElement                // a value, or the end of the array that just began
	wantName                   // a member name
	wantFirstName              // a member name, or the end of the object that just began
	wantColon
	wantNext // a comma, or the end of the array or object
	inString
	inEscape
	inUnicode
	inScalar
	finished
	broken
)

const (
	mostNesting = 512
	mostKey     = 64      // bytes of a member name that can be known
	mostScalar  = 64      // bytes of a number or a word
	pieceOut    = 8 << 10 // bytes of text that are handed over at a time
)

func (r *jsonReader) feed(chunk []byte) {
	for i := 0; i < len(chunk) && r.state != broken; {
		if r.state == inString {
			i += r.run(chunk[i:])
			if i == len(chunk) {
				return
			}
		}
		r.step(chunk[i])
		if r.state == broken {
			return
		}
		i++
		r.at++
		if chunk[i-1] == '\n' {
			r.line++
		}
	}
}

// run passes the bytes of a string that stand for themselves.
func (r *jsonReader) run(b []byte) (n int) {
	for n < len(b) && b[n] != '"' && b[n] != '\\' && b[n] >= ' ' {
		n++
	}
	r.text(b[:n]...)
	r.at += int64(n)
	return n
}

// step takes one byte.
func (r *jsonReader) step(b byte) {
	switch r.state {
	case inString:
		r.inString(b)
	case inEscape:
		r.inEscape(b)
	case inUnicode:
		r.inUnicode(b)
	case inScalar:
		r.inScalar(b)
	default:
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' && !r.isMark(b) {
			r.between(b)
		}
	}
}

// isMark passes a byte order mark at the very start.
func (r *jsonReader) isMark(b byte) bool {
	return r.at < int64(len(byteOrderMark)) && b == byteOrderMark[r.at]
}

// between takes a byte that is in no string, number or word.
func (r *jsonReader) between(b byte) {
	switch r.state {
	case wantValue:
		r.value(b)
	case wantElement:
		if b == ']' {
			r.close()
			return
		}
		r.value(b)
	case wantName, wantFirstName:
		r.beginName(b)
	case wantColon:
		if b != ':' {
			r.fail("a colon is expected")
			return
		}
		r.state = wantValue
	case wantNext:
		r.next(b)
	case finished:
		r.fail("something follows the end")
	}
}

func (r *jsonReader) value(b byte) {
	switch {
	case b == '{':
		r.open(true, wantFirstName)
	case b == '[':
		r.open(false, wantElement)
	case b == '"':
		r.state, r.wanted, r.inName = inString, nodes[r.node].text, false
	case b == '-' || b >= '0' && b <= '9' || b == 't' || b == 'f' || b == 'n':
		r.state, r.scalar = inScalar, append(r.scalar[:0], b)
	default:
		r.fail("a value is expected")
	}
}

func (r *jsonReader) open(object bool, then state) {
	if len(r.stack) == mostNesting {
		r.fail("it is nested too deeply")
		return
	}
	r.stack = append(r.stack, level{object, r.node})
	r.archive.begin(r.node)
	r.node = nodes[r.node].element
	r.state = then
}

func (r *jsonReader) beginName(b byte) {
	switch {
	case b == '"':
		r.state, r.wanted, r.inName = inString, true, true
		r.name = r.name[:0]
	case b == '}' && r.state == wantFirstName:
		r.close()
	default:
		r.fail("a member name is expected")
	}
}

func (r *jsonReader) next(b byte) {
	top := r.stack[len(r.stack)-1]
	switch {
	case b == ',' && top.object:
		r.state = wantName
	case b == ',':
		r.node, r.state = nodes[top.node].element, wantValue
	case b == ']' && !top.object, b == '}' && top.object:
		r.close()
	default:
		r.fail("a comma or a closing bracket is expected")
	}
}

// close ends the innermost array or object.
func (r *jsonReader) close() {
	top := r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	r.archive.finish(top.node)
	r.ended()
}

// ended is behind a value.
func (r *jsonReader) ended() {
	r.state = wantNext
	if len(r.stack) == 0 {
		r.state = finished
	}
}

func (r *jsonReader) inString(b byte) {
	switch {
	case b == '"':
		r.lone()
		r.endString()
	case b == '\\':
		r.state = inEscape
	default:
		r.fail("a control character stands in a string")
	}
}

func (r *jsonReader) endString() {
	if !r.inName {
		if r.wanted {
			r.handOver(true)
		}
		r.ended()
		return
	}
	r.node = noNode
	if top := r.stack[len(r.stack)-1]; len(r.name) <= mostKey {
		r.node = nodes[top.node].members[string(r.name)]
	}
	r.state = wantColon
}

// text adds decoded bytes to the string.
func (r *jsonReader) text(b ...byte) {
	if !r.wanted || len(b) == 0 {
		return
	}
	r.lone()
	if r.inName {
		if len(r.name) <= mostKey {
			r.name = append(r.name, b...)
		}
		return
	}
	r.piece = append(r.piece, b...)
	if len(r.piece) >= pieceOut {
		r.handOver(false)
	}
}

func (r *jsonReader) handOver(done bool) {
	r.archive.text(r.node, r.piece, done)
	r.piece = r.piece[:0]
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (r *jsonReader) inEscape(b byte) {
	switch {
	case b == 'u':
		r.state, r.unit, r.digits = inUnicode, 0, 0
	case escapes[b] != 0:
		r.state = inString
		r.text(escapes[b])
	default:
		r.fail("an unknown escape stands in a string")
	}
}

func (r *jsonReader) inUnicode(b byte) {
	digit := hexDigit(b)
	if digit < 0 {
		r.fail("four hexadecimal digits are expected")
		return
	}
	r.unit = r.unit<<4 | rune(digit)
	if r.digits++; r.digits < 4 {
		return
	}
	r.state = inString
	r.endUnit()
}

// endUnit joins the halves of a pair; a half alone becomes U+FFFD.
func (r *jsonReader) endUnit() {
	unit, high := r.unit, r.high
	switch {
	case high != 0 && unit>>10 == 0xdc00>>10:
		r.high = 0
		r.rune(0x10000 + (high&0x3ff)<<10 + unit&0x3ff)
	case unit>>10 == 0xd800>>10:
		r.lone()
		r.high = unit
	default:
		r.rune(unit)
	}
}

func (r *jsonReader) rune(c rune) {
	var room [utf8.UTFMax]byte
	r.text(room[:utf8.EncodeRune(room[:], c)]...)
}

// lone gives up waiting for the second half of a pair.
func (r *jsonReader) lone() {
	if r.high != 0 {
		r.high = 0
		r.rune(utf8.RuneError)
	}
}

func (r *jsonReader) inScalar(b byte) {
	switch b {
	case ',', ']', '}', ' ', '\t', '\r', '\n':
		if !validScalar(r.scalar) {
			r.fail("a number or a word is malformed")
			return
		}
		r.ended()
		if len(r.stack) > 0 && b > ' ' {
			r.between(b)
		} else if b > ' ' {
			r.fail("something follows the end")
		}
	default:
		if r.scalar = append(r.scalar, b); len(r.scalar) > mostScalar {
			r.fail("a number or a word is malformed")
		}
	}
}

// complete reports whether the text may end here.
func (r *jsonReader) complete() bool {
	return r.state == finished || r.state == inScalar && len(r.stack) == 0 && validScalar(r.scalar)
}

func (r *jsonReader) fail(problem string) {
	r.problem, r.state = problem, broken
}
