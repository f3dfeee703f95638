package typed

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// codec reads and writes the values of one type. same compares two of them; a
// codec without it always writes, because its values keep their own text.
type codec[T any] struct {
	want  string
	read  func(raw []byte) (T, *mismatch)
	write func(v T) ([]byte, *mismatch)
	same  func(a, b T) bool
}

// store is the text of v: raw itself when raw says the same.
func (c codec[T]) store(raw []byte, v T) ([]byte, bool, *mismatch) {
	if raw != nil && c.same != nil {
		if old, bad := c.read(raw); bad == nil && c.same(old, v) {
			return raw, true, nil
		}
	}
	text, bad := c.write(v)
	return text, bad == nil, bad
}

func equal[T comparable](a, b T) bool { return a == b }

func isNull(raw []byte) bool { return rawjson.KindOf(raw) == rawjson.Null }

func quote[T ~string](s T) []byte { return rawjson.AppendQuoted(nil, s) }

// text is a string, an id or an enum.
func text[T ~string]() codec[T] {
	const want = "text"
	return codec[T]{
		want: want,
		read: func(raw []byte) (T, *mismatch) {
			s, ok := rawjson.Text(raw)
			if !ok {
				return "", &mismatch{want: want, found: foundIn(raw)}
			}
			return T(s), nil
		},
		write: func(v T) ([]byte, *mismatch) {
			if !utf8.ValidString(string(v)) {
				return nil, &mismatch{want: "text in UTF-8", found: "bytes that are no UTF-8"}
			}
			return quote(v), nil
		},
		same: equal[T],
	}
}

// digits is a number kept as its text; the empty text is 0.
func digits[T ~string](want string, accept func(number string) bool) codec[T] {
	write := func(v T) ([]byte, *mismatch) {
		switch {
		case v == "":
			return []byte("0"), nil
		case !rawjson.IsNumber([]byte(v)) || !accept(string(v)):
			return nil, &mismatch{want: want, found: "something else"}
		}
		return []byte(v), nil
	}
	read := func(raw []byte) (T, *mismatch) {
		if rawjson.KindOf(raw) != rawjson.Number {
			return "", &mismatch{want: want, found: foundIn(raw)}
		}
		if !accept(string(raw)) {
			return "", &mismatch{want: want, found: "a number with a fraction"}
		}
		return T(raw), nil
	}
	return codec[T]{want: want, read: read, write: write, same: equal[T]}
}

func integer() codec[Int] { return digits[Int]("an integer", isInteger) }

func number() codec[Number] {
	return digits[Number]("a number", func(string) bool { return true })
}

func boolean() codec[bool] {
	const want = "true or false"
	return codec[bool]{
		want: want,
		read: func(raw []byte) (bool, *mismatch) {
			if rawjson.KindOf(raw) != rawjson.Bool {
				return false, &mismatch{want: want, found: foundIn(raw)}
			}
			return raw[0] == 't', nil
		},
		write: func(v bool) ([]byte, *mismatch) {
			if v {
				return []byte("true"), nil
			}
			return []byte("false"), nil
		},
		same: equal[bool],
	}
}

// anything is any value, kept as its text.
func anything() codec[Raw] {
	return rawCodec("a JSON value", func(raw []byte) bool { return true })
}

// opaque is any value but null, which the contract never writes.
func opaque() codec[Raw] {
	return rawCodec("a value", func(raw []byte) bool { return !isNull(raw) })
}

// object is any object, kept as its text.
func object() codec[Raw] {
	return rawCodec("an object", func(raw []byte) bool { return rawjson.KindOf(raw) == rawjson.Object })
}

func rawCodec(want string, accept func(raw []byte) bool) codec[Raw] {
	c := codec[Raw]{want: want, same: func(a, b Raw) bool { return bytes.Equal(a, b) }}
	c.read = func(raw []byte) (Raw, *mismatch) {
		if !accept(raw) {
			return nil, &mismatch{want: want, found: foundIn(raw)}
		}
		return Raw(raw), nil
	}
	c.write = func(v Raw) ([]byte, *mismatch) {
		v = bytes.Trim(v, " \t\r\n")
		if len(v) == 0 {
			return nil, &mismatch{want: want, found: nothing}
		}
		if problem, _ := rawjson.Check(v, events.MaxDepth); problem != rawjson.OK {
			return nil, &mismatch{want: want, found: "text that is not JSON: " + problem.String()}
		}
		_, bad := c.read(v)
		return v, bad
	}
	return c
}

// list is an array. A changed list is written anew, its elements as each codec
// writes them.
func list[T any](elem codec[T]) codec[[]T] {
	const want = "an array"
	c := codec[[]T]{want: want}
	c.read = func(raw []byte) ([]T, *mismatch) {
		if rawjson.KindOf(raw) != rawjson.Array {
			return nil, &mismatch{want: want, found: foundIn(raw)}
		}
		return readElements(raw, elem)
	}
	c.write = func(v []T) ([]byte, *mismatch) { return writeElements(v, elem) }
	if elem.same != nil {
		c.same = func(a, b []T) bool { return slices.EqualFunc(a, b, elem.same) }
	}
	return c
}

func readElements[T any](raw []byte, elem codec[T]) ([]T, *mismatch) {
	values := []T{}
	for e := range rawjson.Elements(raw) {
		v, bad := elem.read(e)
		if bad != nil {
			return nil, bad.within(index(len(values)), 0)
		}
		values = append(values, v)
	}
	return values, nil
}

func writeElements[T any](values []T, elem codec[T]) ([]byte, *mismatch) {
	text := []byte{'['}
	for i, v := range values {
		if i > 0 {
			text = append(text, ',')
		}
		e, bad := elem.write(v)
		if bad != nil {
			return nil, bad.within(index(i), 0)
		}
		text = append(text, e...)
	}
	return append(text, ']'), nil
}

// shaped is a struct of ours inside an event.
type shaped interface {
	slots() []slot
	document() *document
}

// shape is an object with members of its own, and its own text.
func shape[T any, P interface {
	*T
	shaped
}]() codec[T] {
	const want = "an object"
	return codec[T]{
		want: want,
		read: func(raw []byte) (T, *mismatch) {
			var v T
			d := scan(raw)
			if d == nil {
				return v, &mismatch{want: want, found: foundIn(raw)}
			}
			*P(&v).document() = *d
			return v, d.load(P(&v).slots())
		},
		write: func(v T) ([]byte, *mismatch) { return P(&v).document().write(P(&v).slots()) },
	}
}
