package fault_test

import (
	"errors"
	"fmt"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// open stands for any call that can fail with a fault of the stream.
func open(token string) error {
	return fmt.Errorf("open: %w", fault.New(fault.InvalidCursor, "session:seq", token))
}

func Example_is() {
	err := open("ses_a")
	fmt.Println(errors.Is(err, fault.InvalidCursor), errors.Is(err, fault.ForeignSession))
	fmt.Println(err)
	// Output:
	// true false
	// open: stream.invalid_cursor: The cursor cannot be read (expected session:seq, found ses_a)
}

func Example_as() {
	var f *fault.Fault
	if errors.As(open("ses_a"), &f) {
		rule := f.Rule()
		fmt.Println(rule.Side, f.Found)
		fmt.Println(rule.Href())
	}
	// Output:
	// consumer ses_a
	// docs/faults.md#stream-invalid-cursor
}

func ExampleExplain() {
	err := fmt.Errorf("turn 3: %w", &fault.ProviderError{Code: "rate_limit", Message: "slow down", Status: fault.Int(429)})
	if e, ok := fault.Explain(err); ok {
		fmt.Println(e.ID)
	}
	_, ok := fault.Explain(errors.New("429 rate_limit"))
	fmt.Println(ok)
	// Output:
	// provider.rate_limit
	// false
}

func ExampleWithHint() {
	err := fault.WithHint(errors.New("connection refused"), "Is the daemon running? Start it with `svc up`.")
	fmt.Println(err)
	e, _ := fault.Explain(fmt.Errorf("dial: %w", err))
	fmt.Println(e.Message)
	fmt.Println(e.Hint)
	// Output:
	// connection refused
	// dial: connection refused
	// Is the daemon running? Start it with `svc up`.
}

func ExampleCoded() {
	err := fault.Coded(fault.CodeNotFound, "no such checkpoint").
		WithDetails(fault.Details("").Set("checkpointId", "cp_1"))
	fmt.Println(errors.Is(err, fault.CodeNotFound), err.Retryable)
	fmt.Println(string(fault.Normalize(err).AppendJSON(nil)))
	// Output:
	// true false
	// {"code":"not_found","message":"no such checkpoint","details":{"checkpointId":"cp_1"},"retryable":false}
}

func ExampleRefusalID() {
	id := fault.RefusalID(fault.ReasonGap, fault.DetailPruned)
	fmt.Println(id.String())
	fmt.Println(fault.RuleOf(id).Message)
	// Output:
	// stream.gap.pruned
	// The log no longer holds the event that comes after the cursor.
}
