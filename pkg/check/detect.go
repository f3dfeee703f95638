package check

import (
	"bytes"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// sniffed is how many of the first bytes tell the format. Always the same number,
// so that the answer does not depend on how the bytes were cut.
const sniffed = 1024

const byteOrderMark = "\xEF\xBB\xBF"

// detect tells the format from the first bytes of a recording, or says what they
// are instead.
func detect(head []byte, name string) (f Format, found string) {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n")
	hint := ending(name)
	if found = foreign(text); found != "" {
		return Auto, found
	}
	switch {
	case len(text) == 0 && hint != Auto:
		return hint, ""
	case len(text) == 0:
		return JSONL, ""
	case text[0] == '{':
		return object(text, hint), ""
	case text[0] == '[':
		return Auto, "a JSON array"
	case text[0] == '<':
		return Auto, "HTML or XML"
	case streamLike(text) || hint == SSE:
		return SSE, ""
	case hint != Auto:
		return hint, ""
	}
	return Auto, "text of another kind"
}

// object tells a HAR, which begins with its member log, from a line of a log.
func object(text []byte, hint Format) Format {
	rest := bytes.TrimLeft(text[1:], " \t\r\n")
	rest, named := bytes.CutPrefix(rest, []byte(`"log"`))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if named && bytes.HasPrefix(rest, []byte(":")) && hint != JSONL || hint == HAR {
		return HAR
	}
	return JSONL
}

// streamLike reports whether text begins as an event stream does: with a comment
// or a field, or with the head of an HTTP answer, whose lines are no fields.
func streamLike(text []byte) bool {
	if text[0] == ':' || bytes.HasPrefix(text, []byte("HTTP/")) {
		return true
	}
	line := text
	if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
		line = text[:i]
	}
	name, _, _ := bytes.Cut(line, []byte(":"))
	switch string(name) {
	case "data", "event", "id", "retry":
		return true
	}
	return false
}

var signatures = []struct{ begin, what string }{
	{"\x1f\x8b", "gzip data"},
	{"PK\x03\x04", "a zip archive"},
	{"\xff\xfe", "UTF-16 text"},
	{"\xfe\xff", "UTF-16 text"},
	{"\x28\xb5\x2f\xfd", "zstd data"},
}

// foreign says what bytes are that hold no text, "" for text. JSON may well be
// damaged further on, which is for the check to say.
func foreign(head []byte) string {
	for _, s := range signatures {
		if strings.HasPrefix(string(head), s.begin) {
			return s.what
		}
	}
	if bytes.HasPrefix(head, []byte("{")) {
		return ""
	}
	for _, c := range head {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\x1b' {
			return "binary data"
		}
	}
	return ""
}

func unreadable(found string) *fault.Fault {
	return fault.New(fault.BadInput, "JSON lines, an event stream or a HAR file", found)
}
