package vectors

import (
	"bytes"
	"encoding/json"
	"maps"
)

// shape is the keys that an object may have, each with the shape below it. A
// nil shape allows anything; a list has the shape of its elements.
type shape map[string]shape

// with is a shape with the keys of others added.
func (s shape) with(others ...shape) shape {
	all := maps.Clone(s)
	for _, other := range others {
		maps.Copy(all, other)
	}
	return all
}

// keys is a shape of these keys, each with anything below it.
func keys(names ...string) shape {
	s := make(shape, len(names))
	for _, n := range names {
		s[n] = nil
	}
	return s
}

// unknownKeys lists the paths of keys that a shape does not have.
func unknownKeys(raw []byte, allowed shape) (unknown []string) {
	raw = bytes.TrimSpace(raw)
	if allowed == nil || len(raw) == 0 {
		return nil
	}
	switch raw[0] {
	case '[':
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list) // checked when the file was read
		for _, element := range list {
			unknown = append(unknown, unknownKeys(element, allowed)...)
		}
	case '{':
		var object members
		_ = json.Unmarshal(raw, &object) // checked when the file was read
		for _, key := range sortedKeys(object) {
			unknown = append(unknown, unknownKey(key, object[key], allowed)...)
		}
	}
	return unknown
}

func unknownKey(key string, value []byte, allowed shape) []string {
	below, ok := allowed[key]
	if !ok {
		return []string{key}
	}
	unknown := unknownKeys(value, below)
	for i := range unknown {
		unknown[i] = key + "." + unknown[i]
	}
	return unknown
}
