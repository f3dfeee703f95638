package rawjson

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestKindOf(t *testing.T) {
	for text, want := range map[string]Kind{
		`null`: Null, `true`: Bool, `false`: Bool, `0`: Number, `-1`: Number, `9e9`: Number, `"a"`: String,
		`{}`: Object, `[]`: Array, ``: Invalid, ` 1`: Invalid, `+1`: Invalid, `}`: Invalid, `x`: Invalid, "\x00": Invalid,
	} {
		if got := KindOf([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestUint(t *testing.T) {
	for _, text := range []string{"0", "1", "10", "9007199254740991"} {
		if n, ok := Uint([]byte(text)); !ok || strconv.FormatUint(n, 10) != text {
			t.Errorf("%s: %d, %v", text, n, ok)
		}
	}
	for _, text := range []string{
		"", "-1", "+1", "01", "00", "1.0", "1e3", "1E0", "-0", "9007199254740992", "9007199254740993", "99999999999999999999",
		"18446744073709551617", `"5"`, "null", " 1", "1 ", "0x1", "１", "1_0",
	} {
		if n, ok := Uint([]byte(text)); ok {
			t.Errorf("%q: %d", text, n)
		}
	}
}

func TestIsNumber(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "-0": true, "1.50": true, "-1e+9": true, "1E400": true, "": false, "01": false, "1.": false, "1 ": false, "-": false, "x": false,
	} {
		if IsNumber([]byte(text)) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}

func TestText(t *testing.T) {
	for raw, want := range map[string]string{
		`""`: "", `"abc"`: "abc", `"a\nb"`: "a\nb", `"\"\\\/\b\f\n\r\t"`: "\"\\/\b\f\n\r\t", `"\u0041\u00e9"`: "Aé",
		`"\ud83d\ude00"`: "😀", `"\uD83D\uDE00x"`: "😀x", `"\ud83d"`: "\ufffd", `"\ude00\ud83d"`: "\ufffd\ufffd",
		`"\ud83d\ud83d\ude00"`: "\ufffd😀", `"\ud83d\n"`: "\ufffd\n", `"\ud83dA"`: "\ufffdA", `"\u0000"`: "\x00", `"é\u00e9"`: "éé",
	} {
		if got, ok := Text([]byte(raw)); !ok || got != want {
			t.Errorf("%s: %q, %v, want %q", raw, got, ok, want)
		}
	}
	for _, raw := range []string{``, `"`, `"a`, `a"`, `"a"b"`, `"a" `, ` "a"`, `"\"`, `"\x"`, `"\u12"`, `1`, "\"\x01\"", "\"\xff\"", `"\u00e`, `""""`} {
		if got, ok := AppendText([]byte("kept"), []byte(raw)); ok || string(got) != "kept" {
			t.Errorf("%q: %q, %v", raw, got, ok)
		}
	}
}

func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "abc/é😀": `"abc/é😀"`, "\"\\\b\f\n\r\t": `"\"\\\b\f\n\r\t"`, "\x00\x1f\x7f": "\"\\u0000\\u001f\x7f\"",
		"\u2027\u2028\u2029\u202a": "\"\u2027\\u2028\\u2029\u202a\"", "\xf0\x9f\x98b": "\"\ufffdb\"", "a\xed\xa0\x90": "\"a\ufffd\ufffd\ufffd\"",
	} {
		if got := string(AppendQuoted(nil, text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		if got := string(AppendQuoted([]byte("x"), []byte(text))); got != "x"+want {
			t.Errorf("%q as bytes: %s", text, got)
		}
	}
}

func TestExactText(t *testing.T) {
	for raw, want := range map[string]string{`"a"`: "a", `"\u0041"`: "A", `"\ud83d\ude00"`: "😀", `"\ufffd"`: "\ufffd", `"é"`: "é"} {
		if got, ok := AppendExactText(nil, []byte(raw)); !ok || string(got) != want {
			t.Errorf("%s: %q, %v", raw, got, ok)
		}
	}
	for _, raw := range []string{`"\ud83d"`, `"a\ude00"`, `"\ude00\ud83d"`, `"\ud83d\ud83d\ude00"`, `"`, `1`} {
		if got, ok := AppendExactText([]byte("kept"), []byte(raw)); ok || string(got) != "kept" {
			t.Errorf("%s: %q, %v", raw, got, ok)
		}
	}
}

// The cases are those of Unicode's chapter 3, section 9, and of browsers.
func TestReplaceInvalid(t *testing.T) {
	for src, want := range map[string]string{
		"": "", "aé😀": "aé😀", "\xf0\x9f\x98b": "?b", "\xed\xa0\x90": "???", "\xc0\xaf\xe0\x80\xbf\xf0\x81\x82A": "????????A",
		"\xed\xa0\x80\xed\xbf\xbf\xed\xafA": "????????A", "\xf4\x91\x92\x93\xffA\x80\xbfB": "?????A??B",
		"\xe1\x80\xe2\xf0\x91\x92\xf1\xbfA": "????A", "\xe2\x82": "?", "\xc3": "?", "\xf5": "?", "\xc3\xc3\xa9": "?é",
	} {
		if got := strings.ReplaceAll(string(ReplaceInvalid(nil, []byte(src))), "\ufffd", "?"); got != want {
			t.Errorf("% x: %s, want %s", src, got, want)
		}
	}
}

func TestMembers(t *testing.T) {
	var got []string
	for name, value := range Members([]byte(" {\"a\" : 1 ,\"b\\u0063\":[ 1, {\"x\":\"}\"} ], \"\":{ }, \"a\":\"é\\\"\" } ")) {
		got = append(got, string(name)+"="+string(value))
	}
	if want := `[a=1 bc=[ 1, {"x":"}"} ] ={ } a="é\""]`; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestValue(t *testing.T) {
	for text, want := range map[string]string{
		` {"b":0, "\u0061" : [ 1 ] ,"a":2}`: "[ 1 ]", `{"a":null}`: "null", `{"A":1}`: "", `{"b":{"a":1}}`: "", `["a"]`: "", `"a"`: "", ``: "", `{"a"`: "",
	} {
		if got := string(Value([]byte(text), "a")); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestElements(t *testing.T) {
	var got []string
	for value := range Elements([]byte(" [ 1 , \"a,b\" ,[],{\"a\":1} ] ")) {
		got = append(got, string(value))
	}
	if want := `[1 "a,b" [] {"a":1}]`; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestWalksEndEarly(t *testing.T) {
	for _, text := range []string{``, `1`, `{}`, `[]`, `{`, `[`, `{"a"`, `{"a":`, `{"a":x}`, `{"a":1`, `[1`, `[1x`, `{"a":1,`, `[1,`, `{"\`, "[\"\xff\"]"} {
		n := 0
		for range Members([]byte(text)) {
			n++
		}
		for range Elements([]byte(text)) {
			n++
		}
		if n > 1 {
			t.Errorf("%q: %d parts", text, n)
		}
	}
	for range Members([]byte(`{"a":1,"b":2}`)) {
		break
	}
	for range Elements([]byte(`[1,2]`)) {
		break
	}
}

func TestNamesAliasTheText(t *testing.T) {
	text := []byte(`{"ab":"cd"}`)
	for name, value := range Members(text) {
		if &name[0] != &text[2] || &value[0] != &text[6] || cap(value) != 4 {
			t.Error("name or value is a copy, or reaches behind its end")
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a", "\"\\\n\x00\u2028", "é😀", "\xf0\x9f\x98b", "\xed\xa0\x90"} {
		f.Add([]byte(s))
		f.Add(AppendQuoted(nil, s))
	}
	f.Add([]byte(`"\ud83d\ude00\ud83d"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		quoted := AppendQuoted(nil, b)
		if p, at := Check(quoted, 0); p != OK {
			t.Fatalf("%q: %v at %d", quoted, p, at)
		}
		clean := ReplaceInvalid(nil, b)
		if got, ok := Text(quoted); !ok || got != string(clean) || !utf8.ValidString(got) {
			t.Fatalf("%q comes back as %q, want %q", b, got, clean)
		}
		var want string
		fits := utf8.Valid(b) && len(b) > 0 && b[0] == '"' && b[len(b)-1] == '"' && json.Unmarshal(b, &want) == nil
		if got, ok := Text(b); ok != fits || got != want {
			t.Fatalf("%q: %q, %v, want %q, %v", b, got, ok, want, fits)
		}
	})
}

func FuzzMembers(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"a":1,"a":2,"\u0061":[3,{"b":"c"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got := map[string]string{}
		for name, value := range Members(text) {
			if p, _ := Check(value, len(text)); p != OK {
				t.Fatalf("%q: member %q", text, value)
			}
			got[string(name)] = string(value)
		}
		n := 0
		for value := range Elements(text) {
			n += len(value)
		}
		if n > len(text) {
			t.Fatalf("%q: %d bytes of elements", text, n)
		}
		var want map[string]json.RawMessage
		if p, _ := Check(text, 10_000); p != OK || json.Unmarshal(text, &want) != nil {
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %d members, want %d", text, len(got), len(want))
		}
		for name, value := range want {
			if got[name] != string(value) {
				t.Fatalf("%q: %q is %q, want %q", text, name, got[name], value)
			}
		}
	})
}
