package rawjson

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// short are names as most envelopes have them. Two share a slot.
var short = []string{"type", "seq", "sid", "", "turnId", "fifteen bytes__", "x", "sessionId"}

// quickTexts are objects that have to be read at first sight with short names.
var quickTexts = []string{
	`{}`, `{ }`, `{"sid":1,"seq":"sid"}`, `{"a":1}`, `{"type":"text_delta","sessionId":"0123456789abcdef","seq":12345678901234567,"n":0,"m":10}`,
	`{"fifteen bytes__":1234567890123456,"x":"0123456789abcdef0123456789","sid":null,"type":"","seq":-1}`,
	"{ \"type\" : \"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00eF\" , \t\"seq\":\t[ ] , \"sid\" : { } }", `{"sessionId":"é","a":{"日本":"\u65e5"},"x":"日本"}`,
	`{"a":{"type":1,"b":[{"seq":[]},{"sid":{}},[[1,2.5,-0.1e+7,3E-2,4e5],true,false,null]]},"type":{"type":"b"}}`,
	`{"type":[true],"seq":false,"sid":"del` + "\x7f" + `","sessionId":"0123456789abcde` + "\x7f" + `"}`, `{"type":"` + "\x7f" + `"}`, `{"seq":"0123456789` + "\x7f" + `1234567890"}`,
	`{"output":"` + strings.Repeat(`if a < b {\n\treturn \"c\"\n}\n`, 20) + `","seq":7}`,
	`{"a":` + strings.Repeat(`[`, 61) + strings.Repeat(`]`, 61) + `,"seq":7}`, `{"type":"` + strings.Repeat("x", 300) + `"}`,
	`{"0123456789abcde":"0123456789abcde","0123456789abcdef":"0123456789abcdef","0123456789abcdefg":"0123456789abcdefg"}`,
}

// slowTexts are right, but not to be read at first sight.
var slowTexts = []string{`{"é":1}`,
	` {}`, `{} `, `{"\u0074ype":1}`, `{"type":1,"type":1}`, `{"a":` + strings.Repeat(`[`, 63) + strings.Repeat(`]`, 63) + `}`,
}

// strict are the numbers of the names that may not hold a DEL here, a bit each.
const strict = 0b0101_0101

// lookQuickly runs QuickFields on text with more bytes behind it, and holds what
// it finds against Walker.Fields.
func lookQuickly(t *testing.T, text []byte, maxDepth int, wanted []string) bool {
	t.Helper()
	var q Quick
	names := namesOf(wanted)
	for i := range MaxNames {
		if strict>>i&1 != 0 {
			names.Strict(i)
		}
	}
	if n := QuickFields(text, maxDepth, names, &q); n == 0 || n != len(text) {
		return false
	}
	var w Walker
	var found Fields
	w.Reset(text, maxDepth)
	if !w.Fields(names, &found) || w.At != len(text) || found.Again != 0 {
		t.Fatalf("%q passes", text)
	}
	if q.High == w.ASCII() {
		t.Fatalf("%q: high is %v", text, q.High)
	}
	for i, f := range found.Field {
		if f.To > 0 {
			compareQuick(t, text, &q, i, f)
		} else if (q.Text|q.Digits|q.Null|q.Other|q.Foreign)>>i&1 != 0 {
			t.Fatalf("%q: name %d is found", text, i)
		}
	}
	return true
}

func compareQuick(t *testing.T, text []byte, q *Quick, i int, want Field) {
	t.Helper()
	raw := text[want.From:want.To]
	if q.Text>>i&1+q.Digits>>i&1+q.Null>>i&1+q.Other>>i&1+q.Foreign>>i&1 != 1 {
		t.Fatalf("%q: name %d is not in one set: %+v", text, i, *q)
	}
	content, plain := PlainText(raw)
	clean := plain && len(content) > 0 && !(strict>>i&1 != 0 && strings.Contains(string(content), "\x7f"))
	value := content
	if q.Digits>>i&1 != 0 {
		value = raw
	}
	digits := raw[0]-'0' <= 9 && strings.Trim(string(raw), "0123456789") == ""
	switch {
	case (q.Text|q.Digits)>>i&1 != 0 && string(q.Value(text, q.Text|q.Digits, i)) != string(value):
		t.Fatalf("%q: name %d is %q", text, i, q.Value(text, q.Text|q.Digits, i))
	case q.Text>>i&1 != 0 && !clean, q.Digits>>i&1 != 0 != digits, q.Null>>i&1 != 0 != (string(raw) == "null"):
		t.Fatalf("%q: name %d is in the wrong set: %+v", text, i, *q)
	case q.Foreign>>i&1 != 0 && (plain || strings.Contains(string(raw), `\\`)):
		t.Fatalf("%q: name %d is not foreign", text, i)
	}
}

func TestQuickFieldsReadsWhatMachinesWrite(t *testing.T) {
	for _, text := range quickTexts {
		if !lookQuickly(t, []byte(text), 100, short) {
			t.Errorf("%s is not read", text)
		}
	}
	for _, text := range slowTexts {
		lookQuickly(t, []byte(text), 100, short)
	}
}

// Blanks and tabs may stand wherever white space may. A line break never does.
func TestQuickFieldsKnowsWhiteSpace(t *testing.T) {
	for c := range byte(0x22) {
		space := c == ' ' || c == '\t'
		for _, text := range []string{"{_}", `{_"a":1}`, `{"a"_:1}`, `{"a":_1}`, `{"a":1_}`, `{"a":1_,"b":2}`, `{"a":1,_"b":2}`, `{"a":{_"b":1}}`, `{"a":{"b"_:_1_}}`, `{"a":[_]}`, `{"a":[1_,_2_]}`} {
			if c == '!' {
				c = 0xa0
			}
			b := []byte(strings.ReplaceAll(text, "_", string([]byte{c})))
			if lookQuickly(t, b, 1, short) != space {
				t.Errorf("%q: want %v", b, space)
			}
		}
	}
}

// What follows the line of the object is not looked at: its length is the answer.
func TestQuickFieldsAnswersTheLength(t *testing.T) {
	var q Quick
	for _, text := range quickTexts {
		for _, rest := range []string{"\n\ndata: {}\n\n", "\r\n\r\n", "\r"} {
			if n := QuickFields([]byte(text+rest), 100, namesOf(short), &q); n != len(text) {
				t.Errorf("%q behind %s: %d", rest, text, n)
			}
		}
	}
}

func TestQuickFieldsAgreesOnBrokenTexts(t *testing.T) {
	const alphabet = "\x00\x1f \t\n\"\\{}[],:01-+.eEtrufalsn/b\x7f\x80\xc3\xa9x"
	lot := rand.New(rand.NewPCG(1, 2))
	all := append(append([]string{}, quickTexts...), append(texts, slowTexts...)...)
	for _, c := range broken {
		all = append(all, c.text)
	}
	passed := 0
	for _, good := range all {
		for range 1000 {
			text := []byte(good + `}","":1}]`)
			for range bits.Len(lot.UintN(16)) {
				i := lot.IntN(len(text))
				text[i] = alphabet[lot.IntN(len(alphabet))]
			}
			end := min(len(text), max(0, len(good)-2+lot.IntN(5)))
			depth := lot.IntN(5)
			lookQuickly(t, text[:end], depth, wanted)
			if lookQuickly(t, text[:end], depth, short) {
				passed++
			}
		}
	}
	if passed < 1000 {
		t.Errorf("only %d broken texts were still read", passed)
	}
}

func TestQuickFieldsKnowsUTF8(t *testing.T) {
	for lead := range 256 {
		for _, second := range []byte("\x00a\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xff") {
			for _, rest := range []string{"", "a", "\x80", "\xbf", "\x7f", "\xc0", "\x80\x80", "\xbf\xbf", "\x80\x7f", "\x80\xc0", "\x80\x80\x80"} {
				text := append([]byte(`{"a":"`), byte(lead), second)
				text = append(append(text, rest...), `"}`...)
				if lead < ' ' || second < ' ' || lead == '"' || lead == '\\' {
					continue
				}
				if got, want := lookQuickly(t, text, 1, short), utf8.Valid(text); got != want {
					t.Fatalf("%q: %v", text, got)
				}
			}
		}
	}
}
