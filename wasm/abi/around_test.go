package abi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const framedStream = "data: {\"type\":\"x\"}\n\ndata: {\"type\":\"x\"}\n\nid: a\ndata: {\"type\":\"x\"}\n\nevent: é\ndata: {\"type\":\"x\"}\n\n" +
	"event: é\ndata: {\"type\":\"x\"}\n\nevent: ping\ndata: \"\x01\n\nid\ndata: {\"type\":\"x\"}\n\n"

// a row before each event that comes in another frame than the one before it.
func TestFrameRows(t *testing.T) {
	h := newHost(t, `{"frames":true}`)
	h.give(1, `{}`)
	h.give(2, `{"status":200,"contentType":"text/event-stream"}`)
	require.Equal(t, []string{
		`20 {}`, "2", "2",
		`20 {"id":"a"}`, "2",
		`20 {"name":"é","id":"a"}`, "2", "2",
		"21 {\"name\":\"ping\",\"id\":\"a\",\"data\":\"\\\"\\u0001\"}",
		`20 {}`, "2",
	}, h.feed(framedStream))

	plain := newHost(t, `{}`)
	plain.give(1, `{}`)
	plain.give(2, `{"status":200,"contentType":"text/event-stream"}`)
	require.Equal(t, []string{"2", "2", "2", "2", "2", "2"}, plain.feed(framedStream))
}

// A row of a frame takes a place in the table; the event behind it may come with the
// next drain.
func TestFrameRowsOverflow(t *testing.T) {
	h := newHost(t, `{"frames":true}`)
	h.give(1, `{}`)
	h.give(2, `{"status":200,"contentType":"text/event-stream"}`)
	text := ""
	for i := range rowCount {
		text += "id: " + string(rune('a'+i%2)) + "\ndata: {\"type\":\"x\"}\n\n"
	}
	copy(h.channel.link.Reserve(len(text)), text)
	h.channel.link.Received(moment(0, 0), len(text))
	events, frames := 0, 0
	for n := rowCount; n == rowCount; {
		n = h.channel.drain(&h.rows)
		for _, r := range h.rows[:n] {
			switch r.head & 0xff {
			case 2:
				events++
				require.Equal(t, frames, events, "each behind its frame")
			case 20:
				frames++
			}
		}
	}
	require.Equal(t, [2]int{rowCount, rowCount}, [2]int{events, frames})
}

//
func TestSingleOption(t *testing.T) {
	h := newHost(t, `{"single":true}`)
	h.give(1, `{}`)
	h.give(2, `{"status":200,"contentType":"text/event-stream"}`)
	require.Equal(t, []string{`6 {"cause":"incomplete"}`}, h.give(3, `{}`))
}
