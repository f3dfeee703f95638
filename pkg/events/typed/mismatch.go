package typed

import (
	"strconv"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// mismatch is a value that is not what the catalog says: where it is, as a path
// from the event and as an offset in the text at hand, what should stand there
// and what does. Values themselves never go in, only their kinds.
type mismatch struct {
	path        string
	want, found string
	offset      int
}

// within puts a member's name and place in front.
func (m *mismatch) within(name string, offset int) *mismatch {
	if m == nil {
		return nil
	}
	switch {
	case m.path == "":
		m.path = name
	case m.path[0] == '[':
		m.path = name + m.path
	default:
		m.path = name + "." + m.path
	}
	m.offset += offset
	return m
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// fault turns it into what callers get. A text is the peer's mistake, a value
// that is to be written the caller's.
func (m *mismatch) fault(id fault.ID, session string) error {
	f := fault.New(id, m.subject()+m.want, m.found)
	f.Session = session
	if id == fault.BadEvent {
		f.Offset = int64(m.offset)
	}
	return f
}

func (m *mismatch) subject() string {
	if m.path == "" {
		return ""
	}
	return "member " + strconv.Quote(m.path) + " to be "
}

const nothing = "nothing"

var kindWords = [...]string{
	rawjson.Invalid: "no JSON", rawjson.Null: "null", rawjson.Bool: "a boolean", rawjson.Number: "a number",
	rawjson.String: "text", rawjson.Object: "an object", rawjson.Array: "an array",
}

func foundIn(raw []byte) string { return kindWords[rawjson.KindOf(raw)] }
