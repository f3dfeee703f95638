package vectors

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A number that JSON or a double cannot hold exactly is written
// {"$num": "text"}. It goes to the core as the bare text.
const numKey = "$num"

// bare is raw with every {"$num": text} replaced by its text. All other text
// stays as it is, so that the core sees each number as the file spells it.
func bare(raw json.RawMessage) []byte {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0:
		return nil
	case raw[0] == '{':
		return bareObject(raw)
	case raw[0] == '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return raw
		}
		parts := make([][]byte, len(list))
		for i, element := range list {
			parts[i] = bare(element)
		}
		return wrap('[', parts, ']')
	}
	return raw
}

func bareObject(raw json.RawMessage) []byte {
	var object members
	if json.Unmarshal(raw, &object) != nil {
		return raw
	}
	if text, ok := numberText(object); ok {
		return []byte(text)
	}
	return encode(object)
}

// encode writes an object whose values may hold numbers by text.
func encode(object members) []byte {
	var parts [][]byte
	for _, key := range sortedKeys(object) {
		if value := bare(object[key]); value != nil {
			parts = append(parts, append(append(quote(key), ':'), value...))
		}
	}
	return wrap('{', parts, '}')
}

func wrap(open byte, parts [][]byte, end byte) []byte {
	return append(append([]byte{open}, bytes.Join(parts, []byte{','})...), end)
}

// numberText is the text of a number by text, which is one of three words or a
// decimal integer. Any other object is no number.
func numberText(object members) (string, bool) {
	if len(object) != 1 {
		return "", false
	}
	text, ok := textOf(object[numKey])
	return text, ok && numberByText.MatchString(text)
}

var numberByText = regexp.MustCompile(`^(NaN|-?Infinity|-?(0|[1-9][0-9]*))$`)

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// quote is text as a JSON string.
func quote(text string) []byte {
	quoted, _ := json.Marshal(text) // text always has a form
	return quoted
}

// textOf reads a JSON string; false for anything else.
func textOf(raw json.RawMessage) (text string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	return text, json.Unmarshal(raw, &text) == nil
}

// absent reports whether a member is missing or null.
func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// decode reads JSON into values that compare: numbers keep their text, whether
// written plainly or as {"$num": text}.
func decode(raw []byte) (any, error) {
	var value any
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	if err := in.Decode(&value); err != nil {
		return nil, err
	}
	return plainNumbers(value), nil
}

func plainNumbers(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	case map[string]any:
		if text, ok := v[numKey].(string); ok && len(v) == 1 && numberByText.MatchString(text) {
			return json.Number(text)
		}
		for key := range v {
			v[key] = plainNumbers(v[key])
		}
	}
	return value
}

// agrees compares what an expectation has, at every depth. Lists are compared
// as a whole.
func agrees(expected, got any) bool {
	switch e := expected.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		for key, value := range e {
			ok = ok && agrees(value, g[key])
		}
		return ok
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(e, g, agrees)
	}
	return expected == got
}

// at is a member, or with "a.b" a member of a member; nil when it is not there.
func (m members) at(path string) json.RawMessage {
	first, rest, nested := strings.Cut(path, ".")
	if !nested {
		return m[first]
	}
	return m.object(first).at(rest)
}

// object reads a member as an object; empty for anything else.
func (m members) object(name string) members {
	var object members
	if json.Unmarshal(m[name], &object) != nil {
		return nil
	}
	return object
}

// list reads a member as a list; empty for anything else.
func (m members) list(name string) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(m[name], &list) != nil {
		return nil
	}
	return list
}

// pick is the members of these names that are there and not null.
func (m members) pick(names ...string) members {
	some := members{}
	for _, n := range names {
		if !absent(m[n]) {
			some[n] = m[n]
		}
	}
	return some
}

// raw is the object as JSON text; numbers by text stay as they are.
func (m members) raw() json.RawMessage {
	there := map[string]json.RawMessage{}
	for key, value := range m {
		if value != nil {
			there[key] = value
		}
	}
	raw, _ := json.Marshal(there) // raw values that were read before
	return raw
}
