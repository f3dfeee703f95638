package checkpoint

import (
	"bytes"
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// The records that make and take away checkpoints.
const (
	TypeWritten = "checkpoint_written"
	TypePruned  = "checkpoint_pruned"
)

// Receipt is what a store answers for a document, and what the record that commits
// it says: enough to tell the document by, and what it covers.
type Receipt struct {
	CheckpointID  string
	SHA256        Sum // of the document's bytes
	ThroughSeq    events.Seq
	ThroughSHA256 Sum
}

// ReceiptOf reads a document and makes its receipt; fault.BadDocument when it is
// none.
func ReceiptOf(document []byte) (Receipt, error) {
	d, err := Parse(document)
	if err != nil {
		return Receipt{}, err
	}
	return Receipt{d.CheckpointID, SumOf(document), d.ThroughSeq, d.ThroughSHA256}, nil
}

// AppendWritten appends the event that commits the document of a receipt: what is
// handed to the log, which stamps it.
func (r Receipt) AppendWritten(dst []byte, turn string) []byte {
	w := rawjson.Begin(dst)
	w.Text("type", TypeWritten)
	w.Text("turnId", turn)
	w.Text("checkpointId", r.CheckpointID)
	w.Text("sha256", r.SHA256.String())
	w.Int("throughSeq", int64(r.ThroughSeq))
	w.Text("throughSha256", r.ThroughSHA256.String())
	return w.End()
}

// Written is a record that commits a document.
type Written struct {
	Receipt
	TurnID     string
	SessionID  string // "" when the record names none
	Seq        events.Seq
	Generation events.Generation // "" for none
	At         int64             // ms since 1970; 0 when the record has no time
}

// ReadWritten reads a record of type checkpoint_written, or the live event of it.
// The fault is ReceiptAltered: what cannot be read commits nothing. A store may add
// members of its own, but none that looks like one of the record's, damaged.
func ReadWritten(record []byte) (w Written, err error) {
	if problem, _ := rawjson.Check(record, events.MaxDepth); problem != rawjson.OK {
		return w, altered("the record as one JSON object", problem.String())
	}
	seen := map[string]bool{}
	for name, raw := range rawjson.Members(record) {
		if seen[string(name)] {
			return w, altered(fault.Clip(name)+" once", "it stands twice")
		}
		seen[string(name)] = true
		if r := writtenRow(name); r != nil && !r.read(&w, raw) {
			return w, altered(r.name+" as "+r.words, fault.Clip(raw))
		}
	}
	return w, writtenNames(seen)
}

// writtenNames checks the names of a record's members.
func writtenNames(seen map[string]bool) error {
	for i := range writtenRows {
		r := &writtenRows[i]
		if seen[r.name] {
			continue
		}
		if r.needs {
			return altered(r.name+" as "+r.words, "no such member")
		}
		for name := range seen {
			if writtenRow([]byte(name)) == nil && resembles(name, r.name) {
				return altered(r.name+" as "+r.words, "a member "+fault.Clip([]byte(name)))
			}
		}
	}
	return nil
}

// resembles reports whether one damaged byte makes name of word: another character
// in its place, or a backslash that swallows the one behind it.
func resembles(name, word string) bool {
	if len(name) != len(word) {
		return len(name)+1 == len(word) && strings.ContainsAny(name, "\b\f\n\r\t/")
	}
	different := 0
	for i := range len(name) {
		if name[i] != word[i] {
			different++
		}
	}
	return different == 1
}

func writtenRow(name []byte) *row[Written] {
	for i := range writtenRows {
		if writtenRows[i].name == string(name) {
			return &writtenRows[i]
		}
	}
	return nil
}

var writtenRows = []row[Written]{
	optional(word[Written]("v", "1")),
	word[Written]("type", `"`+TypeWritten+`"`),
	position("seq", func(w *Written) *events.Seq { return &w.Seq }),
	fence("gen"), fence("generation"),
	recordTime(),
	text("sessionId", false, func(w *Written) *string { return &w.SessionID }),
	text("turnId", true, func(w *Written) *string { return &w.TurnID }),
	text("checkpointId", true, func(w *Written) *string { return &w.CheckpointID }),
	digest("sha256", func(w *Written) *Sum { return &w.SHA256 }),
	position("throughSeq", func(w *Written) *events.Seq { return &w.ThroughSeq }),
	digest("throughSha256", func(w *Written) *Sum { return &w.ThroughSHA256 }),
}

// optional is a row whose member may be absent.
func optional[T any](r row[T]) row[T] {
	r.needs = false
	return r
}

// recordTime is the time of the record, its letters large as every log writes them.
func recordTime() row[Written] {
	r := optional(moment("ts", func(w *Written) *int64 { return &w.At }))
	read := r.read
	r.read = func(w *Written, raw []byte) bool { return !bytes.ContainsAny(raw, "tz") && read(w, raw) }
	return r
}

// fence is the generation, under its name in a log or on a stream.
func fence(name string) row[Written] {
	return row[Written]{
		name: name, words: "a generation",
		read: func(w *Written, raw []byte) (ok bool) {
			w.Generation, ok = events.ParseGeneration(raw)
			return ok
		},
	}
}

func altered(expected, found string) *fault.Fault {
	return fault.New(fault.ReceiptAltered, expected, found)
}
