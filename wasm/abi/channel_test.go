package abi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// host drives a channel as a shell does, and keeps what the rows say.
type host struct {
	t       *testing.T
	channel *channel
	rows    table
	now     float64
}

func newHost(t *testing.T, options string) *host {
	o, f := readOptions([]byte(options))
	require.Nil(t, f)
	c, f := newChannel(o)
	require.Nil(t, f)
	return &host{t: t, channel: c}
}

// give is one input; it answers a line for each row: kind, seq, and data of ours,
// or for a cursor row all that it says.
func (h *host) give(kind int32, argument string) []string {
	in := &input{seq: noSeq}
	require.Nil(h.t, rawjson.Read([]byte(argument), events.MaxDepth, unsafe.Pointer(in), inputMembers))
	require.True(h.t, h.channel.perform(kind, moment(h.now, 0), in))
	return h.drain()
}

func (h *host) feed(text string) []string {
	copy(h.channel.link.Reserve(len(text)), text)
	h.channel.link.Received(moment(h.now, 0), len(text))
	return h.drain()
}

func (h *host) drain() (said []string) {
	n := h.channel.drain(&h.rows)
	kept := h.channel.kept
	for i := range h.rows[:n] {
		r := &h.rows[i]
		line := strconv.Itoa(int(r.head & 0xff))
		if r.head&0xff == 13 {
			line += h.place(r)
			if r.length > 0 {
				line += fmt.Sprintf(" proof %x", kept[0])
				require.Equal(h.t, address(kept[0]), r.data)
				require.EqualValues(h.t, 16, r.length)
				kept = kept[1:]
			}
		} else if r.head&(flagOurs<<8) != 0 {
			line += " " + string(kept[0])
			kept = kept[1:]
		} else if r.seq >= 0 {
			line += fmt.Sprint(" seq ", r.seq)
		}
		said = append(said, line)
	}
	return said
}

// place is what a cursor row says.
func (h *host) place(r *row) string {
	session, ok := h.channel.texts.text(r.session)
	require.True(h.t, ok)
	line := " " + session
	if r.head&(flagPlaced<<8) != 0 {
		generation, _ := h.channel.texts.text(r.generation)
		line += fmt.Sprint(" ", r.seq, "@", generation)
	}
	if r.head&(flagDrafts<<8) != 0 {
		line += " drafts"
	}
	return line
}

const opened = `{"status":200,"contentType":"text/event-stream"}`

// A lane is named before it stands anywhere, and its row says whether ephemeral
// output is out: all that another link needs to go on.
func TestCursorRows(t *testing.T) {
	h := newHost(t, `{"sessions":["s1"]}`)
	require.Equal(t, []string{`7 {"cursors":[{"session":"s1","start":"beginning"}]}`, `8 seq 45000`}, h.give(1, "{}"))
	h.give(2, opened)
	require.Equal(t, []string{"13 s1 drafts", "2", "13 s1 drafts"},
		h.feed("data: {\"type\":\"text_delta\",\"sessionId\":\"s1\"}\n\n"))
	require.Equal(t, []string{"1 seq 1", "13 s1 1@g"},
		h.feed("data: {\"type\":\"message\",\"sessionId\":\"s1\",\"seq\":1,\"generation\":\"g\"}\n\n"))

	next := newHost(t, `{"places":[{"session":"s1","seq":1,"generation":"g"}],"owes":["s1"]}`)
	next.give(1, "{}")
	next.give(2, opened)
	require.Equal(t, []string{"13 s1 2@g", "3 seq 1", "1 seq 2", "13 s1 2@g"},
		next.feed("data: {\"type\":\"message\",\"sessionId\":\"s1\",\"seq\":2,\"generation\":\"g\"}\n\n"))
}

// A first load has no position, and gives none to resume from. One
// that fails ends its own session alone, with the fault.
func TestFirstLoadRows(t *testing.T) {
	h := newHost(t, `{"sessions":["s1","s2"],"load":true}`)
	require.Equal(t, []string{"13 s1", `9 {"why":"first"}`, "13 s2", `9 {"why":"first"}`}, h.give(1, "{}"))
	said := h.give(6, `{"lane":0,"error":"offline"}`)
	require.Len(t, said, 1)
	require.True(t, strings.HasPrefix(said[0], `6 {"cause":"failed","fault":{"id":230,"rule":"stream.load_failed",`), said[0])
	said = h.give(6, `{"lane":1,"error":"offline"}`)
	require.Len(t, said, 1)
	require.True(t, strings.HasPrefix(said[0], `11 {"id":230,`), said[0])
}

// A stream that names too much fails in its place, and no session has ended for it.
func TestTooManyNames(t *testing.T) {
	h := newHost(t, `{"cursors":["s1:0"]}`)
	h.give(1, "{}")
	h.give(2, opened)
	var said []string
	for i := range textMost { // the session has a number of its own
		said = h.feed("data: {\"type\":\"t" + strconv.Itoa(i) + "\"}\n\n")
		require.NotEmpty(t, said)
		if i == textMost-2 {
			require.Equal(t, []string{"2"}, said)
		}
	}
	require.Len(t, said, 2)
	require.Equal(t, "10", said[0])
	require.True(t, strings.HasPrefix(said[1], `11 {"id":256,`), said[1])
	require.Empty(t, h.feed("data: {}\n\n"))
}

// What is no input of the seam fails the link once, without an end.
func TestBadInput(t *testing.T) {
	h := newHost(t, `{"cursors":["s1:0"]}`)
	h.give(1, "{}")
	h.channel.reject(&h.rows)
	require.EqualValues(t, []uint32{10, 11}, []uint32{h.rows[0].head & 0xff, h.rows[1].head & 0xff})
	require.Zero(t, h.channel.drain(&h.rows))
}

// A place is what a cursor row said: with base 0 there is none before the first
// event, and then it has no seq.
func TestPlacesAsRowsSaidThem(t *testing.T) {
	for options, want := range map[string]string{
		`{"places":[{"session":"s1","seq":0}]}`:                                   "s1:0",
		`{"places":[{"session":"a:b","seq":7,"generation":"x@y"}]}`:               "a:b:7@x%40y",
		`{"profile":{"base":0},"places":[{"session":"s1","seq":0}]}`:              "s1:1",
		`{"profile":{"base":0},"places":[{"session":"s1"}]}`:                      "s1:0",
		`{"cursors":["s1:1"],"places":[{"session":"s2","seq":9007199254740991}]}`: "s1:1 s2:9007199254740991",
	} {
		o, f := readOptions([]byte(options))
		require.Nil(t, f, options)
		var said []string
		for _, c := range slices.Concat(o.Cursors, o.Places) {
			said = append(said, c.Token(1))
		}
		require.Equal(t, want, strings.Join(said, " "), options)
	}
}

// What options of a link have to be: the value at fault is named.
func TestOptionsAtFault(t *testing.T) {
	for options, found := range map[string]string{
		`{"maxDepth":0}`: `0`, `{"maxDepth":10001}`: `10001`, `{"maxFrame":0}`: `0`, `{"maxFrame":1073741825}`: `1073741825`, `{"owes":"s1"}`: `"s1"`,
		`{"url":"/v1/sessions/s1/events"}`: `the member url`,
	} {
		_, f := readOptions([]byte(options))
		require.NotNil(t, f, options)
		require.Equal(t, found, f.Found)
	}
	_, f := readOptions([]byte(`{"maxFrame":0}`))
	require.Equal(t, "maxFrame: bytes from 1 to 1073741824", f.Expected)
	for _, places := range []string{`{}`, `[1]`, `[{"session":1}]`, `[{"seq":-1}]`, `[{"token":"s1:1"}]`} {
		_, f := readOptions([]byte(`{"places":` + places + `}`))
		require.NotNil(t, f, places)
		require.Equal(t, places, f.Found)
	}
	for _, place := range []string{`{}`, `{"session":""}`, `{"session":"a\u0000","seq":1}`, `{"session":"s1","seq":-2}`, `{"session":"s1","seq":9007199254740992}`} {
		_, f := readOptions([]byte(`{"places":[` + place + `]}`))
		require.NotNil(t, f, place)
		require.Equal(t, fault.InvalidOptions, f.ID, place)
	}
	o, f := readOptions([]byte(`{"maxDepth":10000,"maxFrame":1073741824,"owes":["s1"]}`))
	require.Nil(t, f)
	require.Equal(t, link.MostDepth, o.MaxDepth)
	require.Equal(t, link.MostFrame, o.MaxFrame)
}

// What an app wants proven, and the digests it saved, reach the link as they are.
func TestProofsOfOptions(t *testing.T) {
	o, f := readOptions([]byte(`{"proof":"require","states":true,"credentials":true,
		"cursors":["s1:7"],"proofs":[{"session":"s1","proof":"000102030405060708090a0B0c0d0e0F"},{"session":"s3","proof":"0102030405060708090a0b0c0d0e0f00"}],
		"places":[{"session":"s2","seq":3,"proof":"ffffffffffffffffffffffffffffffff"},{"session":"s3","seq":1}]}`))
	require.Nil(t, f)
	require.True(t, o.States && o.Credentials)
	require.Equal(t, link.Require, o.Proof)
	require.Equal(t, []link.SavedProof{
		{Session: "s1", Digest: [16]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
		{Session: "s2", Digest: [16]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}},
	}, o.Proofs)
	for word, want := range map[string]link.Proof{`{}`: link.ProofByProfile, `{"proof":"prefer"}`: link.Prefer, `{"proof":"off"}`: link.Off} {
		o, f = readOptions([]byte(word))
		require.Nil(t, f)
		require.Equal(t, want, o.Proof, word)
		require.Contains(t, word, o.Proof.String())
	}
	for options, found := range map[string]string{
		`{"proof":"maybe"}`: `"maybe"`, `{"proof":true}`: `true`, `{"states":1}`: `1`, `{"credentials":"omit"}`: `"omit"`,
		`{"proofs":[{"session":"s1"}]}`:                                            `[{"session":"s1"}]`,
		`{"proofs":[{"session":"s1","proof":"00"}]}`:                               `[{"session":"s1","proof":"00"}]`,
		`{"places":[{"session":"s1","proof":"g0000000000000000000000000000000"}]}`: `[{"session":"s1","proof":"g0000000000000000000000000000000"}…`,
	} {
		_, f := readOptions([]byte(options))
		require.NotNil(t, f, options)
		require.Equal(t, found, f.Found)
	}
}

// Rows and inputs of a connection in its surroundings: where it stands, credentials,
// a cursor of the app, and the cursor of what was taken in.
func TestRowsOfStates(t *testing.T) {
	h := newHost(t, `{"cursors":["s1:1"],"states":true,"credentials":true}`)
	require.Equal(t, []string{`7 {"cursors":[{"session":"s1","start":"cursor","token":"s1:1"}]}`, `8 seq 45000`, `16 {"state":"connecting"}`},
		h.give(1, "{}"))
	require.Equal(t, []string{"10", `15 {"status":401}`, `16 {"state":"unauthorized"}`}, h.give(2, `{"status":401}`))
	require.EqualValues(t, []uint32{noLane, noLane}, []uint32{h.rows[1].head >> 16, h.rows[2].head >> 16})
	require.Empty(t, h.give(8, "{}"))
	require.Equal(t, []string{`16 {"state":"offline"}`}, h.give(12, "{}"))
	require.Len(t, h.give(9, "{}"), 3)
	require.Equal(t, []string{`16 {"state":"open"}`}, h.give(2, opened))
	require.Equal(t, []string{"13 s1 2@", "1 seq 2", "13 s1 2@", `17 {"phase":"live"}`},
		h.feed("data: {\"type\":\"message\",\"sessionId\":\"s1\",\"seq\":2}\n\n"))
	require.Equal(t, []string{`18 {"cursor":"s1:1"}`}, h.give(14, `{"lane":0}`))
	require.Equal(t, []string{`18 {"cursor":"s1:2"}`}, h.give(14, `{"lane":0,"seq":2}`))
	require.Empty(t, h.give(10, "{}"))
	require.Equal(t, []string{`8 seq 45000`}, h.give(11, "{}"))
	require.Equal(t, []string{`17 {"phase":"waiting"}`, "10", `7 {"cursors":[{"session":"s1","start":"cursor","token":"s1:9@g"}]}`,
		"8 seq 45000", "13 s1 9@g", `16 {"state":"connecting"}`}, h.give(13, `{"lane":0,"cursor":"s1:9@g"}`))
	h.now = 10
	require.Equal(t, []string{`8 seq 10`, `16 {"state":"waiting","attempt":1,"at":10}`}, h.give(3, `{"error":"reset"}`))
	said := h.give(13, `{"lane":0,"cursor":"s1"}`)
	require.Len(t, said, 3)
	require.Equal(t, `17 {"phase":"ended"}`, said[0])
	require.Contains(t, said[1], `"rule":"stream.invalid_cursor"`)
	require.Equal(t, `16 {"state":"closed"}`, said[2])
	require.Equal(t, []string{`18 {"cursor":"s1:9@g"}`}, h.give(14, `{"lane":0}`), "a state can be saved after the end")
}

// What was not asked for is not told, and 401 is final for an app that cannot be asked.
func TestRowsOfStatesOnlyWhenAsked(t *testing.T) {
	h := newHost(t, `{"cursors":["s1:1"]}`)
	require.Len(t, h.give(1, "{}"), 2)
	said := h.give(2, `{"status":401}`)
	require.Len(t, said, 2)
	require.Contains(t, said[1], `"rule":"stream.unauthorized"`)
}

// The cause of missing credentials may be a secret: it is in no row.
func TestNoCredentialsNoText(t *testing.T) {
	h := newHost(t, `{"cursors":["s1:1"],"credentials":true,"decisions":true}`)
	h.give(1, "{}")
	h.give(2, `{"status":403}`)
	said := strings.Join(h.give(12, `{"error":"token abc123"}`), "\n")
	require.Contains(t, said, `"rule":"stream.unauthorized"`)
	require.NotContains(t, said, "abc123")
}

// Numbers are those of the wire: a stream that begins at 0 has one to save after its
// first event.
func TestMarksOfBaseZero(t *testing.T) {
	h := newHost(t, `{"profile":{"base":0},"sessions":["s1"]}`)
	h.give(1, "{}")
	h.give(2, opened)
	require.Equal(t, []string{"13 s1", "18 {}"}, h.give(14, `{"lane":0}`))
	h.feed("data: {\"type\":\"message\",\"sessionId\":\"s1\",\"seq\":0}\n\n")
	require.Equal(t, []string{"18 {}"}, h.give(14, `{"lane":0}`))
	require.Equal(t, []string{`18 {"cursor":"s1:0"}`}, h.give(14, `{"lane":0,"seq":0}`))
	require.Contains(t, strings.Join(h.give(14, `{"lane":0,"seq":9007199254740991}`), "\n"), `"rule":"stream.bad_input"`)
	require.Len(t, h.give(14, `{"lane":1}`), 1)
}

// A proof is beside the position that it is of, in the row that says where a lane
// stands and in a mark, and can be given back with either.
func TestProofsOnTheSeam(t *testing.T) {
	h := newHost(t, `{"sessions":["s1"]}`)
	h.give(1, `{}`)
	h.give(2, `{"status":200,"contentType":"text/event-stream"}`)
	event := func(seq int, text string) string {
		return fmt.Sprintf(`{"type":"note","sessionId":"s1","seq":%d,"text":%q}`, seq, text)
	}
	said := h.feed("data: " + event(1, "tea") + "\n\ndata: " + event(2, "cake") + "\n\n")
	proof := said[len(said)-1][len("13 s1 2@ proof "):]
	require.Regexp(t, "^[0-9a-f]{32}$", proof)
	require.Equal(t, []string{`18 {"cursor":"s1:2","proof":"` + proof + `"}`}, h.give(14, `{"lane":0,"seq":2}`))

	early := h.give(14, `{"lane":0,"seq":2,"event":`+strconv.Quote(event(1, "tea"))+`}`)
	require.Equal(t, []string{`18 {"cursor":"s1:2","proof":"` + proof + `"}`}, early, "the text of another event than the cursor's")

	for _, options := range []string{
		`{"cursors":["s1:2"],"proofs":[{"session":"s1","proof":"` + proof + `"}],"proof":"require"}`,
		`{"places":[{"session":"s1","seq":2,"proof":"` + proof + `"}]}`,
	} {
		next := newHost(t, options)
		said := next.give(1, `{}`)
		require.Contains(t, said[0], `"token":"s1:1"`)
		require.Contains(t, said, "13 s1 2@ proof "+proof)
		next.give(2, `{"status":200,"contentType":"text/event-stream"}`)
		require.Empty(t, next.feed("data: "+event(2, "cake")+"\n\n"))
		require.Contains(t, next.feed("data: " + event(3, "bun") + "\n\n")[0], "1 seq 3")
	}
}
