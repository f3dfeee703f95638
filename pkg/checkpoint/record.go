package checkpoint

import (
	"bytes"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// lead is how a log begins the records that it wrote itself.
var lead = []byte(`{"v":1,"type":"`)

// typeOf is the type of a record, nil when it has none. Of a record that a log
// wrote itself, only the beginning is looked at.
func typeOf(record []byte) []byte {
	if rest, ok := bytes.CutPrefix(record, lead); ok {
		if end := bytes.IndexByte(rest, '"'); end > 0 && bytes.IndexByte(rest[:end], '\\') < 0 {
			return rest[:end]
		}
	}
	text, _ := rawjson.AppendText(nil, rawjson.Value(record, "type"))
	return text
}

// SeqOf is the seq of a record, 0 when it has none. It reads no further than it has
// to.
func SeqOf(record []byte) events.Seq {
	seq, _ := events.ParseSeq(rawjson.Value(record, "seq"))
	return seq
}

// stamp is what a log gave to a record.
type stamp struct {
	seq        events.Seq
	generation events.Generation
}

// stampOf reads the stamp of a record; a zero seq when it has none.
func stampOf(record []byte) (s stamp) {
	for name, raw := range rawjson.Members(record) {
		switch string(name) {
		case "seq":
			s.seq, _ = events.ParseSeq(raw)
		case "gen", "generation":
			s.generation, _ = events.ParseGeneration(raw)
		}
	}
	return s
}

// precedes reports whether a record stamped t can be the next one of a log: its
// number follows, and its generation was not taken over before.
func (s stamp) precedes(t stamp) bool {
	if t.seq != s.seq+1 {
		return false
	}
	if !s.generation.IsSet() {
		return true
	}
	cmp, ordered := t.generation.Order(s.generation)
	return t.generation.IsSet() && (!ordered || cmp >= 0)
}
