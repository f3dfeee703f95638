package check

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// appendFinding writes a finding as one JSON object, with the numbers of the wire.
func (r *Report) appendFinding(dst []byte, f *Finding) []byte {
	rule := fault.RuleOf(f.Rule)
	shown := wire(r.checker.profile, f)
	w := rawjson.Begin(dst)
	w.Text("finding", f.Kind.String())
	w.Text("severity", f.Severity().String())
	w.Text("rule", rule.Name)
	w.Text("file", r.checker.options.Name)
	w.Known("session", f.Session)
	if f.Connection > 0 {
		w.Int("connection", int64(f.Connection))
	}
	w.Known("type", f.Type)
	w.Known("turn", f.Turn)
	writeSeq(&w, "expectedSeq", f.Expected, shown.Expected)
	writeSeq(&w, "receivedSeq", f.Found, shown.Found)
	writeSeq(&w, "throughSeq", f.Through, shown.Through)
	if f.Count > 0 {
		w.Int("count", f.Count)
	}
	w.Known("savedGeneration", string(f.Saved))
	w.Known("generation", string(f.Generation))
	w.Text("says", shown.says())
	f.Place.write(&w)
	w.Known("time", f.Time)
	w.Text("hint", rule.Hint)
	w.Text("href", rule.Href())
	return w.End()
}

func writeSeq(w *rawjson.Writer, name string, seq, shown events.Seq) {
	if seq > 0 {
		w.Int(name, int64(shown))
	}
}

func (p *Place) write(w *rawjson.Writer) {
	if p.Entry > 0 {
		w.Int("entry", int64(p.Entry))
	}
	w.Known("url", p.URL)
	if p.Line > 0 {
		w.Int("line", p.Line)
	}
	if p.Offset >= 0 {
		w.Int("offset", p.Offset)
	}
	if p.At >= 0 {
		w.Int("at", int64(p.At))
	}
}

// appendJSON writes the summary as one JSON object.
func (s *Summary) appendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Name("summary")
	w.Append(s.appendMembers)
	return w.End()
}

func (s *Summary) appendMembers(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Text("file", s.Name)
	w.Text("format", s.Format.String())
	if s.Profile != nil {
		w.Text("profile", s.Profile.Name)
	}
	for _, n := range []struct {
		name string
		n    int64
	}{
		{"bytes", s.Bytes}, {"events", s.Events}, {"recorded", s.Recorded}, {"unrecorded", s.Unrecorded},
		{"control", s.Control}, {"other", s.Other}, {"connections", int64(s.Connections)}, {"entries", s.Entries},
		{"errors", s.Findings(Error)}, {"warnings", s.Findings(Warning)}, {"information", s.Findings(Information)},
	} {
		w.Int(n.name, n.n)
	}
	w.Name("findings")
	w.Append(s.appendKinds)
	w.Name("sessions")
	w.Append(s.appendSessions)
	return w.End()
}

func (s *Summary) appendKinds(dst []byte) []byte {
	w := rawjson.Begin(dst)
	for _, k := range Kinds() {
		if s.Kinds[k] > 0 {
			w.Int(k.String(), s.Kinds[k])
		}
	}
	return w.End()
}

func (s *Summary) appendSessions(dst []byte) []byte {
	dst = append(dst, '[')
	for i := range s.Sessions {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = s.appendSession(dst, &s.Sessions[i])
	}
	return append(dst, ']')
}

func (s *Summary) appendSession(dst []byte, one *SessionSummary) []byte {
	seen := wire(s.Profile, &Finding{Expected: one.First, Found: one.Last})
	w := rawjson.Begin(dst)
	w.Known("session", one.Session)
	if one.Connection > 0 {
		w.Int("connection", int64(one.Connection))
	}
	writeSeq(&w, "firstSeq", one.First, seen.Expected)
	writeSeq(&w, "lastSeq", one.Last, seen.Found)
	w.Int("recorded", one.Recorded)
	w.Int("unrecorded", one.Unrecorded)
	w.Known("oldestGeneration", string(one.OldestGeneration))
	w.Known("newestGeneration", string(one.NewestGeneration))
	w.Text("strength", one.Strength.String())
	return w.End()
}
