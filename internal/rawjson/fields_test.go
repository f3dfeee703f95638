package rawjson

import (
	"encoding/json"
	"strings"
	"testing"
)

// wanted has names that share a slot, are too long for two words, are empty, or
// are not ASCII.
var wanted = []string{"type", "seq", "sid", "", "exactly16bytes__", "seventeen bytes__", "é", "sessionId"}

func namesOf(names []string) *Names {
	var n Names
	for _, name := range names {
		n.Add(name)
	}
	return &n
}

func fields(text string) (found Fields, ok bool) {
	var w Walker
	w.Reset([]byte(text), 10)
	ok = w.Fields(namesOf(wanted), &found) && w.At == len(text)
	return found, ok
}

func TestFields(t *testing.T) {
	tail := `"x":"` + strings.Repeat("y", 60) + `"` // keeps what stands before it off the end
	for member, want := range map[string]struct {
		name  int
		value string
		plain bool
	}{
		`"type":"a"`: {0, `"a"`, true}, `"type":""`: {0, `""`, true}, `"type":7`: {0, "7", false}, `"type":-7`: {0, "-7", false},
		`"seq":"b\n"`: {1, `"b\n"`, false}, `"sid":"c"`: {2, `"c"`, true}, `"exactly16bytes__":1234567890123456`: {4, "1234567890123456", false},
		`"seventeen bytes__":12345678901234567890`: {5, "12345678901234567890", false}, `"é":"é"`: {6, `"é"`, true}, `"\u00e9":0`: {6, "0", false},
		`"sessionId":"0123456789abcde"`: {7, `"0123456789abcde"`, true}, `"sessionId":"0123456789abcdef"`: {7, `"0123456789abcdef"`, true},
		`"sessionId":"0123456789abcdefg"`: {7, `"0123456789abcdefg"`, true}, `"s\u0065ssionId" : [ ] `: {7, "[ ]", false},
		`"sessionId":"` + strings.Repeat("z", 100) + `"`: {7, `"` + strings.Repeat("z", 100) + `"`, true},
	} {
		for _, text := range []string{"{" + member + "}", "{" + member + "," + tail + "}", "{" + tail + "," + member + "}", "{" + tail + "," + member + "," + tail + "}"} {
			found, ok := fields(text)
			if !ok || found.Again != 0 {
				t.Fatalf("%s: %v, again at %d", text, ok, found.Again)
			}
			for i, f := range found.Field {
				if i != want.name {
					if f != (Field{}) {
						t.Errorf("%s: name %d stands at %d", text, i, f.From)
					}
				} else if text[f.From:f.To] != want.value || f.Plain != want.plain {
					t.Errorf("%s: %q, plain %v", text, text[f.From:f.To], f.Plain)
				}
			}
		}
	}
}

func TestFieldsNoName(t *testing.T) {
	for _, name := range []string{"", "typ", "types", "Type", "sex", "sess", "sessionid", "exactly16bytes_", "exactly16bytes_x", "exactly16bytes__x", "seventeen bytes_x", `typ\u0045`, "è"} {
		for _, tail := range []string{"", `,"x":"` + strings.Repeat("y", 60) + `"`} {
			text := `{"` + name + `":"v"` + tail + `}`
			if found, ok := fields(text); !ok || found != (Fields{}) {
				t.Errorf("%s: %+v, %v", text, found, ok)
			}
		}
	}
}

func TestFieldsAgain(t *testing.T) {
	for _, text := range []string{
		`{"type":1,"type":2}`, `{"type":1,"type":2,"x":"01234567890123456789","type":3}`, `{"type":1,"\u0074ype":"a","y":"0123456789012345"}`,
		`{"type":"0123456789","type":"0123456789","y":"01234567890123456789012345"}`,
	} {
		found, ok := fields(text)
		if want := strings.Index(text, ",") + 1; !ok || found.Again != want {
			t.Errorf("%s: again at %d, want %d", text, found.Again, want)
		}
	}
}

// A compact object is read by words; broken in any byte it must be judged as
// encoding/json judges it.
func TestFieldsAgreeOnEveryBrokenByte(t *testing.T) {
	good := `{"type":"text_delta","sessionId":"0123456789abcdef","seq":12345678901234567,"n":0,"m":10,"t":"0123456789abcdef0123456789abcdef","l":123}`
	for i := range good {
		for _, c := range []byte("\x00\x1f \"\\{}[],:01-e.\x7f\x80") {
			b := []byte(good)
			b[i] = c
			_, ok := fields(string(b))
			if want := json.Valid(b) && b[0] == '{' && c != 0x80; ok != want {
				t.Fatalf("%q: %v, want %v", b, ok, want)
			}
		}
		if _, ok := fields(good[:i]); ok {
			t.Fatalf("%q passes", good[:i])
		}
	}
}

func FuzzFields(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"type":"text_delta","sessionId":"0123456789abcdef","seq":12345678901234567,"n":0,"m":10,"x":"0123456789abcdef0123456789"}`))
	f.Add([]byte(`{"exactly16bytes__":1234567890123456,"seventeen bytes__":"","s\u0069d":null,"é":1,"x":"0123456789abcdef0123456789"}`))
	names := namesOf(wanted)
	f.Fuzz(func(t *testing.T, text []byte) {
		var w Walker
		var found Fields
		w.Reset(text, 100)
		w.Space()
		ok := w.Fields(names, &found)
		w.Space()
		problem, _ := Check(text, 100)
		isObject := strings.HasPrefix(strings.TrimLeft(string(text), " \t\r\n"), "{")
		if want := problem == OK && isObject; want != (ok && w.At == len(text)) {
			t.Fatalf("%q: %v at %d, want %v", text, ok, w.At, want)
		}
		if problem != OK || !isObject {
			return
		}
		var want [MaxNames]string
		for name, value := range Members(text) {
			for i, s := range wanted {
				if s != "" && s == string(name) {
					want[i] = string(value)
				}
			}
		}
		for i, f := range found.Field {
			if got := string(text[f.From:f.To]); got != want[i] {
				t.Fatalf("%q: %q is %q, want %q", text, wanted[i], got, want[i])
			}
			if plain, _ := PlainText(text[f.From:f.To]); f.Plain && text[f.From] != '"' || !f.Plain && plain != nil {
				t.Fatalf("%q: %q plain is %v", text, wanted[i], f.Plain)
			}
		}
	})
}
