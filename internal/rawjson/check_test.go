package rawjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// texts are valid JSON; other tests cut and break them.
var texts = []string{
	`{}`, `[]`, `0`, `-0`, `-1.5e+10`, `12E-3`, `true`, `false`, `null`, `""`, `"a"`, ` 1 `,
	"\t\r\n [ ] \n", `{"a":1}`, `{"a":[{"b":[]},{}],"c":"d"}`, ` { "a" : [ 1 , 2 ] , "b" : { } } `,
	`"\"\\\/\b\f\n\r\t\u0041\ud83d\ude00\ud800"`, `"é😀 日本"`, `["` + strings.Repeat("x", 100) + `",1]`,
	`{"12345":"12345678","é":"","a\u0062":[null,true,false]}`,
	`[[[[[[[[[[1]]]]]]]]]]`, `{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}`,
}

var broken = []struct {
	text    string
	problem Problem
	offset  int
}{
	{``, Truncated, 0}, {`  `, Truncated, 2}, {`{`, Truncated, 1}, {`{"a`, Truncated, 3}, {`{"a"`, Truncated, 4},
	{`{"a":`, Truncated, 5}, {`{"a":1`, Truncated, 6}, {`{"a":1,`, Truncated, 7}, {`[1`, Truncated, 2},
	{`"\`, Truncated, 2}, {`"\u12`, Truncated, 5}, {`-`, Truncated, 1}, {`1.`, Truncated, 2}, {`1e`, Truncated, 2},
	{`1e-`, Truncated, 3}, {`tru`, Truncated, 3}, {`n`, Truncated, 1},
	{`{]`, Syntax, 1}, {`[}`, Syntax, 1}, {`[1}`, Syntax, 2}, {`{"a":1]`, Syntax, 6}, {`{,}`, Syntax, 1},
	{`{"a":1,}`, Syntax, 7}, {`[1,]`, Syntax, 3}, {`[,1]`, Syntax, 1}, {`{"a"1}`, Syntax, 4}, {`{a:1}`, Syntax, 1},
	{`{1:1}`, Syntax, 1}, {`{"a"::1}`, Syntax, 5}, {`{"a":}`, Syntax, 5}, {`[1 2]`, Syntax, 3}, {`01`, Syntax, 1},
	{`-01`, Syntax, 2}, {`+1`, Syntax, 0}, {`.5`, Syntax, 0}, {`1.e1`, Syntax, 2}, {`1ee1`, Syntax, 2}, {`--1`, Syntax, 1},
	{`NaN`, Syntax, 0}, {`Infinity`, Syntax, 0}, {`nul1`, Syntax, 3}, {`tRue`, Syntax, 1}, {`'a'`, Syntax, 0},
	{"\"a\nb\"", Syntax, 2}, {"\"12345678\x00\"", Syntax, 9}, {`"\x41"`, Syntax, 2}, {`"\u00g0"`, Syntax, 5},
	{`"\U0041"`, Syntax, 2}, {"\"\\\xc3\xa9\"", Syntax, 2}, {"\xef\xbb\xbf{}", Syntax, 0}, {"\v1", Syntax, 0}, {"\u00a01", Syntax, 0},
	{`/* */1`, Syntax, 0}, {"[\x00]", Syntax, 1}, {"\x00", Syntax, 0},
	{`1 2`, Trailing, 2}, {`{}{}`, Trailing, 2}, {`"a"b`, Trailing, 3}, {"1\x00", Trailing, 1}, {`{}}`, Trailing, 2},
	{"\"\xff\"", UTF8, 1}, {"\"a\xc3\"", UTF8, 2}, {"\"\xed\xa0\x80\"", UTF8, 1}, {"\"\xc0\x80\"", UTF8, 1},
	{"\"\xf4\x90\x80\x80\"", UTF8, 1}, {"\"é\xe2\x82\"", UTF8, 3}, {"\xff", UTF8, 0}, {"[1,\xff]", UTF8, 3},
	{"{}\xff", UTF8, 2}, {"\"é\" \xff", UTF8, 5}, {"{\"é\":\xff}", UTF8, 6}, {"\"é\xc3", UTF8, 3},
	{"[\"é\",],\"\xff\"]", Syntax, 6}, // the first problem counts, although the other is found before it
	{`[[[[[[[[[[[1]]]]]]]]]]]`, Depth, 10}, {`[[[[[[[[[[{`, Depth, 10},
}

func TestCheckAcceptsJSON(t *testing.T) {
	for _, text := range texts {
		if p, at := Check([]byte(text), 10); p != OK || at != len(text) {
			t.Errorf("%s: %v at %d", text, p, at)
		}
	}
}

func TestCheckNamesTheFirstProblem(t *testing.T) {
	for _, c := range broken {
		if p, at := Check([]byte(c.text), 10); p != c.problem || at != c.offset {
			t.Errorf("%q: %v at %d, want %v at %d", c.text, p, at, c.problem, c.offset)
		}
	}
}

func TestCheckAgreesOnEveryBrokenByte(t *testing.T) {
	for _, text := range texts {
		for i := range text {
			for _, c := range []byte("\x00\x1f\t \"\\{}[],:0-e.u\x7f\x80\xff") {
				b := []byte(text)
				b[i] = c
				agree(t, b)
			}
			agree(t, []byte(text[:i]))
			agree(t, []byte(text[i:]))
		}
	}
}

// agree holds Check against encoding/json, which takes any bytes in strings.
func agree(t *testing.T, text []byte) {
	t.Helper()
	p, at := Check(text, 10_000)
	if want := json.Valid(text) && utf8.Valid(text); (p == OK) != want {
		t.Fatalf("%q: %v at %d, want valid = %v", text, p, at, want)
	}
	if at < 0 || at > len(text) || p != OK && p != Truncated && at == len(text) {
		t.Fatalf("%q: %v at offset %d", text, p, at)
	}
}

func TestCheckDepth(t *testing.T) {
	units := []struct {
		open, close   string
		levels, extra int // of one unit, and of what stands inside the innermost
	}{
		{`[`, `]`, 1, 0}, {`{"a":`, `}`, 1, 0}, {`[{"a":`, `}]`, 2, 0}, {`[{},{"a":[],"b":`, `,"c":0}]`, 2, 1},
	}
	for _, n := range []int{1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 256, 511, 512, 513, 576, 577, 700} {
		for _, u := range units {
			text := []byte(strings.Repeat(u.open, n) + "0" + strings.Repeat(u.close, n))
			levels := n*u.levels + u.extra
			if p, at := Check(text, levels); p != OK {
				t.Errorf("%d levels of %s: %v at %d", levels, u.open, p, at)
			}
			if p, _ := Check(text, levels-1); p != Depth {
				t.Errorf("%d levels of %s, one too many: %v", levels, u.open, p)
			}
		}
	}
	if p, _ := Check([]byte(`1`), 0); p != OK {
		t.Error("a scalar needs no level")
	}
}

func TestCheckMillionBrackets(t *testing.T) {
	const n = 1_000_000
	open := bytes.Repeat([]byte("["), n)
	if p, at := Check(open, 512); p != Depth || at != 512 {
		t.Errorf("%v at %d", p, at)
	}
	if p, at := Check(open, n); p != Truncated || at != n {
		t.Errorf("%v at %d", p, at)
	}
	if p, at := Check(append(open, bytes.Repeat([]byte("]"), n)...), n); p != OK || at != 2*n {
		t.Errorf("%v at %d", p, at)
	}
}

func TestCheckAllocatesNothing(t *testing.T) {
	text := []byte(`{"a":"b\u0041é","c":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}`)
	if n := testing.AllocsPerRun(10, func() { Check(text, 512) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestProblemNames(t *testing.T) {
	seen := map[string]bool{}
	for p := OK; p <= Truncated+1; p++ {
		if s := fmt.Sprint(p); s == "" || seen[s] {
			t.Errorf("problem %d reads %q", uint8(p), s)
		} else {
			seen[s] = true
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	for _, c := range broken {
		f.Add([]byte(c.text))
	}
	f.Fuzz(agree)
}
