package abi

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// reader scans events by a profile.
type reader struct{ scanner *events.Scanner }

func newReader(p *profile.Profile) reader { return reader{p.NewScanner()} }

func (r reader) read(text []byte, e *events.Envelope) events.Problem {
	return r.scanner.Scan(text, e)
}

// A question may hold values that JSON has no form for: a host that was asked
// about NaN passes it on as the bare word, so that it is judged like any other
// malformed number and never turns into null. The walk below therefore splits
// objects and lists by their brackets and commas alone; what stands between is
// checked by whoever reads the value.

// readLoose reads the members of a question.
func readLoose(arg []byte, q *question) error {
	if rawjson.KindOf(arg) != rawjson.Object {
		return fault.New(fault.BadInput, "a JSON object", clip(arg))
	}
	for name, value := range looseMembers(arg) {
		if err := q.member(string(name), value); err != nil {
			return err
		}
	}
	return nil
}

// looseMembers walks the members of an object by its punctuation.
func looseMembers(object []byte) func(yield func(name, value []byte) bool) {
	return func(yield func(name, value []byte) bool) {
		for part := range looseElements(object) {
			end := looseEnd(part, 0, ':')
			if end == len(part) {
				return
			}
			name, ok := rawjson.Text(rawjson.Trim(part[:end]))
			if !ok || !yield([]byte(name), rawjson.Trim(part[end+1:])) {
				return
			}
		}
	}
}

// looseElements walks what stands between the commas of a list or object.
func looseElements(list []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		list = rawjson.Trim(list)
		if len(list) < 2 {
			return
		}
		inner := rawjson.Trim(list[1 : len(list)-1])
		for i := 0; i < len(inner); {
			end := looseEnd(inner, i, ',')
			if !yield(rawjson.Trim(inner[i:end])) {
				return
			}
			i = end + 1
		}
	}
}

// looseEnd is the next mark outside strings and brackets, or the end.
func looseEnd(text []byte, i int, mark byte) int {
	depth := 0
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			i = stringEnd(text, i)
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == mark && depth == 0:
			return i
		}
	}
	return len(text)
}

// stringEnd is the closing quote of the string that opens at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
