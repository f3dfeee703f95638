package abi

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/relay"
)

func (m *Relays) openWith(options string) int32 {
	copy(m.Input(len(options)), options)
	return m.Open(len(options))
}

// edgeHost does what rows say, as a host reads them.
type edgeHost struct {
	*Relays
	t    *testing.T
	h    int32
	came string
	out  strings.Builder
	told []string // kind and data of what is not passed on
}

func openEdge(t *testing.T, options string) *edgeHost {
	e := &edgeHost{Relays: new(Relays), t: t}
	e.h = e.openWith(options)
	require.Positive(t, e.h, string(e.Output()))
	return e
}

func (e *edgeHost) feed(chunk string) (calls int) {
	e.came += chunk
	require.Equal(e.t, len(chunk), copy(e.Arrival(), chunk))
	return e.take(e.Feed(e.h, len(chunk)))
}

// take reads the rows until there are no more, and answers how often it had to ask.
func (e *edgeHost) take(n int) (calls int) {
	for calls = 1; ; calls++ {
		texts := e.passage(e.h).data
		for i := range e.table.rows[:n] {
			row := &e.table.rows[i]
			var data string
			if row.length > 0 {
				require.Equal(e.t, address(texts[0]), row.data)
				require.Len(e.t, texts[0], int(row.length))
				data, texts = string(texts[0]), texts[1:]
			}
			e.do(row, data)
		}
		if n < orderCount {
			return calls
		}
		n = e.Next(e.h)
	}
}

func (e *edgeHost) do(row *orderRow, data string) {
	switch row.kind {
	case uint32(relay.Pass):
		e.out.WriteString(e.came[int(row.from):int(row.to)])
	case uint32(relay.Insert):
		e.out.WriteString(data)
	case moveOrder:
		e.told = append(e.told, fmt.Sprint(row.kind, " ", row.lane, " ", row.from))
	default:
		e.told = append(e.told, fmt.Sprint(row.kind, " ", data))
	}
}

func recorded(seq int) string {
	return fmt.Sprintf("id: s:%d\ndata: {\"type\":\"x\",\"sessionId\":\"s\",\"seq\":%d,\"n\":1}\n\n", seq, seq)
}

// A relay from its options to its end, through the calls that the module exports.
func TestRelaysFromOpenToClose(t *testing.T) {
	e := openEdge(t, `{"sessions":["s"],"lastEventId":"s:1","verdicts":true}`)
	assert.Equal(t, 0, e.Begin(e.h))
	e.feed(recorded(2) + recorded(4))
	assert.True(t, strings.HasPrefix(e.out.String(), recorded(2)+"event: tidemark.refused\n"))
	require.Len(t, e.told, 5)
	assert.Contains(t, e.told[0], `3 {"session":"s","verdict":"accept"`)
	assert.Contains(t, e.told[1], `3 {"session":"s","verdict":"gap"`)
	assert.Contains(t, e.told[2], `3 {"session":"s","verdict":"unavailable"`)
	assert.Equal(t, `4 {"session":"s","seq":2,"over":true}`, e.told[3])
	assert.Equal(t, `5 `, e.told[4])
	assert.Equal(t, float64(len(recorded(2)+recorded(4))), e.table.mark)
	e.Close(e.h)
	for name, n := range map[string]int{
		"feed": e.Feed(e.h, 0), "next": e.Next(e.h), "begin": e.Begin(e.h), "closed": e.Closed(e.h, false),
		"page": e.Page(e.h, 0, pageFresh), "never given out": e.Feed(77, 0), "zero": e.Feed(0, 0), "below": e.Feed(-1, 0),
	} {
		assert.Equal(t, dead, n, name)
	}
	e.Close(e.h)
}

// What cannot be opened is answered as a consumer gets it, and names what is wrong.
func TestRelaysAnswerWhatTheyCannotTake(t *testing.T) {
	var m Relays
	for options, want := range map[string]string{
		``:                                   "invalid_options",
		`[]`:                                 "invalid_options",
		`{"speed":1}`:                        "speed",
		`{"sessions":"s"}`:                   "sessions",
		`{"mode":"guess"}`:                   "mode",
		`{"maxFrame":0}`:                     "maxFrame",
		`{"pageSize":-1}`:                    "pageSize",
		`{"pageSize":65537}`:                 "pageSize: events from 1 to 65536",
		`{"maxDepth":10001}`:                 "maxDepth: levels from 1 to 10000",
		`{"places":[{}]}`:                    "places",
		`{"places":[{"session":"s","x":1}]}`: "places",
		`{"places":[{"session":"s","seq":9007199254740993}]}`: "places",
		`{"profile":"other"}`:                                 "profile",
		`{"cursors":["s"]}`:                                   "invalid_cursor",
		`{"sessions":["t"],"cursors":["s:1"]}`:                "foreign_session",
		`{"sessions":["s"],"lastEventId":"s:-1"}`:             "invalid_cursor",
		`{"from":["noon"]}`:                                   "invalid_options",
		`{"sessions":["s"],"cursors":["s:1"],"from":["now"]}`: "invalid_options",
		`{"sessions":["s","s"]}`:                              "each session once",
		`{"sessions":["a\u0000b"]}`:                           "control characters",
	} {
		assert.Zero(t, m.openWith(options), options)
		var reply struct {
			Status  int
			Problem struct {
				Status int
				Code   string
			}
		}
		require.NoError(t, json.Unmarshal(m.Output(), &reply), options)
		assert.Equal(t, 400, reply.Status, options)
		assert.Equal(t, 400, reply.Problem.Status, options)
		assert.Contains(t, string(m.Output()), want, options)
	}
	assert.Zero(t, m.Open(1<<30), "a length beyond the room")
	assert.Zero(t, m.Open(-1))
}

// Orders that the table has no room for come with the next calls, in order.
func TestMoreOrdersThanTheTableHolds(t *testing.T) {
	e := openEdge(t, `{"sessions":["s"]}`)
	var in, want strings.Builder
	for seq := 1; seq <= 400; seq++ {
		in.WriteString(recorded(seq) + recorded(seq))
		want.WriteString(recorded(seq))
	}
	calls := e.feed(in.String())
	assert.Equal(t, 400/orderCount+1, calls)
	assert.Equal(t, want.String(), e.out.String())
	assert.Equal(t, 0, e.Next(e.h), "all is drained")
	assert.Equal(t, `4 {"session":"s","seq":400}`, e.told[len(e.told)-1])
}

// A length that the room for what arrives does not have is no length.
func TestRelaysTakeNoMoreThanCanArrive(t *testing.T) {
	e := openEdge(t, `{"sessions":["s"]}`)
	assert.Equal(t, dead, e.Feed(e.h, len(e.Arrival())+1))
	assert.Equal(t, dead, e.Feed(e.h, -1))
	e.feed(recorded(1))
	assert.Equal(t, recorded(1), e.out.String())
}

// A place that the host has already is told by its number; anything else is the whole of
// it.
func TestAPlaceThatMovedIsANumber(t *testing.T) {
	e := openEdge(t, `{"sessions":["s"]}`)
	e.feed("event: tidemark.head\ndata: {\"sessionId\":\"s\",\"lastSeq\":2,\"generation\":7,\"oldestSeq\":1}\n\n")
	for seq := 1; seq <= 4; seq++ {
		e.feed(strings.Replace(recorded(seq), `"n":1`, `"generation":`+strconv.Itoa(7+seq/4), 1))
	}
	assert.Equal(t, []string{
		`4 {"session":"s","last":2,"oldest":1,"head":"7"}`,
		`4 {"session":"s","seq":1,"generation":"7","last":2,"oldest":1,"head":"7"}`,
		`11 0 2`,
		`11 0 3`,
		`4 {"session":"s","seq":3,"generation":"7","last":2,"oldest":1,"head":"7","over":true}`,
		`5 `,
	}, e.told)
}

// A page that was given beyond the room is none, and one that nobody asked for does nothing.
func TestPagesThroughTheRoom(t *testing.T) {
	e := openEdge(t, `{"sessions":["s"],"pageSize":2}`)
	assert.Equal(t, 0, e.Page(e.h, 0, pageCached))
	e.feed("event: tidemark.head\ndata: {\"sessionId\":\"s\",\"lastSeq\":4,\"oldestSeq\":1}\n\n")
	require.NotEmpty(t, e.told)
	assert.Equal(t, `7 {"key":"2/s:2","session":"s","limit":2,"fresh":false}`, e.told[len(e.told)-1])
	e.take(e.Page(e.h, 1<<30, pageFresh))
	assert.Equal(t, `10 {"session":"s"}`, e.told[len(e.told)-1])
}

// What a page was, and what was told of it, is let go of with the next input: the stream
// behind it can stay open for days.
func TestNothingIsKeptOfAPage(t *testing.T) {
	e := openEdge(t, `{"sessions":["s"],"pageSize":4,"verdicts":true}`)
	e.feed("event: tidemark.head\ndata: {\"sessionId\":\"s\",\"lastSeq\":5,\"oldestSeq\":1}\n\n")
	var events []string
	for seq := 1; seq <= 4; seq++ {
		events = append(events, fmt.Sprintf(`{"type":"x","sessionId":"s","seq":%d,"n":1}`, seq))
	}
	page := `{"head":{"lastSeq":5,"oldestSeq":1},"events":[` + strings.Join(events, ",") + `]}`
	copy(e.Input(len(page)), page)
	e.take(e.Page(e.h, len(page), pageFresh))
	assert.Contains(t, e.out.String(), `"seq":4`)
	e.came = ""
	e.feed(": alive\n")
	data := e.passage(e.h).data
	for _, left := range data[:cap(data)] {
		assert.Empty(t, left)
	}
}

func TestJudgeOfWhatIsNoAnswer(t *testing.T) {
	var m Relays
	for _, arg := range []string{``, `{`, `{"status":"200"}`, `{"status":-1}`, `{"state":200}`} {
		copy(m.Input(len(arg)), arg)
		n := m.Judge(len(arg))
		require.Equal(t, n, len(m.Output()))
		assert.Contains(t, string(m.Output()), `{"status":500,"problem":{`, arg)
	}
	arg := `{"status":200,"contentType":"text/event-stream"}`
	copy(m.Input(len(arg)), arg)
	m.Judge(len(arg))
	assert.Equal(t, `{"status":200,"stream":true}`, string(m.Output()))
}

// FuzzRelayOptions: no options panic; what opens relays, and can be closed.
func FuzzRelayOptions(f *testing.F) {
	for _, options := range []string{
		`{}`, `{"sessions":["s"],"cursors":["s:1@7"],"mode":"observe"}`, `{"profile":{"base":0,"scope":"connection"},"sessions":["s"]}`,
		`{"sessions":["s"],"places":[{"session":"s","seq":1,"last":2,"oldest":1,"head":"7","seen":["5","6"],"proof":"0123456789abcdef0123456789abcdef","settled":true}]}`,
		`{"sessions":["s"],"places":[{"session":"s","seq":1,"paging":true,"joins":true}],"pageSize":2}`, `{"places":[{"session":"s"},{"session":"s"}]}`,
		`{"cursors":["s:1"],"places":[{"session":"t","here":4,"over":true}]}`,
	} {
		f.Add(options, recorded(2))
	}
	f.Fuzz(func(t *testing.T, options, chunk string) {
		var m Relays
		h := m.openWith(options)
		if h == 0 {
			require.True(t, json.Valid(m.Output()))
			return
		}
		m.Begin(h)
		m.Feed(h, copy(m.Arrival(), chunk))
		m.Closed(h, false)
		m.Close(h)
		require.Equal(t, dead, m.Feed(h, 0))
	})
}
