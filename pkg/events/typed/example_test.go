package typed_test

import (
	"errors"
	"fmt"

	"github.com/tidemark-stream/tidemark/pkg/events/typed"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func ExampleDecode() {
	e, err := typed.Decode([]byte(`{"type":"turn_failed","sessionId":"ses_1","turnId":"t","error":"out of memory","settlement":{"status":"failed"}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	switch e := e.(type) {
	case *typed.TurnFailed:
		fmt.Println("failed:", e.Error, e.Settlement)
	case *typed.Unknown:
		fmt.Println("something new:", e.Name)
	}
	// Output: failed: out of memory {"status":"failed"}
}

func ExampleDecode_bad() {
	_, err := typed.Decode([]byte(`{"type":"iteration_started","sessionId":"ses_1","turnId":"t","iteration":"1"}`))
	var f *fault.Fault
	if errors.As(err, &f) {
		fmt.Printf("expected %s, found %s at byte %d", f.Expected, f.Found, f.Offset)
	}
	// Output: expected member "iteration" to be an integer, found text at byte 73
}

func ExampleEncode() {
	e, _ := typed.Decode([]byte(`{"type": "plan_rejected", "later": 1e3, "sessionId": "s", "turnId": "t", "planId": "p"}`))
	rejected := e.(*typed.PlanRejected)
	rejected.Reason = typed.Some("too long")
	text, _ := typed.Encode(rejected)
	fmt.Println(string(text))
	// Output: {"type": "plan_rejected", "later": 1e3, "sessionId": "s", "turnId": "t", "planId": "p","reason":"too long"}
}
