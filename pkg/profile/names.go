package profile

import "github.com/tidemark-stream/tidemark/pkg/events"

// memberName is the place of an envelope member's name, nil for a member that an
// envelope does not have.
func memberName(m *events.Members, name string) *string {
	switch name {
	case "type":
		return &m.Type
	case "session":
		return &m.Session
	case "turn":
		return &m.Turn
	case "seq":
		return &m.Seq
	case "generation":
		return &m.Generation
	}
	return nil
}
