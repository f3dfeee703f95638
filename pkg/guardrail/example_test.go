package guardrail_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/guardrail"
)

func noKeys(_ context.Context, c guardrail.Context) (guardrail.Verdict, error) {
	if !strings.Contains(c.Text, "sk-123") {
		return guardrail.Verdict{Action: guardrail.Pass}, nil
	}
	return guardrail.Verdict{Action: guardrail.Rewrite, Output: strings.ReplaceAll(c.Text, "sk-123", "(a key)"), Reason: "a key"}, nil
}

// An answer that a guardrail rewrites, and what goes into the log for it before
// turn_completed.
func Example() {
	rails := guardrail.Chain{{Name: "keys", Check: noKeys}}
	r, err := rails.Output(context.Background(), guardrail.Context{SessionID: "s1", TurnID: "t1", Text: "It is sk-123."})
	if err != nil || !r.Passes() {
		panic("nothing may be shown")
	}
	for _, t := range r.Triggered {
		fmt.Printf("%s\n", t.AppendEvent(nil))
	}
	if r.Action == guardrail.Rewrite {
		message, err := guardrail.WithText([]byte(`{"role":"assistant","content":"It is sk-123."}`), r.Text)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s\n", guardrail.AppendReplaced(nil, "t1", "msg_7", message))
	}
	// Output:
	// {"type":"guardrail_triggered","turnId":"t1","stage":"output","action":"rewrite","guardrail":"keys","reason":"a key"}
	// {"type":"message_replaced","turnId":"t1","targetMessageId":"msg_7","content":{"role":"assistant","content":"It is (a key)."}}
}
