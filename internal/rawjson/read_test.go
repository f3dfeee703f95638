package rawjson

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// sheet has a field of each kind that a table can fill.
type sheet struct {
	name   string
	open   bool
	count  int
	list   []string
	choice uint8
	inner  struct{ note string }
}

var sheetMembers = []Member{
	{Name: "name", Offset: unsafe.Offsetof(sheet{}.name), Read: ReadText, Words: "text"},
	{Name: "open", Offset: unsafe.Offsetof(sheet{}.open), Read: ReadBool, Words: "true or false"},
	{Name: "count", Offset: unsafe.Offsetof(sheet{}.count), Read: ReadInt},
	{Name: "list", Offset: unsafe.Offsetof(sheet{}.list), Read: ReadTexts},
	{Name: "choice", Offset: unsafe.Offsetof(sheet{}.choice), Read: ReadChoice, Words: "one or two or three"},
	{Name: "inner", Offset: unsafe.Offsetof(sheet{}.inner), Read: readInner},
	{Name: "passed"},
}

var innerMembers = []Member{
	{Name: "note", Read: ReadText},
	{}, // any other
}

func readInner(into unsafe.Pointer, raw []byte, _ string) bool {
	return ReadValue(raw, into, innerMembers) == nil
}

func read(text string) (*sheet, *Unread) {
	s := new(sheet)
	return s, Read([]byte(text), 8, unsafe.Pointer(s), sheetMembers)
}

func TestReadFillsEveryKind(t *testing.T) {
	s, u := read(` {"count": 9007199254740991, "n\u0061me": "\u00e4\n", "open": true, "list": ["a", "", "\u0062"],
		"choice": "three", "inner": {"else": [1], "note": "n", "note": "m"}, "passed": {"x": null}} `)
	require.Equal(t, &Unread{Blame: BlameKind}, u, "an object with white space before it is for the caller to trim")

	s, u = read(`{"count": 9007199254740991, "n\u0061me": "\u00e4\n", "open": true, "list": ["a", "", "\u0062"],
		"choice": "three", "inner": {"else": [1], "note": "n", "note": "m"}, "passed": {"x": null}} `)
	require.Nil(t, u)
	want := &sheet{name: "ä\n", open: true, count: 9007199254740991, list: []string{"a", "", "b"}, choice: 2}
	want.inner.note = "m"
	require.Equal(t, want, s)

	s, u = read(`{}`)
	require.Nil(t, u)
	require.Equal(t, new(sheet), s)

	s, u = read(`{"list":[],"open":false,"choice":"one"}`)
	require.Nil(t, u)
	require.Equal(t, &sheet{list: []string{}}, s, "an empty list is a list")
}

func TestReadSaysWhatIsToBlame(t *testing.T) {
	value := func(name, words, raw string) *Unread {
		return &Unread{Blame: BlameValue, Name: name, Words: words, Raw: []byte(raw)}
	}
	for text, want := range map[string]*Unread{
		``:                            {Problem: Truncated},
		`{"name":"a"`:                 {Problem: Truncated, At: 11},
		`{"name":"a"} x`:              {Problem: Trailing, At: 13},
		`{"inner":[[[[[[[[1]]]]]]]]}`: {Problem: Depth, At: 16},
		`[]`:                          {Blame: BlameKind},
		`"name"`:                      {Blame: BlameKind},
		`{"nam":1}`:                   {Blame: BlameName, Name: "nam"},
		`{"":1}`:                      {Blame: BlameName},
		`{"name":1}`:                  value("name", "text", `1`),
		`{"name":null}`:               value("name", "text", `null`),
		`{"open":"true"}`:             value("open", "true or false", `"true"`),
		`{"open":1}`:                  value("open", "true or false", `1`),
		`{"count":-1}`:                value("count", "", `-1`),
		`{"count":1.0}`:               value("count", "", `1.0`),
		`{"count":9007199254740992}`:  value("count", "", `9007199254740992`),
		`{"list":"a"}`:                value("list", "", `"a"`),
		`{"list":["a",1]}`:            value("list", "", `["a",1]`),
		`{"choice":"four"}`:           value("choice", "one or two or three", `"four"`),
		`{"choice":"one or two"}`:     value("choice", "one or two or three", `"one or two"`),
		`{"choice":""}`:               value("choice", "one or two or three", `""`),
		`{"choice":0}`:                value("choice", "one or two or three", `0`),
		`{"inner":{"note":2}}`:        value("inner", "", `{"note":2}`),
		`{"inner":"note"}`:            value("inner", "", `"note"`),
	} {
		_, u := read(text)
		require.Equal(t, want, u, text)
	}
}

func TestReadKeepsWhatCameBefore(t *testing.T) {
	s, u := read(`{"name":"a","count":2,"nam":1,"open":true}`)
	require.Equal(t, "nam", u.Name)
	require.Equal(t, &sheet{name: "a", count: 2}, s)
}

func TestEach(t *testing.T) {
	var seen []string
	show := func(element []byte) bool {
		seen = append(seen, string(element))
		return string(element) != "3"
	}
	require.True(t, Each([]byte(`[1, {"a":[2]} ,"]"]`), show))
	require.Equal(t, []string{"1", `{"a":[2]}`, `"]"`}, seen)
	require.True(t, Each([]byte(`[]`), show))
	require.False(t, Each([]byte(`{}`), show))
	seen = nil
	require.False(t, Each([]byte(`[1,3,5]`), show))
	require.Equal(t, []string{"1", "3"}, seen)
}

func TestHolds(t *testing.T) {
	text := []byte("0123456789abcdefghi")
	for n := range text {
		require.True(t, Holds(text[:n+1], text[n]), n)
		require.False(t, Holds(text[:n], text[n]), n)
		require.False(t, Holds(text[:n], 0), n)
	}
	require.True(t, Holds([]byte("\x80\x01\x00\x80\x01\x80\x01\x80"), 0))
	require.False(t, Holds([]byte("\x80\x01\x81\x80\x01\x80\x01\x80"), 0))
}
