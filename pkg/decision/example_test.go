package decision_test

import (
	"fmt"

	"github.com/tidemark-stream/tidemark/pkg/decision"
)

// What was approved for one call covers that call again, however it is spelt, and
// no other.
func Example() {
	var g decision.Grants
	for _, record := range []string{
		`{"type":"decision_requested","ts":"2026-01-01T00:00:00Z","turnId":"t1","decisionId":"d1","request":{"type":"tool_review"}}`,
		`{"type":"decision_resolved","ts":"2026-01-01T00:00:09Z","turnId":"t1","decisionId":"d1",` +
			`"decision":{"action":"approve_tools","remember":["bash:{\"cmd\":\"git status\",\"n\":1}"]},"resolvedBy":{"kind":"user"}}`,
	} {
		g.Add([]byte(record))
	}
	for _, input := range []string{`{ "n": 1.0, "cmd": "git status" }`, `{"n":1,"cmd":"git push"}`} {
		fmt.Println(g.Covers("t1", "bash", []byte(input)))
	}
	g.Add([]byte(`{"type":"turn_completed","turnId":"t1"}`))
	fmt.Println(g.Covers("t1", "bash", []byte(`{"cmd":"git status","n":1}`)))

	d, err := decision.Parse([]byte(`{"action":"approve_everything"}`))
	fmt.Println(d.Known, d.Approves(), err)
	// Output:
	// true <nil>
	// false <nil>
	// false <nil>
	// false false <nil>
}
