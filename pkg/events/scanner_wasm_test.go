package events

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
)

// What is taken at first sight is what the walk finds, on events as they come and
// on events that were broken in a few places.
func TestScanAgreesWithTheWalk(t *testing.T) {
	parts := []string{`"`, `\`, "{", "}", "[", "]", ",", ":", "0", "-1", " ", "\x7f", "\x80", "é", `\u0000`, "null", "true", `"x"`, "\n", `"seq":1,`, `"type":null,`, "9007199254740992"}
	texts := append(traffic(), []byte(`{"generation":"g","type":"a","seq":0}`), []byte(`{"turnId":null,"seq":9007199254740991,"sessionId":"é"}`))
	lot := rand.New(rand.NewPCG(3, 4))
	quick, walked, taken := NewScanner(SessionMembers), NewScanner(SessionMembers), 0
	for _, depth := range []int{3, MaxDepth} {
		quick.SetMaxDepth(depth)
		walked.SetMaxDepth(depth)
		for range 20_000 {
			text := bytes.Clone(texts[lot.IntN(len(texts))])
			for range lot.IntN(3) {
				i := lot.IntN(min(len(text), 300))
				text = append(append(text[:i:i], parts[lot.IntN(len(parts))]...), text[min(len(text), i+lot.IntN(3)):]...)
			}
			var got, want Envelope
			problem, at := quick.Scan(text, &got), quick.Offset()
			walked.at = 0
			if p := walked.judge(text, &want); problem != p || at != walked.Offset() || !reflect.DeepEqual(got, want) {
				t.Fatalf("%q: %v at %d, %+v, want %v at %d, %+v", text, problem, at, got, p, walked.Offset(), want)
			}
			if problem == NoProblem {
				taken++
			}
		}
	}
	if taken < 10_000 {
		t.Errorf("only %d of the events are any", taken)
	}
}
