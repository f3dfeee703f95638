package vectors

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	catalog "github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/wasm/abi"
)

// seam asks the module's calls, as a host would.
type seam struct{ calls abi.Calls }

// fault is an answer that is none. Rule is the catalog's id without "stream.".
type fault struct {
	rule, expected, found string
}

// asFault names an error of the core as the seam would.
func asFault(err error) error {
	f := (*catalog.Fault)(nil)
	if !errors.As(err, &f) {
		return err
	}
	return &fault{strings.TrimPrefix(f.ID.String(), "stream."), f.Expected, f.Found}
}

func (f *fault) Error() string {
	return fmt.Sprintf("fault %s: expected %s, found %s", f.rule, f.expected, f.found)
}

// ask answers the value of a call, or the fault it answered.
func (s *seam) ask(op, handle int32, arg []byte) (any, error) {
	room := s.calls.Input(len(arg))
	n := s.calls.Call(op, handle, copy(room, arg))
	return answer(s.calls.Output()[:n])
}

func answer(output []byte) (any, error) {
	var a struct {
		OK    json.RawMessage
		Fault *struct{ Rule, Expected, Found string }
	}
	if err := json.Unmarshal(output, &a); err != nil {
		return nil, fmt.Errorf("the answer is no JSON: %w: %s", err, output)
	}
	if a.Fault != nil {
		return nil, &fault{strings.TrimPrefix(a.Fault.Rule, "stream."), a.Fault.Expected, a.Fault.Found}
	}
	return decode(a.OK)
}

// open answers the handle of a tracker or decoder.
func (s *seam) open(op int32, arg []byte) (int32, error) {
	opened, err := s.ask(op, 0, arg)
	if err != nil {
		return 0, err
	}
	n, err := field(opened, "handle").(json.Number).Int64()
	return int32(n), err
}

// orError turns a fault into the outcome that an expectation names it by.
func orError(got any, err error) (any, error) {
	if f := (*fault)(nil); errors.As(err, &f) {
		return map[string]any{"error": f.rule}, nil
	}
	return got, err
}

// field is a member of an answer, nil when it is not there.
func field(value any, name string) any {
	object, _ := value.(map[string]any)
	return object[name]
}
