package decision

import (
	"bytes"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// maxDepth is how deep an answer may nest.
const maxDepth = 512

// Parse reads an answer. It is refused with [fault.BadDecision] when it is no JSON
// object with an action, or has a known action and members of another form than
// that needs; a member that stands twice is refused too, since two readers could
// take two answers from it. Every other action is an answer that is not known, and
// no fault.
//
// The decision keeps its own copy of the text.
func Parse(raw []byte) (Decision, error) {
	if problem, at := rawjson.Check(raw, maxDepth); problem != rawjson.OK {
		f := fault.New(fault.BadDecision, "a JSON object with an action", problem.String())
		f.Offset = int64(at)
		return Decision{}, f
	}
	d := Decision{Raw: bytes.Clone(raw)}
	if kind := rawjson.KindOf(rawjson.Trim(raw)); kind != rawjson.Object {
		return Decision{}, fault.New(fault.BadDecision, "a JSON object with an action", kindWords[kind])
	}
	members, err := membersOf(d.Raw)
	if err != nil {
		return Decision{}, err
	}
	return d, d.read(members)
}

// membersOf answers the members that decisions can have.
func membersOf(object []byte) (map[string][]byte, error) {
	members := map[string][]byte{}
	for name, value := range rawjson.Members(object) {
		if _, ok := forms[string(name)]; !ok && string(name) != "action" {
			continue
		}
		if members[string(name)] != nil {
			return nil, fault.New(fault.BadDecision, "one "+string(name), "two of them")
		}
		members[string(name)] = value
	}
	return members, nil
}

func (d *Decision) read(members map[string][]byte) error {
	var action *string
	if !readText(&action, members["action"]) || *action == "" {
		*d = Decision{}
		return fault.New(fault.BadDecision, "an action that is text and not empty", kindOf(members["action"], "text"))
	}
	d.Action = *action
	variant, known := variants[d.Action]
	d.Known = known
	for name, need := range variant {
		raw := members[name]
		if absent(raw) && need == maybe {
			continue
		}
		if form := forms[name]; !form.read(d, raw) {
			*d = Decision{}
			return fault.New(fault.BadDecision, *action+" with "+name+", which is "+form.words, kindOf(raw, form.words))
		}
	}
	return nil
}

func absent(raw []byte) bool { return rawjson.KindOf(raw) == rawjson.Null || len(raw) == 0 }

// readText reads text exactly: with U+FFFD in place of half a surrogate pair, keys
// that differ could become one.
func readText(into **string, raw []byte) bool {
	text, ok := rawjson.AppendExactText(nil, raw)
	if ok {
		s := string(text)
		*into = &s
	}
	return ok
}

func readRemember(d *Decision, raw []byte) bool {
	d.Remember = []string{}
	return rawjson.Each(raw, func(element []byte) bool {
		var key *string
		if !readText(&key, element) {
			return false
		}
		d.Remember = append(d.Remember, *key)
		return true
	})
}

func readModifications(d *Decision, raw []byte) bool {
	d.Modifications = [][]byte{}
	return rawjson.Each(raw, func(element []byte) bool {
		d.Modifications = append(d.Modifications, element)
		return true
	})
}

var kindWords = [...]string{
	rawjson.Invalid: "nothing", rawjson.Null: "null", rawjson.Bool: "true or false", rawjson.Number: "a number",
	rawjson.String: "text", rawjson.Object: "an object", rawjson.Array: "a list",
}

// kindOf says what a value is that does not have the form of these words, without
// showing it.
func kindOf(raw []byte, words string) string {
	kind := rawjson.KindOf(raw)
	switch {
	case kind == rawjson.String && len(raw) == len(`""`):
		return "empty text"
	case kind == rawjson.String && words == "text":
		return "text with half a character"
	case kind == rawjson.Array && words != "text":
		return "a list of something else"
	}
	return kindWords[kind]
}
