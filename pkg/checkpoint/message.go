package checkpoint

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// Of a message, which is the application's, these members are looked at: role;
// content, a text or a list of parts {"type":"text","text"}; and guidance, a note
// that an operator attached to the message of a tool.

func memberText(object []byte, name string) string {
	text, _ := rawjson.Text(rawjson.Value(object, name))
	return text
}

// spoken is what a message says: its content when that is text, else its parts
// of type text, joined.
func spoken(message []byte) string {
	content := rawjson.Value(message, "content")
	if text, ok := rawjson.Text(content); ok {
		return text
	}
	var all string
	for part := range rawjson.Elements(content) {
		if memberText(part, "type") == "text" {
			all += memberText(part, "text")
		}
	}
	return all
}

// intentOf is the message that an operator's message stands for: itself,
// unless it is of a tool and carries a note of guidance. Then it is the note, as a
// message of the runtime of kind steering; what is attached stays behind.
func intentOf(message []byte) []byte {
	if memberText(message, "role") != "tool" {
		return message
	}
	note := rawjson.Value(message, "guidance")
	if rawjson.KindOf(note) == rawjson.Object {
		note = rawjson.Value(note, "content")
	}
	if note == nil || rawjson.KindOf(note) == rawjson.Null {
		return message
	}
	w := rawjson.Begin(nil)
	w.Text("role", "runtime")
	w.Text("kind", "steering")
	w.Raw("content", note)
	return w.End()
}
