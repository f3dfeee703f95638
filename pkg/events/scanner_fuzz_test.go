package events

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// reference reads an envelope with encoding/json, by the words of the rules and
// without a thought for speed.
func reference(text []byte, limit int) (want found, fine bool) {
	if !json.Valid(text) || !utf8.Valid(text) || deepest(text) > limit {
		return found{}, false
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if first, _ := d.Token(); first != json.Delim('{') {
		return found{}, false
	}
	seen := map[string]json.RawMessage{}
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		d.Decode(&value)
		if _, again := seen[name.(string)]; again && envelopeNames[name.(string)] {
			return found{}, false
		}
		seen[name.(string)] = value
	}
	return referenceValues(seen)
}

var envelopeNames = map[string]bool{"type": true, "sessionId": true, "turnId": true, "seq": true, "generation": true}

func referenceValues(seen map[string]json.RawMessage) (want found, fine bool) {
	fine = true
	read := func(name string, into *string, allowed func(value any, raw string) (string, bool)) {
		raw, there := seen[name]
		if !there || string(raw) == "null" && name != "type" {
			return
		}
		var value any
		json.Unmarshal(raw, &value)
		text, ok := allowed(value, string(raw))
		*into, fine = text, fine && ok
	}
	var seq string
	read("type", &want.Type, anyText)
	read("turnId", &want.Turn, anyText)
	read("sessionId", &want.Session, nameText)
	read("seq", &seq, func(_ any, raw string) (string, bool) {
		n, err := strconv.ParseUint(raw, 10, 64)
		want.Seq = Seq(n)
		return raw, err == nil && n >= 1 && n <= 9007199254740991
	})
	read("generation", &want.Generation, func(value any, raw string) (string, bool) {
		if digits.MatchString(raw) {
			return raw, true
		}
		return nameText(value, raw)
	})
	if !fine {
		return found{}, false
	}
	return want, true
}

func anyText(value any, _ string) (string, bool) {
	text, ok := value.(string)
	return text, ok
}

var digits = regexp.MustCompile(`^[0-9]+$`)

var escapes = regexp.MustCompile(`\\(u[0-9a-fA-F]{4}|.)`)

func nameText(value any, raw string) (string, bool) {
	text, ok := value.(string)
	replaced := strings.Count(text, "\ufffd") - strings.Count(raw, "\ufffd")
	for _, escape := range escapes.FindAllString(raw, -1) {
		if strings.EqualFold(escape, `\ufffd`) {
			replaced--
		}
	}
	return text, ok && text != "" && replaced == 0 && strings.IndexFunc(text, unicode.IsControl) < 0
}

// deepest is the number of levels in a valid text.
func deepest(text []byte) (most int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '{' || c == '['):
			depth++
			most = max(most, depth)
		case !quoted && (c == '}' || c == ']'):
			depth--
		}
	}
	return most
}

func FuzzScan(f *testing.F) {
	for _, text := range traffic()[:12] {
		f.Add(text)
	}
	for _, text := range []string{
		`{}`, ` {"s\u0065q" : 7 , "type":"a\n" } `, `{"seq":9007199254740992}`, `{"seq":1,"seq":1}`, `{"generation":"\ud800"}`, `{"generation":"\ud83d\ude00"}`,
		`{"sessionId":"\u0085"}`, `{"generation":0123}`, `{"type":null}`, `{"turnId":null,"seq":null,"sessionId":null,"generation":null}`, `[{"type":"a"}]`,
		"{\"a\":\"\xff\"}", `{"a":[[[[[[[[1]]]]]]]]}`, `{"seq":-1}`, `{"seq":1.0}`, `{"generation":"\ufffd"}`, `{"sessionId":""}`, `{"a":{"seq":"x","seq":1},"seq":2}`,
		`{"seq":1}{}`, `{"seq":1`, `{"é":"\u00e9","sessionId":"é"}`,
	} {
		f.Add([]byte(text))
	}
	const limit = 8
	s := NewScanner(SessionMembers)
	s.SetMaxDepth(limit)
	f.Fuzz(func(t *testing.T, text []byte) {
		leads(t, text)
		var e Envelope
		kept := bytes.Clone(text)
		problem := s.Scan(text, &e)
		want, fine := reference(text, limit)
		if fine != (problem == NoProblem) {
			t.Fatalf("%q: %v at %d, want acceptance = %v", text, problem, s.Offset(), fine)
		}
		if !bytes.Equal(kept, text) {
			t.Fatalf("%q was changed", kept)
		}
		if !fine {
			if s.Offset() < 0 || s.Offset() > len(text) {
				t.Fatalf("%q: offset %d", text, s.Offset())
			}
			return
		}
		if got := (found{string(e.Type), string(e.Session), string(e.Turn), string(e.Generation), e.Seq}); got != want {
			t.Fatalf("%q: %+v, want %+v", text, got, want)
		}
		if e.ASCII == bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
			t.Fatalf("%q: ASCII is %v", text, e.ASCII)
		}
	})
}

// leads holds Lead against Scan: what it answers is an event without a line break,
// and reads the same with its end known.
func leads(t *testing.T, text []byte) {
	var lead, e Envelope
	s := NewScanner(SessionMembers)
	n := s.Lead(text, &lead)
	if n == 0 {
		return
	}
	if problem := s.Scan(text[:n], &e); problem != NoProblem || bytes.ContainsAny(text[:n], "\r\n") {
		t.Fatalf("%q leads %d bytes: %v", text, n, problem)
	}
	if !reflect.DeepEqual(e, lead) {
		t.Fatalf("%q: %+v, want %+v", text, lead, e)
	}
}

func FuzzParseGeneration(f *testing.F) {
	for _, raw := range []string{"0", "7", "07", `"7"`, `"a b"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\u0000"`, "", `""`, "null", "-1", "1e3", "\"\xc2\x80\"", "99999999999999999999"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, ok := ParseGeneration([]byte(raw))
		want, fine := reference([]byte(`{"generation":`+raw+`}`), 2)
		if strings.TrimSpace(raw) != raw || raw == "null" || !json.Valid([]byte(raw)) {
			fine, want = false, found{}
		}
		if ok != fine || string(got) != want.Generation {
			t.Fatalf("%q: %q, %v, want %q, %v", raw, got, ok, want.Generation, fine)
		}
	})
}
