package checkpoint

import (
	"github.com/tidemark-stream/tidemark/internal/datetime"
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// word is a member that always reads the same.
func word[T any](name, value string) row[T] {
	return row[T]{
		name: name, words: value, needs: true,
		read:  func(_ *T, raw []byte) bool { return string(raw) == value },
		write: func(w *rawjson.Writer, _ *T) { w.Raw(name, []byte(value)) },
	}
}

// text is a member that is text which is not empty.
func text[T any](name string, needs bool, field func(*T) *string) row[T] {
	return row[T]{
		name: name, words: "text that is not empty", needs: needs,
		read: func(t *T, raw []byte) (ok bool) {
			*field(t), ok = rawjson.Text(raw)
			return ok && *field(t) != ""
		},
		write: func(w *rawjson.Writer, t *T) { w.Known(name, *field(t)) },
	}
}

// count is a member that is an integer of at least 0.
func count[T any](name string, field func(*T) *int64) row[T] {
	return row[T]{
		name: name, words: "an integer of at least 0", needs: true,
		read: func(t *T, raw []byte) bool {
			n, ok := rawjson.Uint(raw)
			*field(t) = int64(n)
			return ok
		},
		write: func(w *rawjson.Writer, t *T) { w.Int(name, *field(t)) },
	}
}

// position is a member that is the seq of a record.
func position[T any](name string, field func(*T) *events.Seq) row[T] {
	return row[T]{
		name: name, words: "a seq of at least 1", needs: true,
		read: func(t *T, raw []byte) (ok bool) {
			*field(t), ok = events.ParseSeq(raw)
			return ok
		},
		write: func(w *rawjson.Writer, t *T) { w.Int(name, int64(*field(t))) },
	}
}

// digest is a member that is a [Sum].
func digest[T any](name string, field func(*T) *Sum) row[T] {
	return row[T]{
		name: name, words: "64 hexadecimal digits in lower case", needs: true,
		read: func(t *T, raw []byte) (ok bool) {
			digits, _ := rawjson.PlainText(raw)
			*field(t), ok = ParseSum(string(digits))
			return ok
		},
		write: func(w *rawjson.Writer, t *T) { w.Text(name, field(t).String()) },
	}
}

// moment is a member that is date-time text, kept in milliseconds.
func moment[T any](name string, field func(*T) *int64) row[T] {
	return row[T]{
		name: name, words: "date-time text", needs: true,
		read: func(t *T, raw []byte) (ok bool) {
			at, _ := rawjson.Text(raw)
			*field(t), ok = datetime.Parse([]byte(at))
			return ok
		},
		write: func(w *rawjson.Writer, t *T) { w.Text(name, string(datetime.Append(nil, *field(t)))) },
	}
}

// facts is a member that is an object nobody looks into; nil is written as {}.
func facts[T any](name string, field func(*T) *[]byte) row[T] {
	return row[T]{
		name: name, words: "an object", needs: true,
		read: func(t *T, raw []byte) bool {
			*field(t) = raw
			return rawjson.KindOf(raw) == rawjson.Object
		},
		write: func(w *rawjson.Writer, t *T) {
			raw := *field(t)
			if raw == nil {
				raw = []byte("{}")
			}
			w.Raw(name, raw)
		},
	}
}

// opaque is a member that may be anything, or absent.
func opaque[T any](name string, field func(*T) *[]byte) row[T] {
	return row[T]{
		name: name, words: "JSON",
		read: func(t *T, raw []byte) bool {
			*field(t) = raw
			return true
		},
		write: func(w *rawjson.Writer, t *T) {
			if raw := *field(t); raw != nil {
				w.Raw(name, raw)
			}
		},
	}
}

// nested is a member that is an object with a table of its own. of answers where
// it is kept: with make, it makes room; otherwise nil says that it is absent.
func nested[T, U any](name string, needs bool, t *table[U], of func(from *T, make bool) *U) row[T] {
	return row[T]{
		name: name, words: "an object", needs: needs,
		read:  func(_ *T, raw []byte) bool { return rawjson.KindOf(raw) == rawjson.Object },
		inner: func(into *T, raw []byte) *fault.Fault { return t.read(raw, of(into, true)) },
		write: func(w *rawjson.Writer, from *T) {
			if u := of(from, false); u != nil {
				w.Name(name)
				w.Append(func(dst []byte) []byte { return t.append(dst, u) })
			}
		},
	}
}
