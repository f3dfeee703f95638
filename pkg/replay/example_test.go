package replay_test

import (
	"fmt"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

func ExamplePage() {
	at := cursor.Cursor{Session: "s1", Seq: 3, Generation: "7"}
	head := replay.Head{LastSeq: 6, Generation: "7"}
	scanner := profile.Session.NewScanner()
	var event events.Envelope
	for _, page := range [][]string{
		{`{"type":"message","seq":4}`, `{"type":"message","seq":5}`, `{"type":"message","seq":6}`},
		{`{"type":"message","seq":4}`, `{"type":"message","seq":6}`},
	} {
		check := replay.NewPage(&profile.Session, at, head)
		for _, text := range page {
			check.Add(&event, scanner.Scan([]byte(text), &event))
		}
		v := check.Verdict(false)
		if v.Outcome == replay.Unavailable {
			fmt.Println(v.Outcome, v.Refusal.Reason, v.Refusal.Detail, "expected", v.Refusal.Evidence.ExpectedSeq)
		} else {
			fmt.Println(v.Outcome, v.Count, "from", v.From, "then", v.Next.Token(1))
		}
	}
	// Output:
	// replayed 3 from 4 then s1:6@7
	// unavailable gap hole expected 5
}

func ExampleJudge() {
	head := replay.Head{LastSeq: 9, Generation: "8"}
	for _, at := range []cursor.Cursor{{Session: "s1", Seq: 9, Generation: "8"}, {Session: "s1", Seq: 4}, {Session: "s1", Seq: 4, Generation: "7"}} {
		v := replay.Judge(&profile.Session, &at, &head)
		fmt.Printf("%s: %s %q\n", at.Token(1), v.Outcome, v.Refusal.Reason)
	}
	// Output:
	// s1:9@8: complete ""
	// s1:4: replayed ""
	// s1:4@7: unavailable "generation_changed"
}
