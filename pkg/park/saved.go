package park

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// AppendState writes the fold as a JSON object that [Fold.Restore] reads, in this and
// later versions: `{"v":1,"turn"?,"parks":[…]}`. It holds the facts of the parks, as
// [Park.AppendJSON] names them, and nothing of the log besides.
func (f *Fold) AppendState(dst []byte) []byte {
	f.trim()
	w := rawjson.Begin(dst)
	w.Int("v", stateVersion)
	w.Known("turn", f.turn)
	w.OpenList("parks")
	for _, p := range f.Parks() {
		w.Open("")
		p.write(&w)
		w.Close()
	}
	w.CloseList()
	return w.End()
}

const stateVersion = 1

// saved is a saved fold on its way in.
type saved struct {
	version int
	turn    string
	parks   []*Park
}

var savedMembers = []rawjson.Member{
	{Name: "v", Offset: unsafe.Offsetof(saved{}.version), Read: rawjson.ReadInt, Words: "1"},
	{Name: "turn", Offset: unsafe.Offsetof(saved{}.turn), Read: rawjson.ReadText, Words: "text"},
	{Name: "parks", Offset: unsafe.Offsetof(saved{}.parks), Read: readParks, Words: "a list of parks"},
}

var parkMembers = []rawjson.Member{
	{Name: "decisionId", Offset: unsafe.Offsetof(Park{}.DecisionID), Read: rawjson.ReadText},
	{Name: "turnId", Offset: unsafe.Offsetof(Park{}.TurnID), Read: rawjson.ReadText},
	{Name: "checkpointId", Offset: unsafe.Offsetof(Park{}.CheckpointID), Read: rawjson.ReadText},
	{Name: "seq", Offset: unsafe.Offsetof(Park{}.Seq), Read: readSeq},
	{Name: "generation", Offset: unsafe.Offsetof(Park{}.Generation), Read: rawjson.ReadText},
	{Name: "request", Offset: unsafe.Offsetof(Park{}.Request), Read: readRaw},
	{Name: "parkedAt", Offset: unsafe.Offsetof(Park{}.ParkedAt), Read: readMillis},
	{Name: "deadlineAt", Read: readDeadline},
	{Name: "resolvedAt", Read: readResolved},
	{Name: "expired", Offset: unsafe.Offsetof(Park{}.Expired), Read: rawjson.ReadBool},
	{Name: "resolvedSeq", Offset: unsafe.Offsetof(Park{}.ResolvedSeq), Read: readSeq},
	{Name: "decision", Offset: unsafe.Offsetof(Park{}.Decision), Read: readRaw},
	{Name: "resolvedBy", Offset: unsafe.Offsetof(Park{}.ResolvedBy), Read: readRaw},
}

func readParks(into unsafe.Pointer, raw []byte, _ string) bool {
	list := (*[]*Park)(into)
	return rawjson.Each(raw, func(element []byte) bool {
		p := new(Park)
		*list = append(*list, p)
		return rawjson.ReadValue(element, unsafe.Pointer(p), parkMembers) == nil && p.DecisionID != "" && p.Request != nil
	})
}

func readRaw(into unsafe.Pointer, raw []byte, _ string) bool {
	*(*[]byte)(into) = clone(raw)
	return true
}

// readSeq reads a place, 0 for one that is not known.
func readSeq(into unsafe.Pointer, raw []byte, _ string) bool {
	n, ok := rawjson.Uint(raw)
	*(*events.Seq)(into) = events.Seq(n)
	return ok
}

// readMillis reads a time, which may lie before 1970.
func readMillis(into unsafe.Pointer, raw []byte, _ string) bool {
	sign := int64(1)
	if raw[0] == '-' {
		sign, raw = -1, raw[1:]
	}
	n, ok := rawjson.Uint(raw)
	*(*int64)(into) = sign * int64(n)
	return ok
}

func readDeadline(into unsafe.Pointer, raw []byte, _ string) bool {
	p := (*Park)(into)
	p.HasDeadline = true
	return readMillis(unsafe.Pointer(&p.DeadlineAt), raw, "")
}

func readResolved(into unsafe.Pointer, raw []byte, _ string) bool {
	p := (*Park)(into)
	p.Resolved = true
	return readMillis(unsafe.Pointer(&p.ResolvedAt), raw, "")
}

// Restore makes the fold the one that was saved, its turn included. It fails with
// fault.BadRecord, and is empty then, on what [Fold.AppendState] did not write.
func (f *Fold) Restore(state []byte) error {
	if f := f.restore(state); f != nil {
		return f
	}
	return nil
}

func (f *Fold) restore(state []byte) *fault.Fault {
	var s saved
	f.Reset("")
	if rawjson.Read(state, len(state), unsafe.Pointer(&s), savedMembers) != nil || s.version != stateVersion {
		return badState(state)
	}
	f.turn = s.turn
	for _, p := range s.parks {
		f.put(p)
	}
	f.trim()
	return nil
}

func badState(state []byte) *fault.Fault {
	return fault.New(fault.BadRecord, "a saved fold of parks", fault.Clip(state))
}
