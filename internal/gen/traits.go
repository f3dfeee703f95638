package gen

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
)

// eventTraits says in a few words what holds for all events of a type.
func eventTraits(e catalog.Event) string {
	words := classWords[e.Class] + ", " + turnWords[e.Turn]
	if e.Terminal {
		words += ", closes its turn"
	}
	return words
}

var classWords = map[events.Class]string{
	events.ClassLog: "recorded", events.ClassEphemeral: "live only", events.ClassListener: "for a listener only",
}

var turnWords = map[events.TurnRule]string{
	events.TurnRequired: "in a turn", events.TurnOptional: "with or without a turn",
}
