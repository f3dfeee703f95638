package seam

import "github.com/tidemark-stream/tidemark/pkg/decision"

// Decision is an answer, read.
type Decision struct {
	Action        string   `js:"action"`
	Known         bool     `js:"known"`
	Approves      bool     `js:"approves"`
	Feedback      *string  `js:"feedback"`
	Reason        *string  `js:"reason"`
	Remember      []string `js:"remember"`
	Modifications []string `js:"modifications"` // JSON
}

// Decision reads n bytes of the input room as an answer.
func (m *Module) Decision(n int) (*Decision, error) {
	raw, err := m.Argument(n)
	if err != nil {
		return nil, err
	}
	d, err := decision.Parse(raw)
	if err != nil {
		return nil, err
	}
	all := &Decision{d.Action, d.Known, d.Approves(), d.Feedback, d.Reason, d.Remember, nil}
	for _, m := range d.Modifications {
		all.Modifications = append(all.Modifications, string(m))
	}
	return all, nil
}

// Keys are the grant keys of a call: its tool by name, and n bytes of its
// input as JSON in the input room.
func (m *Module) Keys(tool string, n int) ([]string, error) {
	raw, err := m.Argument(n)
	if err != nil {
		return nil, err
	}
	keys, err := decision.Keys(tool, raw)
	return keys[:], err
}
