package abi

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

func isNamed(names []string, number int) bool { return number < len(names) && names[number] != "" }

// What has a name is there, and what is there has a name.
func TestNamesAreThoseOfWhatThereIs(t *testing.T) {
	for n := range 256 {
		_, err := new(Calls).perform(int32(n), 0, []byte("{}"))
		unknown := err != nil && faultOf(err).Expected == "an operation of this module"
		assert.Equal(t, isNamed(CallNames, n), !unknown, "call %d", n)

		boxes := &Inboxes{Room: new(Room)}
		f := boxes.perform(new(park.Inbox), int32(n), 0, &boxInput{why: "refused", seq: noSeq})
		assert.Equal(t, isNamed(InboxNames, n), f == nil, "input %d of an inbox", n)

		h := newHost(t, `{"sessions":["a"]}`)
		assert.Equal(t, isNamed(InputNames(), n), h.channel.perform(int32(n), link.Moment{}, &input{seq: noSeq}), "input %d of a link", n)
	}
}
