package canonical

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

//go:embed testdata/numbers.txt
var numbers string

func canonical(t *testing.T, text string) string {
	t.Helper()
	out, err := Append(nil, []byte(text))
	require.NoError(t, err, "%s", text)
	return string(out)
}

// The sample values of RFC 8785, appendix B: bits of a double and its text.
func TestNumbersOfTheRFC(t *testing.T) {
	for bits, want := range map[uint64]string{
		0x0000000000000000: "0", 0x8000000000000000: "0", 0x0000000000000001: "5e-324", 0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308", 0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992", 0xc340000000000000: "-9007199254740992", 0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22", 0x44b52d02c7e14af6: "1e+23", 0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000", 0x444b1ae4d6e2ef4f: "999999999999999900000", 0x444b1ae4d6e2ef50: "1e+21",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7", 0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332", 0x41b3de4355555554: "333333333.33333325", 0x41b3de4355555555: "333333333.3333333",
		0x41b3de4355555556: "333333333.3333334", 0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333", 0x43143ff3c1cb0959: "1424953923781206.2",
	} {
		require.Equal(t, want, string(appendNumber(nil, math.Float64frombits(bits))))
		require.Equal(t, want, canonical(t, want), "its own form")
		require.Equal(t, want, canonical(t, strconv.FormatFloat(math.Float64frombits(bits), 'e', 25, 64)))
	}
}

// The sample documents of RFC 8785, sections 3.2.2 to 3.2.4.
func TestSamplesOfTheRFC(t *testing.T) {
	require.Equal(t, `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		canonical(t, ` {
			"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
			"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
			"literals": [null, true, false] } `))
	sorted := canonical(t, `{"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
		"\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"}`)
	last := -1
	for _, word := range []string{"Carriage", "One", "Control", "Latin", "Euro", "Emoji", "Hebrew"} {
		at := strings.Index(sorted, word)
		require.Greater(t, at, last, word)
		last = at
	}
}

// TestNumbersAsJavaScript holds numbers of every shape against what JSON.stringify
// made of them; testdata/numbers.mjs wrote the table.
func TestNumbersAsJavaScript(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(numbers), "\n")
	require.Greater(t, len(lines), 1500)
	for _, line := range lines {
		text, want, ok := strings.Cut(line, "\t")
		require.True(t, ok, line)
		require.Equal(t, want, canonical(t, text), text)
		require.Equal(t, want, canonical(t, want), text)
	}
}

func TestForms(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: `{}`, ` [ ] `: `[]`, `[1 , 2,[3 ],{ "a" : [ ] } ]`: `[1,2,[3],{"a":[]}]`, `null`: `null`, `"x"`: `"x"`, ` true`: `true`,
		`{"b":1,"a":{"d":2,"c":[{"z":1,"y":2}]}}`: `{"a":{"c":[{"y":2,"z":1}],"d":2},"b":1}`,
		`{"":1,"a":2,"aa":3,"A":4}`:               `{"":1,"A":4,"a":2,"aa":3}`,
		`{"\u0061":1}`:                            `{"a":1}`,
		"\"\u2028\u007f\"":                        "\"\u2028\u007f\"",
		`"\u0000\u001F\b\t\n\f\r\u000b\/"`:        `"\u0000\u001f\b\t\n\f\r\u000b/"`,
		`"\ud83d\ude00\uffff"`:                    "\"\U0001f600\uffff\"",
		`{"\ufb33":1,"\ud83d\ude00":2}`:           "{\"\U0001f600\":2,\"\ufb33\":1}",
		`9007199254740991`:                        `9007199254740991`, `-9007199254740994`: `-9007199254740994`,
		`1000000000000000000000`: `1e+21`, `1.50e1`: `15`,
	} {
		require.Equal(t, want, canonical(t, text))
		require.Equal(t, want, canonical(t, want), "the form of a form is itself")
	}
}

// What has no canonical form is refused, and nothing is written.
func TestRefused(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1)
	for text, found := range map[string]string{
		``: "ends", `{`: "ends", `{"a":1} x`: "", "\"\xff\"": "", `{a:1}`: "", `nul`: "", `01`: "", deep: "",
		`{"a":1,"b":2,"a":1}`:     "a second a",
		`{"a":1,"\u0061":2}`:      "a second a",
		`[{"x":{"q":1,"q":1}}]`:   "a second q",
		`"\ud83d"`:                "surrogate",
		`{"\ude00":1}`:            "surrogate",
		`["\ud83d\u0041"]`:        "surrogate",
		`1e309`:                   "1e309",
		`-1e400`:                  "-1e400",
		`[1e-400]`:                "1e-400",
		`-0.1e-330`:               "-0.1e-330",
		`9007199254740993`:        "9007199254740993",
		`{"n":-9007199254740993}`: "-9007199254740993",
		`12345678901234567890123`: "12345678901234567890123",
	} {
		out, err := Append([]byte("before"), []byte(text))
		require.ErrorIs(t, err, fault.BadInput, text)
		require.ErrorContains(t, err, found, text)
		require.Equal(t, "before", string(out), text)
	}
	canonical(t, deep[1:len(deep)-1])
}

// FuzzAppend: a canonical form is a fixed point, means the same as its source, and
// nothing panics.
func FuzzAppend(f *testing.F) {
	for _, seed := range []string{`{"b":[1,2.50,{"z":null,"y":"\u00e9"}],"a":-0}`, `{"a":1,"a":2}`, `"\ud800"`, `1e400`, `[`, `{"\ufb33":1,"\ud83d\ude00":2}`, `123456789012345678`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		out, err := Append(nil, text)
		if err != nil {
			require.ErrorIs(t, err, fault.BadInput)
			return
		}
		again, err := Append(nil, out)
		require.NoError(t, err)
		require.Equal(t, string(out), string(again))
		var a, b any
		require.NoError(t, json.Unmarshal(text, &a))
		require.NoError(t, json.Unmarshal(out, &b))
		require.Equal(t, a, b)
		require.False(t, bytes.ContainsAny(out, "\n\r\t"))
	})
}
