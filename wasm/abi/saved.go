package abi

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// saving is two places of saved records: the one in the store, and the one that
// is to take its place.
type saving struct {
	oldEpoch, epoch int
	oldToken, token string
}

var savingMembers = []rawjson.Member{
	{Name: "oldEpoch", Offset: unsafe.Offsetof(saving{}.oldEpoch), Read: rawjson.ReadInt},
	{Name: "oldCursor", Offset: unsafe.Offsetof(saving{}.oldToken), Read: rawjson.ReadText},
	{Name: "epoch", Offset: unsafe.Offsetof(saving{}.epoch), Read: rawjson.ReadInt},
	{Name: "cursor", Offset: unsafe.Offsetof(saving{}.token), Read: rawjson.ReadText},
}

// Replaces decides whether a record may take the place of another, from n
// bytes of argument in the input room: 1 yes, 0 no, -1 when one of them is no
// place of a record.
func (m *Room) Replaces(n int) int32 {
	s := new(saving)
	arg, f := m.argument(n)
	if f != nil || rawjson.Read(arg, events.MaxDepth, unsafe.Pointer(s), savingMembers) != nil {
		return -1
	}
	old, fine := cursor.ReadSaved(uint64(s.oldEpoch), s.oldToken)
	next, ok := cursor.ReadSaved(uint64(s.epoch), s.token)
	switch {
	case !fine || !ok:
		return -1
	case next.Replaces(old):
		return 1
	}
	return 0
}
