package check_test

import (
	"fmt"

	"github.com/tidemark-stream/tidemark/pkg/check"
)

func Example() {
	recording := []byte(`{"type":"session_started","sessionId":"s1","seq":1,"gen":7}
{"type":"memory_consolidated","sessionId":"s1","seq":2,"gen":7}
{"type":"memory_consolidated","sessionId":"s1","seq":5,"gen":8}
`)
	c := check.New(check.Options{Name: "s1.jsonl"})
	show := func() {
		for f, ok := c.Next(); ok; f, ok = c.Next() {
			fmt.Printf("line %d: %s (%s)\n", f.Place.Line, f.Kind, f.Severity())
		}
	}
	for rest := recording; len(rest) > 0; {
		rest = rest[c.Write(rest):]
		show()
	}
	c.Close()
	show()
	s := c.Summary()
	fmt.Println(s.Recorded, "recorded,", s.Findings(check.Error), "error")
	// Output:
	// line 3: takeover (information)
	// line 3: hole (error)
	// 3 recorded, 1 error
}

func ExampleReport() {
	r := check.NewReport(check.Options{Name: "s1.jsonl"}, check.Style{Max: 10})
	r.Write([]byte(`{"type":"session_started","sessionId":"s1","seq":1}` + "\n"))
	r.Write([]byte(`{"type":"memory_consolidated","sessionId":"s1","seq":3}` + "\n"))
	fmt.Print(string(r.Close(false)))
	// Output:
	// ✗ s1.jsonl: 1 error
	//
	//   s1: seq 1–3, 2 recorded events, strength none
	//     ✗ hole  stream.gap.hole
	//       seq 2 is missing: 3 comes next
	//         line 2, byte 52, memory_consolidated
	//       → Rebuild from a snapshot. Look the expected seq up in the log: either the store has lost it, or something between the store and this consumer leaves it out.
	//
	//   session log, 108 bytes: 2 events, 2 recorded; 1 session; profile record
}
