package park

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// plain is the fold by the words of the rules, without a thought for speed.
type plain struct{ parks []*Park }

func (f *plain) add(text []byte) {
	m, ok := members(text)
	if !ok {
		return
	}
	at, dated := date(m["ts"])
	id, named := m.text("decisionId")
	turn, ok1 := m.optional("turnId")
	checkpoint, ok2 := m.optional("checkpointId")
	if !dated || !named || id == "" || !ok1 || !ok2 {
		return
	}
	i := slices.IndexFunc(f.parks, func(p *Park) bool { return p.DecisionID == id })
	switch kind, _ := m.text("type"); {
	case kind == "decision_requested" && m.has("request"):
		p := &Park{DecisionID: id, TurnID: turn, CheckpointID: checkpoint, Request: m["request"], ParkedAt: at}
		p.DeadlineAt, p.HasDeadline = date(m["deadlineAt"])
		if i >= 0 {
			f.parks = slices.Delete(f.parks, i, i+1)
		}
		f.parks = append(f.parks, p)
	case (kind == "decision_resolved" || kind == "decision_expired") && i >= 0 && !f.parks[i].Resolved:
		p := f.parks[i]
		p.Resolved, p.ResolvedAt, p.Expired, p.Decision = true, at, kind == "decision_expired", m["decision"]
		if p.Expired {
			p.Decision = []byte(Pause)
		}
	}
}

type object map[string]json.RawMessage

// members are those of an object in which none that the fold reads stands twice.
func members(text []byte) (object, bool) {
	if !json.Valid(text) || !utf8.Valid(text) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if first, _ := d.Token(); first != json.Delim('{') {
		return nil, false
	}
	m := object{}
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		d.Decode(&value)
		if _, again := m[name.(string)]; again && slices.ContainsFunc(recordMembers[:], func(m rawjson.Member) bool { return m.Name != "" && m.Name == name }) {
			return nil, false
		}
		m[name.(string)] = value
	}
	return m, true
}

func (m object) has(name string) bool { return m[name] != nil && string(m[name]) != "null" }

func (m object) text(name string) (text string, ok bool) {
	return text, bytes.HasPrefix(m[name], []byte(`"`)) && json.Unmarshal(m[name], &text) == nil
}

func (m object) optional(name string) (string, bool) {
	text, ok := m.text(name)
	return text, ok || !m.has(name)
}

var dateTime = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// date reads date-time text with package time.
func date(raw []byte) (ms int64, ok bool) {
	var text string
	if json.Unmarshal(raw, &text) != nil || !dateTime.MatchString(strings.ToUpper(text)) {
		return 0, false
	}
	leap := strings.HasPrefix(text[17:], "60")
	if leap {
		text = text[:17] + "59" + text[19:]
	}
	at, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text))
	if err != nil {
		return 0, false
	}
	if leap {
		at = at.Add(time.Second)
	}
	return at.UnixMilli(), true
}

// beyond are texts that encoding/json reads otherwise than the rules say: halves of
// surrogate pairs, and nesting without bounds.
func beyond(text []byte) bool {
	return bytes.Contains(bytes.ToLower(text), []byte(`\ud`)) || bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > 5000
}

func FuzzFold(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		var got Fold
		var want plain
		if beyond(log) {
			for line := range bytes.Lines(log) {
				got.AddAt(line, 1, "")
			}
			return
		}
		for line := range bytes.Lines(log) {
			kept := bytes.Clone(line)
			effect := got.AddAt(line, 0, "")
			want.add(line)
			if quick := kindOf(line); quick == noKind && effect > Damaged {
				t.Fatalf("%q is passed over at first sight, and not at the second", line)
			}
			if !bytes.Equal(kept, line) {
				t.Fatalf("%q was changed", kept)
			}
		}
		compare(t, got.Parks(), want.parks)
		var again Fold
		if err := again.Restore(got.AppendState(nil)); err != nil {
			t.Fatal(err)
		}
		compare(t, again.Parks(), want.parks)
	})
}

func compare(t *testing.T, got, want []*Park) {
	if len(got) != len(want) {
		t.Fatalf("%d parks, want %d", len(got), len(want))
	}
	for i, p := range got {
		g, w := *p, *want[i]
		g.place, w.place, g.ResolvedBy = 0, 0, nil
		if string(w.Decision) == "null" {
			w.Decision = nil
		}
		if !reflect.DeepEqual(normal(g), normal(w)) {
			t.Fatalf("park %d: %+v, want %+v", i, g, w)
		}
	}
}

// normal makes copies of the bytes comparable.
func normal(p Park) Park {
	p.Request, p.Decision = append([]byte{}, p.Request...), append([]byte{}, p.Decision...)
	return p
}

// seeds are the logs of the vectors, and what tables of this package are made of.
func seeds(f *testing.F) (logs [][]byte) {
	for _, name := range []string{"parks.json", "parks-strict.json"} {
		text, err := os.ReadFile("../../testdata/vectors/" + name)
		if err != nil {
			f.Fatal(err)
		}
		var file struct {
			Cases []struct{ Records []json.RawMessage }
		}
		if err := json.Unmarshal(text, &file); err != nil {
			f.Fatal(err)
		}
		for _, c := range file.Cases {
			var log []byte
			for _, r := range c.Records {
				log = append(append(log, r...), '\n')
			}
			logs = append(logs, log)
		}
	}
	return append(logs,
		[]byte(strings.Join([]string{ask("a", 1, due10), answer("a", 2), lapse("a", 3), ask("a", 4, `,"request":1`)}, "\n")),
		[]byte(`{"\u0074ype":"decision_requeste\u0064","ts":"2026-01-01T00:00:00Z","decisionId":"\u0061","request":[[1]],"turnId":null}`),
	)
}
