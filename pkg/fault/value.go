package fault

import "strconv"

// Value is something that was thrown and is no error: what is left of it is its
// text, and whether it is an object, which can carry a hint.
type Value struct {
	Text   string
	Object bool
	Name   string // type name, "" when not known
	hint   string
}

// WithHint attaches a hint to an object; it replaces a former one, and an empty
// text takes it away. For anything but an object it changes nothing.
func (v Value) WithHint(hint string) Value {
	if v.Object {
		v.hint = hint
	}
	return v
}

// Hint is the attached hint, "" when there is none.
func (v Value) Hint() string { return v.hint }

// String is the text.
func (v Value) String() string { return v.Text }

// Texts for values that have none of their own.
const (
	noText     = "nil"
	oddText    = "a value without a text form"
	brokenText = "a value whose text could not be read"
)

// textOf is the text of any value, and a fixed one when it has none or when its
// own method for that panics.
func textOf(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = brokenText
		}
	}()
	switch v := v.(type) {
	case nil:
		return noText
	case error:
		return v.Error()
	case interface{ String() string }:
		return v.String()
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	}
	return numberText(v)
}

func numberText(v any) string {
	var n int64
	switch v := v.(type) {
	case int:
		n = int64(v)
	case int8:
		n = int64(v)
	case int16:
		n = int64(v)
	case int32:
		n = int64(v)
	case int64:
		n = v
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	default:
		return unsignedText(v)
	}
	return strconv.FormatInt(n, 10)
}

func unsignedText(v any) string {
	var n uint64
	switch v := v.(type) {
	case uint:
		n = uint64(v)
	case uint8:
		n = uint64(v)
	case uint16:
		n = uint64(v)
	case uint32:
		n = uint64(v)
	case uint64:
		n = v
	default:
		return oddText
	}
	return strconv.FormatUint(n, 10)
}
