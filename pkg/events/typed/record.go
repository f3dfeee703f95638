package typed

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// RecordOf is the log record of a live event, written at ts (date-time text):
// generation is called gen there, lineage is left out, v and ts are added. All
// other members keep their text and order, unknown ones too.
//
// The event needs a seq and a type that a log takes: not an ephemeral or
// listener-only one. Run-era events are refused, since a run id names a session
// and a turn at once and only their owner can tell the two apart.
func RecordOf(e Event, ts string) (Event, error) {
	text, err := encodeForm(e, Live, "a live event of a session")
	if err != nil {
		return nil, err
	}
	if class := events.TypeAt(events.TypeIndex([]byte(e.Type()))).Class; class == events.ClassEphemeral || class == events.ClassListener {
		return nil, fault.New(fault.BadInput, "a type that is recorded", e.Type()+", which is "+class.String())
	}
	extra := []addition{{"ts", quote(ts)}}
	if _, has := e.Common().Member("v"); !has && !e.Common().V.IsSet() {
		extra = append(extra, addition{"v", []byte("1")})
	}
	return convert(text, toRecord, extra, DecodeRecord)
}

// EventOf is the live event of a record: gen is called generation, ts is left
// out, and everything else stays as it is. Its lineage is not in the record, it
// follows from the first record of the log. A record of a type that is never
// live is refused.
func EventOf(record Event) (Event, error) {
	text, err := encodeForm(record, Recorded, "a record")
	if err != nil {
		return nil, err
	}
	if newRecord(record.Type()) != nil {
		return nil, fault.New(fault.BadInput, "a type that is live", record.Type()+", which only a log has")
	}
	return convert(text, toLive, nil, Decode)
}

// conversion says what becomes of the members of an envelope: a new name, or ""
// to leave it out; and which names must not be there already.
type conversion struct {
	renamed map[string]string
	taken   []string
}

var (
	toRecord = conversion{map[string]string{"generation": "gen", "lineage": ""}, []string{"gen", "ts"}}
	toLive   = conversion{map[string]string{"gen": "generation", "ts": ""}, []string{"generation", "lineage"}}
)

type addition struct {
	name  string
	value []byte
}

func encodeForm(e Event, form Form, want string) ([]byte, error) {
	if e == nil || settled(e).form != form {
		return nil, fault.New(fault.BadInput, want, "another form of it")
	}
	return Encode(e)
}

func convert(text []byte, c conversion, extra []addition, decode func([]byte) (Event, error)) (Event, error) {
	d := scan(text)
	for _, name := range c.taken {
		if d.last(name) >= 0 {
			return nil, fault.New(fault.BadInput, "no member "+name+", which means something else there", "one")
		}
	}
	e, err := decode(d.rewrite(c.renamed, extra))
	if err != nil {
		return nil, fault.New(fault.BadInput, "an event that can be converted", err.Error())
	}
	return e, nil
}

// rewrite is the text with members renamed, left out, added. Names are compared
// as they read; a name that stays keeps its spelling.
func (d document) rewrite(renamed map[string]string, extra []addition) []byte {
	w := writer{from: d}
	for i, m := range d.members {
		now, listed := renamed[m.name]
		if listed && now == "" {
			continue
		}
		w.between(i)
		if listed {
			w.text = append(rawjson.AppendQuoted(w.text, now), ':')
			w.text = append(w.text, d.raw(m)...)
		} else {
			w.text = append(w.text, d.text[m.start:m.end]...)
		}
	}
	for _, a := range extra {
		w.append(a.name, a.value)
	}
	return w.finish()
}
