package cursor_test

import (
	"fmt"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

func ExampleParse() {
	c, err := cursor.Parse("chat:main:41@7", 1)
	fmt.Println(c.Session, c.Seq, c.Generation, err)
	_, err = cursor.Parse("chat:main:041", 1)
	fmt.Println(err)
	// Output:
	// chat:main 41 7 <nil>
	// stream.invalid_cursor: The cursor cannot be read (expected <session>:<seq> or <session>:<seq>@<generation>, found "chat:main:041")
}

func ExampleTracker() {
	var tracker cursor.Tracker
	tracker.Start(&profile.Session, &cursor.Cursor{Session: "s1", Seq: 3})
	scanner := profile.Session.NewScanner()
	var event events.Envelope
	var d cursor.Decision
	for _, text := range []string{
		`{"type":"message","sessionId":"s1","seq":4}`,
		`{"type":"text_delta","sessionId":"s1"}`,
		`{"type":"message","sessionId":"s1","seq":4}`,
		`{"type":"message","sessionId":"s1","seq":6}`,
		`{"type":"message","sessionId":"s1","seq":"5"}`,
	} {
		tracker.Observe(&d, &event, scanner.Scan([]byte(text), &event))
		fmt.Println(d.Verdict, d.Detail, tracker.Place().Token(1))
	}
	// Output:
	// accept  s1:4
	// pass  s1:4
	// duplicate  s1:4
	// gap hole s1:4
	// invalid bad_event s1:4
}
