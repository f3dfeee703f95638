package guardrail

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// maxDepth is how deep a message may nest.
const maxDepth = 512

// span is where a value stands in a text. The zero span is none.
type span struct{ from, to int }

func (s span) in(text []byte) []byte { return text[s.from:s.to] }

// newestUser is the place of the newest message with role "user", -1 for none. All
// messages have to be objects that can be read in one way only.
func newestUser(messages [][]byte) (newest int, err error) {
	newest = -1
	for i, message := range messages {
		if problem, _ := rawjson.Check(message, maxDepth); problem != rawjson.OK {
			return -1, fault.New(fault.BadInput, "messages as JSON", problem.String())
		}
		role, _, err := pair(message, "role", "content")
		if err != nil {
			return -1, err
		}
		if text, _ := rawjson.Text(role.in(message)); text == "user" {
			newest = i
		}
	}
	return newest, nil
}

// pair is where two members of an object stand. What stands twice could be judged
// as the one and sent as the other, so that is refused, as is what is no object.
func pair(object []byte, first, second string) (a, b span, err error) {
	var w rawjson.Walker
	w.Reset(object, maxDepth)
	w.Space()
	if w.Peek() != '{' {
		return a, b, fault.New(fault.BadInput, "a message, or a part of one, that is an object", "something else")
	}
	for more := w.Byte('{') && w.Peek() != '}'; more; more = w.Byte(',') {
		name, value := next(&w, object)
		into := &a
		switch name {
		case first:
		case second:
			into = &b
		default:
			continue
		}
		if *into != (span{}) {
			return a, b, fault.New(fault.BadInput, "one "+name+" in a message", "two")
		}
		*into = value
	}
	return a, b, nil
}

// next passes a member of text that is known to be right.
func next(w *rawjson.Walker, text []byte) (name string, value span) {
	from := w.At
	w.String()
	name, _ = rawjson.Text(text[from:w.At])
	w.Space()
	w.Byte(':')
	value.from = w.At
	w.Skip()
	value.to = w.At
	w.Space()
	return name, value
}

// TextOf is what a message says: its content when that is text, else its parts of
// text, one behind the other; a part is {"type":"text","text"} or text itself. A
// message that has neither says nothing. What is no JSON object or can be read in
// two ways is a [fault.BadInput].
func TextOf(message []byte) (string, error) {
	content, err := contentOf(message)
	if err != nil {
		return "", err
	}
	if text, ok := rawjson.Text(content.in(message)); ok {
		return text, nil
	}
	var all []byte
	for part := range rawjson.Elements(content.in(message)) {
		said, _, err := saidBy(part)
		if err != nil {
			return "", err
		}
		all, _ = rawjson.AppendText(all, said)
	}
	return string(all), nil
}

func contentOf(message []byte) (span, error) {
	if problem, _ := rawjson.Check(message, maxDepth); problem != rawjson.OK {
		return span{}, fault.New(fault.BadInput, "a message as JSON", problem.String())
	}
	_, content, err := pair(message, "role", "content")
	return content, err
}

// saidBy is the string token that a part says, and whether it is a part of text.
func saidBy(part []byte) (token []byte, is bool, err error) {
	if rawjson.KindOf(part) == rawjson.String {
		return part, true, nil
	}
	kind, text, err := pair(part, "type", "text")
	if err != nil {
		return nil, false, err
	}
	if name, _ := rawjson.Text(kind.in(part)); name != "text" {
		return nil, false, nil
	}
	return text.in(part), true, nil
}

// WithText is a message that says something else: its content is that text, or,
// when it was a list, the list with one part of that text in place of its first
// part of text, or at its beginning, and without its others. All else stays byte for
// byte. A message without such a content, or that [TextOf] refuses, is a
// [fault.BadInput].
func WithText(message []byte, text string) ([]byte, error) {
	content, err := contentOf(message)
	if err != nil {
		return nil, err
	}
	said := append([]byte(nil), message[:content.from]...)
	switch old := content.in(message); rawjson.KindOf(old) {
	case rawjson.String:
		said = rawjson.AppendQuoted(said, text)
	case rawjson.Array:
		if said, err = appendParts(said, old, text); err != nil {
			return nil, err
		}
	default:
		return nil, fault.New(fault.BadInput, "a message whose content is text or a list", "another content")
	}
	return append(said, message[content.to:]...), nil
}

// appendParts appends a list of parts with one text in place of all of theirs.
func appendParts(dst, parts []byte, text string) ([]byte, error) {
	var kept [][]byte
	place := -1
	for part := range rawjson.Elements(parts) {
		_, is, err := saidBy(part)
		switch {
		case err != nil:
			return dst, err
		case !is:
			kept = append(kept, part)
		case place < 0:
			place = len(kept)
		}
	}
	w := rawjson.BeginList(dst)
	for i := 0; i <= len(kept); i++ {
		if i == max(place, 0) {
			w.Open("")
			w.Text("type", "text")
			w.Text("text", text)
			w.Close()
		}
		if i < len(kept) {
			w.Raw("", kept[i])
		}
	}
	return w.EndList(), nil
}

// AppendReplaced appends the text of a message_replaced event, without a stamp:
// from there on the message reads as content, which is JSON.
func AppendReplaced(dst []byte, turnID, targetMessageID string, content []byte) []byte {
	w := rawjson.Begin(dst)
	w.Text("type", "message_replaced")
	w.Known("turnId", turnID)
	w.Text("targetMessageId", targetMessageID)
	w.Raw("content", content)
	return w.End()
}
