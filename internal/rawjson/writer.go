package rawjson

// Writer appends one JSON object, member by member, in the order of the calls.
// Nothing is checked twice: a raw value has to be JSON already.
//
//	w := rawjson.Begin(dst)
//	w.Text("session", id)
//	w.Int("seq", 7)
//	dst = w.End()
//
// Its methods are kept out of line on purpose: a member then costs its caller one
// call, where the code of an append alone takes ten times that in WebAssembly.
type Writer struct{ dst []byte }

// BeginList starts a list behind dst, to be ended by EndList. What is written with
// the name "" goes into it.
func BeginList(dst []byte) Writer { return Writer{append(dst, '[')} }

// EndList closes the list of BeginList and answers everything, dst included.
func (w *Writer) EndList() []byte {
	w.add("]")
	return w.dst
}

// Begin starts an object behind dst.
//
//go:noinline
func Begin(dst []byte) Writer { return Writer{append(dst, '{')} }

// End closes the object and answers everything, dst included.
func (w *Writer) End() []byte {
	w.add("}")
	return w.dst
}

// Open starts an object as the value of a member, or of a list when name is "".
// Members go into it until [Writer.Close].
func (w *Writer) Open(name string) { w.opens(name, "{") }

// Close ends the object of the last Open.
func (w *Writer) Close() { w.add("}") }

// OpenList starts a list as the value of a member. What is written with the name
// "" goes into it until [Writer.CloseList].
func (w *Writer) OpenList(name string) { w.opens(name, "[") }

// CloseList ends the list of the last OpenList.
func (w *Writer) CloseList() { w.add("]") }

func (w *Writer) opens(name, bracket string) {
	w.Name(name)
	w.add(bracket)
}

// Name appends a name and its colon, or nothing but the comma in a list when name
// is ""; the value has to follow through Append.
//
//go:noinline
func (w *Writer) Name(name string) {
	if last := w.dst[len(w.dst)-1]; last != '{' && last != '[' {
		w.add(",")
	}
	if name != "" {
		w.quote(name)
		w.add(":")
	}
}

// Append lets f append a value behind a Name.
func (w *Writer) Append(f func(dst []byte) []byte) { w.dst = f(w.dst) }

// Raw appends a member whose value is JSON text.
//
//go:noinline
func (w *Writer) Raw(name string, value []byte) {
	w.Name(name)
	w.add(asString(value))
}

// Text appends a member whose value is text.
//
//go:noinline
func (w *Writer) Text(name, text string) {
	w.Name(name)
	w.quote(text)
}

// Known appends a text unless it is empty.
//
//go:noinline
func (w *Writer) Known(name, text string) {
	if text != "" {
		w.Text(name, text)
	}
}

// Int appends a member whose value is an integer.
//
//go:noinline
func (w *Writer) Int(name string, n int64) {
	w.Name(name)
	w.dst = AppendInt(w.dst, n)
}

// Bool appends a member whose value is true or false.
func (w *Writer) Bool(name string, b bool) {
	word := "false"
	if b {
		word = "true"
	}
	w.Name(name)
	w.add(word)
}

//go:noinline
func (w *Writer) add(text string) { w.dst = append(w.dst, text...) }

// AppendInt appends n in digits.
//
//go:noinline
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
