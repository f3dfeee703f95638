package fault_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestDetailsSet(t *testing.T) {
	d := fault.Details("").Set("a", "x\"y").SetNumber("n", fault.Int(0)).SetJSON("j", " [1, {}] ")
	assert.Equal(t, fault.Details(`{"a":"x\"y","n":0,"j":[1, {}]}`), d)
	assert.Equal(t, fault.Details(`{"n":0,"j":[1, {}],"a":"z"}`), d.Set("a", "z"), "one of that name only")
	assert.Equal(t, d, d.SetNumber("m", ""), "an absent number changes nothing")
	assert.Equal(t, fault.Details(`{"j":"[1,"}`), fault.Details("").SetJSON("j", "[1,"), "not JSON: kept as text")
	assert.Equal(t, fault.Details(`{"\u0061":1,"b":2}`).Set("a", "x"), fault.Details(`{"b":2,"a":"x"}`))
}

func TestDetailsRead(t *testing.T) {
	d := fault.Details(`{"status":429,"st\u0061tus":503,"code":"a\n","big":12345678901234567890.10,"null":null}`)
	n, ok := d.Number("status")
	assert.True(t, ok)
	assert.Equal(t, fault.Number("503"), n, "the last of a name, as JSON.parse has it")
	text, ok := d.Text("code")
	assert.True(t, ok)
	assert.Equal(t, "a\n", text)
	n, _ = d.Number("big")
	assert.Equal(t, fault.Number("12345678901234567890.10"), n, "no digit is lost")
	raw, ok := d.JSON("null")
	assert.True(t, ok)
	assert.Equal(t, "null", raw)
	for _, name := range []string{"missing", "code", "null", "Status"} {
		_, ok = d.Number(name)
		assert.False(t, ok, name)
	}
	_, ok = d.Text("status")
	assert.False(t, ok)
}

func TestDetailsPassByteForByte(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"a":1.0e+2,"a":-0,"\ud800":"\u2028"}`, `{ "x" : [ 1 , { "b" : false } ] }`, `{"ü":"水"}`,
		`{"deep":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}`,
	} {
		e := fault.Coded(fault.CodeToolError, "m").WithDetails(fault.Details(text))
		got := fault.Normalize(e)
		assert.Equal(t, fault.Details(text), got.Details)
		assert.Contains(t, string(got.AppendJSON(nil)), `"details":`+text+`,`)
	}
}

func TestDetailsThatAreNone(t *testing.T) {
	for _, text := range []string{"x", "[1]", "7", `{"a":1}{}`, `{"a":`, "\xff", `{"a":"` + "\n" + `"}`, "null"} {
		d := fault.Details(text)
		got := fault.Normalize(fault.Coded(fault.CodeToolError, "m").WithDetails(d))
		var wire map[string]any
		require.NoError(t, json.Unmarshal(got.AppendJSON(nil), &wire), text)
		assert.Contains(t, wire["details"], "malformed", text)
		_, ok := d.Number("a")
		assert.False(t, ok)
		text, ok := d.Set("b", "c").Text("b")
		assert.True(t, ok)
		assert.Equal(t, "c", text)
	}
}

func FuzzDetails(f *testing.F) {
	for _, seed := range []string{`{}`, `{"status":429}`, `{"a":{"b":[null,true]}}`, `{"a":1,"a":2}`, `[]`, `{"a"`, "\xff", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e := fault.Coded(fault.CodeProviderError, text).WithDetails(fault.Details(text))
		normal := fault.Normalize(e)
		require.True(t, json.Valid(normal.AppendJSON(nil)))
		facts := fault.FactsOf(e)
		require.True(t, json.Valid(facts.AppendJSON(nil)))
		got, ok := normal.Details.Set("k", text).Text("k")
		require.True(t, ok)
		require.Equal(t, strings.ToValidUTF8(text, "�") == text, got == text)
	})
}
