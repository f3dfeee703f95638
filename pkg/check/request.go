package check

import (
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// request reads the address of a request: the session its path or query names,
// and the cursors it asked with.
func (n *connection) request(address string, base events.Seq) {
	n.url = clip(address, mostURL)
	address, _, _ = strings.Cut(address, "#")
	path, query, _ := strings.Cut(address, "?")
	if session := sessionOfPath(path); cursor.ValidSession(session) {
		n.session = session
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		switch value = unescape(value, true); name {
		case "cursor":
			n.resume(value, base)
		case "session":
			n.session = "" // more than one: an event has to name its own
		}
	}
}

// resume takes a cursor token of the request, or its Last-Event-ID.
func (n *connection) resume(token string, base events.Seq) {
	if c, err := cursor.Parse(token, base); err == nil {
		n.ask(position{c.Session, c.Seq})
	}
}

// sessionOfPath is the part of a path before its last "/events", when "sessions"
// stands before it.
func sessionOfPath(path string) string {
	parts := strings.Split(path, "/")
	for i := len(parts) - 1; i >= 2; i-- {
		if parts[i] == "events" && parts[i-2] == "sessions" {
			return unescape(parts[i-1], false)
		}
	}
	return ""
}

// unescape decodes %XX, and in a query + for a space. What is no escape stays.
func unescape(s string, query bool) string {
	if !strings.ContainsAny(s, "%+") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '%' && i+2 < len(s) && hexDigit(s[i+1]) >= 0 && hexDigit(s[i+2]) >= 0:
			out = append(out, byte(hexDigit(s[i+1])<<4|hexDigit(s[i+2])))
			i += 2
		case s[i] == '+' && query:
			out = append(out, ' ')
		default:
			out = append(out, s[i])
		}
	}
	return string(out)
}

// hexDigit is the value of a hexadecimal digit, -1 for another byte.
func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
