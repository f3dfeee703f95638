package sse

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// said is one message in the short form of the tables: type|id|data, where the
// id is - when the block had none.
func said(ms []message) string {
	var b strings.Builder
	for _, m := range ms {
		id := "-"
		if m.HasID {
			id = m.ID
		}
		f := Frame{Event: []byte(m.Event)}
		b.WriteString("[" + string(f.Type()) + "|" + id + "|" + m.Data + "]")
	}
	return b.String()
}

// The rules of the WHATWG standard, one line for each. Every row is fed in every
// cut. last is "" and tail false unless given.
var rules = []struct {
	name, stream, want, last string
	tail                     bool
}{
	{name: "nothing", stream: ""},
	{name: "one message", stream: "data: a\n\n", want: "[message|-|a]"},
	{name: "type, id, data", stream: "event: e\nid: 1\ndata: a\n\n", want: "[e|1|a]", last: "1"},
	{name: "fields in any order", stream: "data: a\nid: 1\nevent: e\n\n", want: "[e|1|a]", last: "1"},

	// R-161: line ends.
	{name: "CR ends lines", stream: "id: 1\rdata: a\r\rdata: b\r\r", want: "[message|1|a][message|-|b]", last: "1"},
	{name: "CRLF ends lines", stream: "id: 1\r\ndata: a\r\n\r\ndata: b\r\n\r\n", want: "[message|1|a][message|-|b]", last: "1"},
	{name: "line ends mixed", stream: "id: 1\rdata: a\ndata: b\r\n\rdata: c\n\r\n", want: "[message|1|a\nb][message|-|c]", last: "1"},
	{name: "CR CR is a line end and a blank line", stream: "data: a\r\rdata: b\n\n", want: "[message|-|a][message|-|b]"},
	{name: "LF CR is a line end and a blank line", stream: "data: a\n\rdata: b\n\n", want: "[message|-|a][message|-|b]"},
	{name: "CR LF is one line end", stream: "data: a\r\ndata: b\n\n", want: "[message|-|a\nb]"},
	{name: "CR CR LF is a line end and a blank line", stream: "data: a\r\r\ndata: b\n\n", want: "[message|-|a][message|-|b]"},
	{name: "CR LF LF ends the block", stream: "data: a\r\n\ndata: b\n\n", want: "[message|-|a][message|-|b]"},
	{name: "LF CR LF ends the block", stream: "data: a\n\r\ndata: b\n\n", want: "[message|-|a][message|-|b]"},
	{name: "a CR inside a line ends it", stream: "data: a\rb: c\n\n", want: "[message|-|a]"},
	{name: "blank lines alone", stream: "\n\r\r\n\n\r"},
	{name: "NEL, LS, PS, VT, FF, NUL end no line", stream: "data: a\u0085b\u2028c\u2029d\ve\ff\x00g\n\n", want: "[message|-|a\u0085b\u2028c\u2029d\ve\ff\x00g]"},

	// the byte order mark.
	{name: "byte order mark", stream: "\uFEFFdata: a\n\n", want: "[message|-|a]"},
	{name: "byte order mark alone", stream: "\uFEFF"},
	{name: "byte order mark and blank line", stream: "\uFEFF\n"},
	{name: "second byte order mark belongs to the name", stream: "\uFEFF\uFEFFdata: a\ndata: b\n\n", want: "[message|-|b]"},
	{name: "byte order mark later belongs to the name", stream: "data: a\n\n\uFEFFdata: b\n\ndata: c\n\n", want: "[message|-|a][message|-|c]"},
	{name: "byte order mark after a blank line", stream: "\n\uFEFFdata: a\ndata: b\n\n", want: "[message|-|b]"},
	{name: "byte order mark in data stays", stream: "data: \uFEFFa\n\n", want: "[message|-|\uFEFFa]"},
	{name: "half a byte order mark is a name", stream: "\xEF\xBBdata: a\ndata: b\n\n", want: "[message|-|b]"},
	{name: "half a byte order mark at the end", stream: "\xEF\xBB", tail: true},
	{name: "byte order mark before a comment", stream: "\uFEFF: c\ndata: a\n\n", want: "[message|-|a]"},

	// fields.
	{name: "no colon means an empty value", stream: "data\n\n", want: "[message|-|]"},
	{name: "empty value", stream: "data:\n\n", want: "[message|-|]"},
	{name: "one space is dropped", stream: "data: \n\ndata:  a\n\n", want: "[message|-|][message|-| a]"},
	{name: "no space is fine", stream: "data:a\nid:1\nevent:e\n\n", want: "[e|1|a]", last: "1"},
	{name: "a tab is not a space", stream: "data:\ta\n\n", want: "[message|-|\ta]"},
	{name: "spaces at the end stay", stream: "data: a  \nid: 1 \nevent: e \n\n", want: "[e |1 |a  ]", last: "1 "},
	{name: "colons in values", stream: "id: s:1\ndata: a: b:\n\n", want: "[message|s:1|a: b:]", last: "s:1"},
	{name: "value that begins with a colon", stream: "data::a\n\n", want: "[message|-|:a]"},
	{name: "names are case-sensitive", stream: "Data: a\nDATA: b\nID: 1\nEvent: e\ndata: c\n\n", want: "[message|-|c]"},
	{name: "space before the name", stream: " data: a\ndata: b\n\n", want: "[message|-|b]"},
	{name: "space behind the name", stream: "data : a\ndata: b\n\n", want: "[message|-|b]"},
	{name: "unknown fields", stream: "dat: 1\ndatax: 2\nx\nidx: 3\nevents: 4\ndata: a\n\n", want: "[message|-|a]"},
	{name: "unknown fields alone", stream: "x: 1\n\ny\n\n"},

	// data.
	{name: "data lines are joined", stream: "data: a\ndata: b\ndata: c\n\n", want: "[message|-|a\nb\nc]"},
	{name: "empty data lines are kept", stream: "data:\ndata: a\ndata\ndata: \n\n", want: "[message|-|\na\n\n]"},
	{name: "two empty data lines", stream: "data\ndata\n\n", want: "[message|-|\n]"},
	{name: "long data moves over fields between", stream: "data: a\nid: 12345\nevent: name\ndata: bbbbbbbbbbbbbbbbbbbbbbbbbbbb\n\ndata: c\n\n", want: "[name|12345|a\nbbbbbbbbbbbbbbbbbbbbbbbbbbbb][message|-|c]", last: "12345"},
	{name: "empty id and type between data", stream: "id: 1\ndata: a\nid\nevent:\ndata: bbbbbbbbbbb\n\n", want: "[message||a\nbbbbbbbbbbb]"},

	{name: "no data, no message", stream: "event: e\n\ndata: a\n\n", want: "[message|-|a]"},
	{name: "the type does not outlive its block", stream: "event: e\ndata: a\n\ndata: b\n\n", want: "[e|-|a][message|-|b]"},
	{name: "the last type wins", stream: "event: e\nevent: f\ndata: a\n\n", want: "[f|-|a]"},
	{name: "empty type is message", stream: "event: e\nevent\ndata: a\n\n", want: "[message|-|a]"},

	// ids.
	{name: "the last id stays", stream: "id: 1\ndata: a\n\ndata: b\n\n", want: "[message|1|a][message|-|b]", last: "1"},
	{name: "id without data counts", stream: "id: 1\n\ndata: a\n\n", want: "[message|-|a]", last: "1"},
	{name: "the last id of a block wins", stream: "id: 1\nid: 2\ndata: a\nid: 3\n\n", want: "[message|3|a]", last: "3"},
	{name: "empty id resets", stream: "id: 1\ndata: a\n\nid\ndata: b\n\ndata: c\n\n", want: "[message|1|a][message||b][message|-|c]"},
	{name: "id with NUL is ignored", stream: "id: 1\ndata: a\n\nid: 2\x00\ndata: b\n\nid: \x00\ndata: c\n\n", want: "[message|1|a][message|-|b][message|-|c]", last: "1"},
	{name: "id with NUL leaves the one before", stream: "id: 1\nid: 2\x003\ndata: a\n\n", want: "[message|1|a]", last: "1"},

	// comments.
	{name: "comments anywhere", stream: ":\n: a\ndata: a\n:b: c\ndata: b\n::\n\n: d\n\n", want: "[message|-|a\nb]"},
	{name: "a comment ends no block", stream: "id: 1\n: c\ndata: a\n\n", want: "[message|1|a]", last: "1"},
	{name: "data in a comment", stream: ":data: a\n\n: data: b\rdata: c\n\n", want: "[message|-|c]"},

	// the end.
	{name: "unfinished block", stream: "id: 1\ndata: a\n\nid: 2\ndata: b\n", want: "[message|1|a]", last: "1", tail: true},
	{name: "unfinished line", stream: "id: 1\ndata: a\n\nid: 2", want: "[message|1|a]", last: "1", tail: true},
	{name: "one byte of a line", stream: "data: a\n\nd", want: "[message|-|a]", tail: true},
	{name: "end behind a CR that closes the block", stream: "data: a\r\n\r", want: "[message|-|a]"},
	{name: "end behind a CR that ends a line", stream: "data: a\r", tail: true},
	{name: "end behind a CRLF that ends a line", stream: "data: a\r\n", tail: true},
	{name: "end behind a lone CR pair", stream: "data: a\r\r", want: "[message|-|a]"},
	{name: "end behind a type", stream: "event: e\n", tail: true},
	{name: "end behind a comment", stream: "data: a\n\n: c\n", want: "[message|-|a]"},
	{name: "end in a comment", stream: "data: a\n\n: c", want: "[message|-|a]"},
	{name: "end in a comment inside a block", stream: "data: a\n: c", tail: true},

	{name: "bytes pass as they are", stream: "data: \xff\xc3\xe2\x82\xf0\x9f\x98\xed\xa0\x80\ndata: \x80\nid: \xfe\n\n", want: "[message|\xfe|\xff\xc3\xe2\x82\xf0\x9f\x98\xed\xa0\x80\n\x80]", last: "\xfe"},
	{name: "bytes behind a frame survive", stream: "data: a\n\ndata: b\n\ndata: c", want: "[message|-|a][message|-|b]", tail: true},
}

func TestRules(t *testing.T) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			got := sameOnEverySplit(t, r.stream, 0)
			require.Equal(t, r.want, said(got.Messages))
			require.Equal(t, r.last, got.Last)
			require.Equal(t, r.tail, got.Tail)
			require.Equal(t, int64(-1), got.FaultAt)
		})
	}
}

// All rows, one behind the other on one connection, are what they are alone.
func TestRulesInOneStream(t *testing.T) {
	var stream, want strings.Builder
	for _, r := range rules {
		if strings.Contains(r.name, "byte order mark") || r.tail {
			continue
		}
		stream.WriteString("id\n\n" + r.stream + "\n\n")
		want.WriteString(r.want)
	}
	require.Equal(t, want.String(), said(sameOnEverySplit(t, stream.String(), 0).Messages))
}

// for one that the end cuts off.
func TestRetry(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		want         int64
	}{
		{"none", "data: a\n\n", -1},
		{"digits", "retry: 1500\n\n", 1500},
		{"zero", "retry: 0\n\n", 0},
		{"leading zeros", "retry: 00000000000000000000000000007\n\n", 7},
		{"no space", "retry:12\n\n", 12},
		{"two spaces", "retry:  12\n\n", -1},
		{"space behind", "retry: 12 \n\n", -1},
		{"empty", "retry:\nretry\nretry: \n\n", -1},
		{"signs", "retry: -5\nretry: +5\n\n", -1},
		{"fraction", "retry: 1.5\nretry: 1e3\nretry: 0x10\nretry: 1_000\n\n", -1},
		{"other digits", "retry: 700\nretry: \u0667\u0660\nretry: \uff11\n\n", 700},
		{"NUL", "retry: 5\x00\n\n", -1},
		{"the last one", "retry: 1\nretry: 2\n\nretry: 3\n\n", 3},
		{"the last valid one", "retry: 1\nretry: x\n\nretry:\n\n", 1},
		{"largest", "retry: 9007199254740991\n\n", 1<<53 - 1},
		{"too large", "retry: 9\nretry: 9007199254740992\n\n", 9},
		{"far too large", "retry: 9\nretry: " + strings.Repeat("9", 400) + "\n\n", 9},
		{"wraps around 64 bits", "retry: 9\nretry: 18446744073709551617\n\n", 9},
		{"case", "Retry: 5\n\n", -1},
		{"counts with its line", "retry: 5\n", 5},
		{"not before its line ends", "retry: 5", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, sameOnEverySplit(t, c.stream, 0).Retry)
		})
	}
}

func TestRetryOfAFrame(t *testing.T) {
	got := sameOnEverySplit(t, "retry: 7\n\ndata: a\n\nretry: 8\nretry: x\ndata: b\n\nretry: y\ndata: c\n\n", 0)
	require.Equal(t, []int64{-1, 8, -1}, []int64{got.Messages[0].Retry, got.Messages[1].Retry, got.Messages[2].Retry})
	require.Equal(t, int64(8), got.Retry)
}

func TestCommentsAreCounted(t *testing.T) {
	require.Equal(t, int64(5), sameOnEverySplit(t, ":\n: a\r\n\r\ndata: a\n::\n:\r:\n\n: unfinished", 0).Comments)
}

// The last id is the one of the moment: it moves when a block ends, not earlier.
func TestLastEventIDBelongsToTheFrame(t *testing.T) {
	got := sameOnEverySplit(t, "data: a\n\nid: 1\ndata: b\n\nid: 2\n\ndata: c\n\nid\ndata: d\n\nid: 3\ndata: e", 0)
	var last []string
	for _, m := range got.Messages {
		last = append(last, m.Last)
	}
	require.Equal(t, []string{"", "1", "2", ""}, last)
	require.Equal(t, "", got.Last)
}

func TestOffsets(t *testing.T) {
	stream := "\uFEFF: c\n\ndata: a\n\n: c\nid: 1\r\ndata: b\r\n\r\n\n\ndata: c\n\n"
	got := sameOnEverySplit(t, stream, 0)
	var at []string
	for _, m := range got.Messages {
		at = append(at, stream[m.Start:m.End])
	}
	require.Equal(t, []string{"data: a\n\n", "id: 1\r\ndata: b\r\n\r", "data: c\n\n"}, at)
}
