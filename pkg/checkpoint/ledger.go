package checkpoint

import (
	"cmp"
	"slices"

	"github.com/tidemark-stream/tidemark/internal/datetime"
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Ledger is which checkpoints a log commits, folded from its records. Its memory
// grows with those that were committed and not pruned, not with the log. The zero
// Ledger stands before the first record.
type Ledger struct{ held map[string]Written }

// Add takes the next record, or live event, of the log. One that cannot be read
// commits nothing, and takes nothing away.
func (l *Ledger) Add(record []byte) {
	switch string(typeOf(record)) {
	case TypeWritten:
		if w, err := ReadWritten(record); err == nil {
			l.hold(w)
		}
	case TypePruned:
		for _, id := range prunedIDs(record) {
			delete(l.held, id)
		}
	}
}

func (l *Ledger) hold(w Written) {
	if l.held == nil {
		l.held = map[string]Written{}
	}
	l.held[w.CheckpointID] = w
}

// Holds reports whether a checkpoint of a turn is committed and not pruned.
func (l *Ledger) Holds(turn, checkpointID string) bool {
	w, ok := l.held[checkpointID]
	return ok && w.TurnID == turn
}

// Committed are the records of what is held, in the order of the log.
func (l *Ledger) Committed() []Written {
	list := make([]Written, 0, len(l.held))
	for _, w := range l.held {
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b Written) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.CheckpointID, b.CheckpointID))
	})
	return list
}

// AppendState writes the ledger as a JSON list of its records, for
// [Ledger.Restore].
func (l *Ledger) AppendState(dst []byte) []byte {
	w := rawjson.BeginList(dst)
	for _, held := range l.Committed() {
		w.Name("")
		w.Append(held.appendRecord)
	}
	return w.EndList()
}

// appendRecord appends a record that reads as this one.
func (w Written) appendRecord(dst []byte) []byte {
	to := rawjson.Begin(dst)
	to.Raw("type", []byte(`"`+TypeWritten+`"`))
	to.Int("seq", int64(w.Seq))
	to.Known("gen", string(w.Generation))
	to.Text("ts", string(datetime.Append(nil, w.At)))
	to.Known("sessionId", w.SessionID)
	to.Text("turnId", w.TurnID)
	to.Text("checkpointId", w.CheckpointID)
	to.Text("sha256", w.SHA256.String())
	to.Int("throughSeq", int64(w.ThroughSeq))
	to.Text("throughSha256", w.ThroughSHA256.String())
	return to.End()
}

// Restore makes the ledger the one that was saved. It fails with fault.BadRecord,
// and is empty then, on what [Ledger.AppendState] did not write.
func (l *Ledger) Restore(state []byte) error {
	*l = Ledger{}
	if problem, _ := rawjson.Check(state, len(state)); problem != rawjson.OK {
		return badLedger(state)
	}
	ok := rawjson.Each(state, func(record []byte) bool {
		w, err := ReadWritten(record)
		l.hold(w)
		return err == nil
	})
	if !ok {
		*l = Ledger{}
		return badLedger(state)
	}
	return nil
}

func badLedger(state []byte) error {
	return fault.New(fault.BadRecord, "a saved ledger of checkpoints", fault.Clip(state))
}
