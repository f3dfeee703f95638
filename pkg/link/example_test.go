package link_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// driver performs the orders of a link, here by telling of them.
type driver struct{ link *link.Link }

// drain performs what the link orders. It is called after every input.
func (d *driver) drain() {
	for a := d.link.Next(); a != nil; a = d.link.Next() {
		switch a.Kind {
		case link.Connect:
			fmt.Println("connect from", a.Asks[0].Cursor.Token(1))
		case link.Deliver:
			fmt.Printf("event %d: %s\n", a.Seq, a.Data)
		case link.Refused:
			fmt.Println("refused:", a.Refusal.Reason, a.Refusal.Detail)
		case link.Position:
			fmt.Println("cursor:", a.Cursor.Token(1))
		}
	}
}

func Example() {
	l, err := link.New(link.Options{Cursors: []cursor.Cursor{{Session: "s1", Seq: 3}}})
	if err != nil {
		panic(err)
	}
	d, now := &driver{l}, link.Moment{Now: 1_700_000_000_000, Random: 0.5}

	l.Start(now)
	d.drain()
	l.Opened(now, link.Response{Status: 200, ContentType: "text/event-stream"})
	d.drain()
	l.Feed(now, []byte("data: {\"type\":\"message\",\"sessionId\":\"s1\",\"seq\":4}\n\n"))
	d.drain()
	for range 2 { // a hole: once more from the cursor, then it is refused
		l.Feed(now, []byte("data: {\"type\":\"message\",\"sessionId\":\"s1\",\"seq\":6}\n\n"))
		d.drain()
		l.Opened(now, link.Response{Status: 200, ContentType: "text/event-stream"})
		d.drain()
	}
	// Output:
	// connect from s1:3
	// event 4: {"type":"message","sessionId":"s1","seq":4}
	// cursor: s1:4
	// connect from s1:4
	// refused: gap hole
}

// The page quotes the driver above, and not another one.
func TestDesignQuotesTheExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/design.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, quote, found := strings.Cut(string(page), "```go\n")
	require.True(t, found)
	quote, _, _ = strings.Cut(quote, "```")
	require.Contains(t, string(source), quote)
}
