package cursor

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
)

// slowProof is a proof made from what encoding/json reads, with nothing of the
// code it is compared with: the definition of in long form.
func slowProof(text []byte, typeName string, names []string, scheme uint16) (Proof, bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	v, err := readTree(dec, 1)
	event, ok := v.(tree)
	if err != nil || !ok {
		return Proof{}, false
	}
	var all, typeSum sum
	taken, named := 0, false
	own := ""
	for _, m := range event {
		if typeName != "" && m.name == typeName && !named {
			named, own = true, m.value.(string)
			typeSum = slowText(own)
		}
	}
	for _, m := range event {
		if slowCounts(own, names, m.name) {
			all = plus(all, slowMember(m))
			taken++
		}
	}
	if taken == 0 {
		return Proof{}, false
	}
	members := slowPair('o', all, sum{})
	var p Proof
	copy(p[:], bytesOf(slowPair('e', typeSum, members)))
	p[0], p[1] = byte(scheme), byte(scheme>>8)
	return p, true
}

func slowCounts(typeName string, names []string, member string) bool {
	if names != nil {
		return has(names, member)
	}
	if e, ok := catalog.Find(typeName); ok {
		for _, f := range e.Fields {
			if f.Name == member {
				return true
			}
		}
		return member == "turnId"
	}
	return !has(strings.Fields("type sessionId seq generation v lineage gen ts runId schemaVersion timestamp"), member)
}

func has(list []string, name string) bool {
	for _, n := range list {
		if n == name {
			return true
		}
	}
	return false
}

// tree is an object with its members as they stand.
type tree []treeMember

type treeMember struct {
	name  string
	value any
}

var errDeep = errors.New("too deep")

func readTree(dec *json.Decoder, depth int) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if _, opens := token.(json.Delim); opens && depth > events.MaxDepth {
		return nil, errDeep
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			v, err := readTree(dec, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = dec.Token()
		return list, err
	case json.Delim('{'):
		object := tree{}
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return nil, err
			}
			v, err := readTree(dec, depth+1)
			if err != nil {
				return nil, err
			}
			object = append(object, treeMember{name.(string), v})
		}
		_, err = dec.Token()
		return object, err
	}
	return token, nil
}

func slowValue(v any) sum {
	switch v := v.(type) {
	case string:
		return slowText(v)
	case json.Number:
		return slowHash('n', []byte(v.String()))
	case bool:
		if v {
			return slowHash('n', []byte("true"))
		}
		return slowHash('n', []byte("false"))
	case []any:
		var all sum
		for _, element := range v {
			all = slowPair('a', all, slowValue(element))
		}
		return all
	case tree:
		var all sum
		for _, m := range v {
			all = plus(all, slowMember(m))
		}
		return slowPair('o', all, sum{})
	}
	return slowHash('n', []byte("null"))
}

func slowMember(m treeMember) sum {
	return slowPair('m', slowText(m.name), slowValue(m.value))
}

func slowText(s string) sum                  { return slowHash('s', []byte(s)) }
func slowHash(purpose byte, text []byte) sum { return plainSip(sipKey0, sipKey1^uint64(purpose), text) }
func plus(a, b sum) sum                      { return sum{a.low + b.low, a.high + b.high} }

func slowPair(purpose byte, a, b sum) sum {
	return slowHash(purpose, append(bytesOf(a), bytesOf(b)...))
}
