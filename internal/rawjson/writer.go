package rawjson

// Writer appends one JSON object, member by member, in the order of the calls.
// Nothing is checked twice: a raw value has to be JSON already.
//
//	w := rawjson.Begin(dst)
//	w.Text("session", id)
//	w.Int("seq", 7)
//	dst = w.End()
type Writer struct {
	dst   []byte
	start int
}

// Begin starts an object behind dst.
func Begin(dst []byte) Writer { return Writer{dst: dst, start: len(dst)} }

// End closes the object and answers everything, dst included.
func (w *Writer) End() []byte {
	if len(w.dst) == w.start {
		return append(w.dst, '{', '}')
	}
	w.dst[w.start] = '{'
	return append(w.dst, '}')
}

// Name appends a name and its colon; the value has to follow through Append.
func (w *Writer) Name(name string) {
	w.dst = append(w.dst, ',')
	w.dst = append(AppendQuoted(w.dst, name), ':')
}

// Append lets f append a value behind a Name.
func (w *Writer) Append(f func(dst []byte) []byte) { w.dst = f(w.dst) }

// Raw appends a member whose value is JSON text.
func (w *Writer) Raw(name string, value []byte) {
	w.Name(name)
	w.dst = append(w.dst, value...)
}

// Text appends a member whose value is text.
func (w *Writer) Text(name, text string) {
	w.Name(name)
	w.dst = AppendQuoted(w.dst, text)
}

// Known appends a text unless it is empty.
func (w *Writer) Known(name, text string) {
	if text != "" {
		w.Text(name, text)
	}
}

// Int appends a member whose value is an integer.
func (w *Writer) Int(name string, n int64) {
	w.Name(name)
	w.dst = AppendInt(w.dst, n)
}

// Bool appends a member whose value is true or false.
func (w *Writer) Bool(name string, b bool) {
	w.Name(name)
	if b {
		w.dst = append(w.dst, "true"...)
		return
	}
	w.dst = append(w.dst, "false"...)
}

// AppendInt appends n in digits.
func AppendInt(dst []byte, n int64) []byte {
	var text [20]byte
	at := len(text)
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	for {
		at--
		text[at] = byte('0' + u%10)
		if u /= 10; u == 0 {
			break
		}
	}
	if n < 0 {
		at--
		text[at] = '-'
	}
	return append(dst, text[at:]...)
}
