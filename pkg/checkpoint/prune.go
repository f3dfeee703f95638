package checkpoint

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// PrunePlan says which checkpoints of a turn a prune takes away. list is
// oldest first, as [Sort] leaves it. keep below 1 counts as 1. Of those beyond the
// number to keep, one that an unsettled park refers to stays, and no other goes in
// its place. The answer is oldest first; nil when nothing goes.
func PrunePlan(list []Entry, keep int, referred func(checkpointID string) bool) []string {
	var ids []string
	for _, e := range list[:max(len(list)-max(keep, 1), 0)] {
		if !referred(e.ID) {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// AppendPruned appends the event that records a prune: what is handed to the log.
// ids holds at least one.
func AppendPruned(dst []byte, turn string, ids []string) []byte {
	w := rawjson.Begin(dst)
	w.Text("type", TypePruned)
	w.Text("turnId", turn)
	w.OpenList("checkpointIds")
	for _, id := range ids {
		w.Text("", id)
	}
	w.CloseList()
	return w.End()
}

// prunedIDs reads the ids of a checkpoint_pruned; none when the record is damaged.
func prunedIDs(record []byte) (ids []string) {
	if problem, _ := rawjson.Check(record, events.MaxDepth); problem != rawjson.OK {
		return nil
	}
	for name, raw := range rawjson.Members(record) {
		if string(name) != "checkpointIds" {
			continue
		}
		for element := range rawjson.Elements(raw) {
			if id, ok := rawjson.Text(element); ok {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func quoted(id string) []byte { return rawjson.AppendQuoted(nil, id) }
