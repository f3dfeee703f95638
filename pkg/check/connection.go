package check

import "github.com/tidemark-stream/tidemark/pkg/events"

// connection is one answer of a server: the whole of a file, or one entry of a
// HAR. A new one may begin anywhere its request asked for.
type connection struct {
	number  int  // 1, 2, 3 …
	waits   bool // findings wait for its end, for address and time
	entry   int
	url     string
	started string

	asked   []position // the cursors that its request named
	session string     // the only session that its address names
	heads   int        // heads that came on it
}

// position is a cursor of a request, as far as it matters here.
type position struct {
	session string
	seq     events.Seq
}

// connect begins a connection.
func (c *Checker) connect() {
	c.conn = connection{number: c.conn.number + 1}
}

// start is the cursor with which the request asked for a session.
func (n *connection) start(session string) (events.Seq, bool) {
	for i := range n.asked {
		if n.asked[i].session == session {
			return n.asked[i].seq, true
		}
	}
	return 0, false
}

// ask remembers a cursor; a later one for the same session wins.
func (n *connection) ask(p position) {
	for i := range n.asked {
		if n.asked[i].session == p.session {
			n.asked[i] = p
			return
		}
	}
	if len(n.asked) < mostAsked {
		n.asked = append(n.asked, p)
	}
}

// mostAsked bounds the cursors of one request.
const mostAsked = 64
