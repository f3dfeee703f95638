package gen

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]string{"turn_started": "TurnStarted", "message": "Message"} {
		assert.Equal(t, want, typeIdent(name))
	}
	for name, want := range map[string]string{
		"toolUseId": "ToolUseID", "partialJson": "PartialJSON", "kept": "Kept", "keptMessageIds": "KeptMessageIDs", "via": "Via", "id": "ID",
	} {
		assert.Equal(t, want, fieldIdent(name))
	}
	assert.Equal(t, "ToolResult", valueIdent("tool-result"))
}

func TestWrapped(t *testing.T) {
	assert.Equal(t, "// a b\n", wrapped("// ", "a  b"))
	long := "0123456789012345678901234567890123456789 0123456789012345678901234567890123456789 0123456789012345678901234567890123456789"
	assert.Equal(t, "# "+long[:81]+"\n# "+long[82:]+"\n", wrapped("# ", long))
}

// The order of the rows decides nothing but the index, and a hash is found for
// a table that has grown.
func TestAHashIsFoundForMoreTypes(t *testing.T) {
	types := append(catalog.Events(), catalog.Event{Name: "another_type_of_event", Class: events.ClassLog})
	hash, err := findHash(types)
	assert.NoError(t, err)
	for i, e := range types {
		assert.Equal(t, uint8(i+1), hash.slots[key(e.Name)*hash.factor>>(32-slotBits)])
	}
	_, err = findHash([]catalog.Event{{Name: "tiny"}})
	assert.ErrorIs(t, err, errNoHash)
	_, err = findHash([]catalog.Event{{Name: "same_name"}, {Name: "same_name"}})
	assert.ErrorIs(t, err, errNoHash)
}
