package check

// content decodes the text of a HAR entry. Browsers write the member that says
// "base64" behind the text, so the text itself has to tell: an event stream has a
// colon or a line end in its first line, and base64 has neither anywhere.
type content struct {
	mode  mode
	was   mode   // what the text of this entry turned out to be
	first []byte // the first bytes, until they tell
	bits  uint32
	count int // of bits
	ended bool
	out   []byte
}

// mode is how a text is read.
type mode uint8

const (
	ignored mode = iota
	untold
	plain
	base64
)

// tells is how many bytes without a colon or line end tell base64.
const tells = 64

func (t *content) begin(encoding string) {
	*t = content{mode: untold, first: t.first[:0], out: t.out[:0]}
	if encoding == "base64" {
		t.mode = base64
	}
}

// decode hands on what a piece of the text stands for. It answers false when the
// text is not base64 after all.
func (t *content) decode(piece []byte, done bool, feed func([]byte)) bool {
	if t.mode == untold {
		t.first = append(t.first, piece...)
		if t.tell(done); t.mode == untold {
			return true
		}
		piece = t.first
	}
	t.was = t.mode
	if t.mode == plain {
		feed(piece)
		return true
	}
	ok := t.unpack(piece)
	feed(t.out)
	return ok
}

func (t *content) tell(done bool) {
	for _, c := range t.first[:min(len(t.first), tells)] {
		if base64Digit(c) < 0 && c != '=' {
			t.mode = plain
			return
		}
	}
	if done || len(t.first) >= tells {
		t.mode = base64
	}
}

// unpack decodes base64 digits to t.out.
func (t *content) unpack(digits []byte) bool {
	t.out = t.out[:0]
	for _, c := range digits {
		d := base64Digit(c)
		switch {
		case d >= 0 && !t.ended:
			t.bits = t.bits<<6 | uint32(d)
			if t.count += 6; t.count >= 8 {
				t.count -= 8
				t.out = append(t.out, byte(t.bits>>t.count))
			}
		case c == '=':
			t.ended = true
		case c == '\r' || c == '\n':
		default:
			return false
		}
	}
	return true
}

// base64Digit is the value of a digit of the standard alphabet, -1 for another byte.
func base64Digit(c byte) int {
	switch {
	case c >= 'A' && c <= 'Z':
		return int(c - 'A')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 26
	case c >= '0' && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}
