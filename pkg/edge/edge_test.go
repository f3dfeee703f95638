package edge_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/edge"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// transport answers requests without a network.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answers makes a server that gives one answer.
func answers(status int, header http.Header, body io.Reader) transport {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(body)}, nil
	}
}

func typed(contentType string, more ...string) http.Header {
	h := http.Header{"Content-Type": {contentType}}
	for i := 0; i < len(more); i += 2 {
		h.Set(more[i], more[i+1])
	}
	return h
}

func streams(body io.Reader) transport { return answers(200, typed("text/event-stream"), body) }

const events = "/v1/sessions/s/events"

func newEdge(t testing.TB, o edge.Options) *edge.Handler {
	if o.Upstream == "" {
		o.Upstream = "http://upstream"
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	h, err := edge.New(o)
	require.NoError(t, err)
	return h
}

// got is what a consumer was answered.
type got struct {
	*httptest.ResponseRecorder
	broken bool
}

func ask(t testing.TB, o edge.Options, r *http.Request) (g got) {
	g.ResponseRecorder = httptest.NewRecorder()
	defer func() {
		if p := recover(); p != nil {
			require.Equal(t, http.ErrAbortHandler, p)
			g.broken = true
		}
	}()
	newEdge(t, o).ServeHTTP(g, r)
	return g
}

func get(target string) *http.Request { return httptest.NewRequest(http.MethodGet, target, nil) }

func head(last int, more string) string {
	return fmt.Sprintf("event: tidemark.head\ndata: {\"sessionId\":\"s\",\"lastSeq\":%d,\"oldestSeq\":1,\"verdict\":\"replayed\"%s}\n\n", last, more)
}

func event(seq int) string {
	return fmt.Sprintf("id: s:%d\ndata: {\"type\":\"x\",\"sessionId\":\"s\",\"seq\":%d,\"n\":%d}\n\n", seq, seq, seq)
}

const live = "event: tidemark.live\ndata: {\"sessionId\":\"s\",\"lastSeq\":3}\n\n"

// cases are streams, what goes on of each, and whether the answer breaks off. A part
// that ends without a blank line stands for a frame of ours that begins so.
var cases = map[string]struct {
	target string
	header string // Last-Event-ID
	mode   link.Mode
	most   int
	in     string
	out    []string
	broken bool
}{
	"R-420: all of what holds, however it is written": {
		in:  "\xEF\xBB\xBF: hello\n\n" + head(3, "") + event(1) + "data: {\"type\":\"draft\",\"sessionId\":\"s\"}\r\n\r\n" + event(2) + "retry: 5\n\n" + event(3) + live + ": beat\n\n",
		out: []string{"all"}},
	"R-420: behind a cursor":               {target: events + "?cursor=s:2", in: head(3, "") + event(3) + live, out: []string{"all"}},
	"R-420: behind the newest that came":   {target: events + "?cursor=s:1", header: "s:2", in: head(3, "") + event(3) + live, out: []string{"all"}},
	"R-420: of the session in the path":    {target: "/app" + events + "/?session=t", in: head(1, "") + event(1), out: []string{"all"}},
	"R-423: of no other than that":         {target: "/v1/sessions/t/events", in: head(1, "") + event(1), out: []string{":\n\n", `event: tidemark.fault` + "\n" + `data: {"code":"stream.unattributed"`}},
	"R-420: of a session the server names": {target: "/stream", in: head(1, "") + event(1), out: []string{"all"}},
	"R-421: a duplicate":                   {in: head(2, "") + event(1) + event(1) + event(2), out: []string{head(2, ""), event(1), event(2)}},
	"R-421: what the consumer has":         {target: events + "?cursor=s:1", in: head(2, "") + event(1) + event(2), out: []string{head(2, ""), event(2)}},
	"R-422: a gap":                         {in: head(3, "") + event(1) + event(3) + live, out: []string{head(3, ""), event(1), `event: tidemark.refused` + "\n" + `data: {"sessionId":"s","reason":"gap","detail":"hole"`}},
	"R-422: another generation": {target: events + "?cursor=s:1@7", in: head(3, `,"generation":8`) + event(2),
		out: []string{head(3, `,"generation":8`), `event: tidemark.refused` + "\n" + `data: {"sessionId":"s","reason":"generation_changed"`}},
	"R-422: a log that lost its tail": {target: events + "?cursor=s:9", in: head(3, "") + live, out: []string{head(3, ""), `event: tidemark.refused` + "\n" + `data: {"sessionId":"s","reason":"cursor_ahead"`}},
	"R-422: invalid UTF-8": {in: event(1) + "data: {\"type\":\"x\",\"sessionId\":\"s\",\"seq\":2,\"a\":\"\xff\"}\n\n",
		out: []string{event(1), `event: tidemark.refused` + "\n" + `data: {"sessionId":"s","reason":"gap","detail":"bad_event"`}},
	"R-423: a line without end": {most: 1000, in: event(1) + "data: " + strings.Repeat("x", 5000),
		out: []string{event(1), `event: tidemark.fault` + "\n" + `data: {"code":"stream.frame_too_large"`}},
	"R-425: an end in the middle of a frame": {in: event(1) + "id: s:2\ndata: {", out: []string{event(1)}},
	"R-427: only watching":                   {mode: link.Observe, in: head(3, "") + event(1) + event(3) + event(1) + "id: s:4", out: []string{"all"}},
	"R-427: only watching, beyond what can be judged": {mode: link.Observe, most: 1000, in: event(1) + "data: " + strings.Repeat("x", 5000) + "\n\n" + event(9),
		out: []string{"all"}},
}

// chunkings are ways in which the same bytes can come.
var chunkings = map[string]func(io.Reader) io.Reader{
	"whole":           func(r io.Reader) io.Reader { return r },
	"byte by byte":    iotest.OneByteReader,
	"half of it":      iotest.HalfReader,
	"with the end":    iotest.DataErrReader,
	"seven at a time": func(r io.Reader) io.Reader { return &sevens{r} },
}

type sevens struct{ r io.Reader }

func (s *sevens) Read(p []byte) (int, error) { return s.r.Read(p[:min(7, len(p))]) }

func TestStreams(t *testing.T) {
	for name, c := range cases {
		for how, chunked := range chunkings {
			t.Run(name+", "+how, func(t *testing.T) {
				target := c.target
				if target == "" {
					target = events
				}
				r := get(target)
				if c.header != "" {
					r.Header.Set("Last-Event-ID", c.header)
				}
				g := ask(t, edge.Options{Transport: streams(chunked(strings.NewReader(c.in))), Mode: c.mode, MaxFrame: c.most}, r)
				assert.Equal(t, 200, g.Code)
				assert.False(t, g.broken)
				expect(t, c.in, c.out, g.Body.String())
			})
		}
	}
}

func expect(t *testing.T, in string, want []string, got string) {
	if len(want) == 1 && want[0] == "all" {
		require.Equal(t, in, got)
		return
	}
	for _, part := range want {
		require.True(t, strings.HasPrefix(got, part), "%q\nbegins not with\n%q", got, part)
		got = got[len(part):]
		if !strings.HasSuffix(part, "\n") {
			_, got, _ = strings.Cut(got, "\n\n")
		}
	}
	assert.Empty(t, got)
}

// what breaks off at the server breaks off here, behind what was whole.
func TestBreaks(t *testing.T) {
	for how, mode := range map[string]link.Mode{"enforcing": link.Enforce, "watching": link.Observe} {
		t.Run(how, func(t *testing.T) {
			body := io.MultiReader(strings.NewReader(event(1)+"id: s:2\n"), iotest.ErrReader(errors.New("reset")))
			g := ask(t, edge.Options{Transport: streams(body), Mode: mode}, get(events))
			assert.True(t, g.broken)
			assert.True(t, strings.HasPrefix(g.Body.String(), event(1)))
		})
	}
}

// 5,000 events, of which none is touched.
func TestManyEvents(t *testing.T) {
	var in strings.Builder
	in.WriteString(head(5000, ""))
	for seq := range 5000 {
		in.WriteString(event(seq + 1))
	}
	g := ask(t, edge.Options{Transport: streams(iotest.HalfReader(strings.NewReader(in.String())))}, get(events))
	require.Equal(t, in.String(), g.Body.String())
}

// what can be no stream is answered with a status.
func TestAnswers(t *testing.T) {
	page := "<!doctype html><title>Sign in</title>"
	for name, c := range map[string]struct {
		status int
		header http.Header
		body   string
		code   int
		says   string // code of the problem, or the body
	}{
		"HTML":                      {200, typed("text/html"), page, 502, "stream.upstream_not_stream"},
		"no type":                   {200, http.Header{}, page, 502, "stream.upstream_not_stream"},
		"a redirect":                {302, typed("text/html", "Location", "/elsewhere"), page, 502, "stream.upstream_moved"},
		"nothing new":               {304, http.Header{}, "", 502, "stream.upstream_moved"},
		"compressed":                {200, typed("text/event-stream", "Content-Encoding", "gzip"), "\x1f\x8b", 502, "stream.upstream_encoded"},
		"a page for people":         {503, typed("text/html", "Retry-After", "7"), page, 503, "stream.upstream_status"},
		"a reason":                  {410, typed("application/problem+json", "Content-Length", "15"), `{"code":"gap"}`, 410, `{"code":"gap"}`},
		"a session that has ended":  {204, http.Header{}, "", 204, ""},
		"a status of which is none": {600, http.Header{}, "", 502, "stream.upstream_status"},
	} {
		t.Run(name, func(t *testing.T) {
			c.header.Set("Access-Control-Allow-Origin", "https://page")
			var told *fault.Fault
			g := ask(t, edge.Options{Transport: answers(c.status, c.header, strings.NewReader(c.body)),
				OnFault: func(_ *http.Request, f *fault.Fault) { told = f }}, get(events))
			assert.Equal(t, c.code, g.Code)
			assert.Equal(t, "https://page", g.Header().Get("Access-Control-Allow-Origin"), "or a page cannot read why")
			assert.Empty(t, g.Header().Get("Location"))
			assert.Empty(t, g.Header().Get("Content-Length"))
			assert.Equal(t, c.header.Get("Retry-After"), g.Header().Get("Retry-After"))
			if strings.HasPrefix(c.says, "stream.") {
				require.NotNil(t, told)
				assert.Equal(t, c.says, told.Rule().Name)
				assert.Equal(t, "application/problem+json", g.Header().Get("Content-Type"))
				assert.Contains(t, g.Body.String(), `"code":"`+c.says+`"`)
				assert.NotContains(t, g.Body.String(), "Sign in")
				return
			}
			assert.Nil(t, told)
			assert.Equal(t, c.says, g.Body.String())
		})
	}
}

// no answer.
func TestNoAnswer(t *testing.T) {
	lost := errors.New("connection refused")
	var told *fault.Fault
	g := ask(t, edge.Options{Transport: transport(func(*http.Request) (*http.Response, error) { return nil, lost }),
		OnFault: func(_ *http.Request, f *fault.Fault) { told = f }}, get(events))
	assert.Equal(t, 502, g.Code)
	assert.Contains(t, g.Body.String(), `"code":"stream.upstream_down"`)
	assert.NotContains(t, g.Body.String(), "refused", "what the network says is for the operator alone")
	assert.ErrorIs(t, told, lost)
}

// what a request asks for and contradicts itself in is its own
// fault, where the server would answer a stream; and a page of another origin can read it.
func TestRequestsThatContradictThemselves(t *testing.T) {
	for target, code := range map[string]string{
		events + "?cursor=s":            "stream.invalid_cursor",
		events + "?cursor=t:1":          "stream.foreign_session",
		events + "?from=noon":           "stream.invalid_options",
		events + "?cursor=s:%zz":        "stream.invalid_options",
		events + "?cursor=s:1&from=now": "stream.invalid_options",
	} {
		t.Run(target, func(t *testing.T) {
			r := get(events)
			r.URL.Path, r.URL.RawQuery, _ = strings.Cut(target, "?")
			allowed := typed("text/event-stream", "Access-Control-Allow-Origin", "https://page")
			g := ask(t, edge.Options{Transport: answers(200, allowed, strings.NewReader(event(1)))}, r)
			assert.Equal(t, 400, g.Code)
			assert.Equal(t, "https://page", g.Header().Get("Access-Control-Allow-Origin"))
			assert.Contains(t, g.Body.String(), `"code":"`+code+`"`)
			assert.NotContains(t, g.Body.String(), "data:")

			g = ask(t, edge.Options{Transport: answers(401, typed("application/json"), strings.NewReader("{}"))}, r)
			assert.Equal(t, 401, g.Code, "R-145: the server says first who may ask")
			assert.Equal(t, "{}", g.Body.String())
			g = ask(t, edge.Options{Transport: streams(strings.NewReader("id: 1-0\ndata: 1\n\n")), Mode: link.Observe}, r)
			assert.Equal(t, 200, g.Code)
			assert.Equal(t, "id: 1-0\ndata: 1\n\n", g.Body.String(), "R-427: who only watches keeps nothing back")
		})
	}
}

// A path that leads out of the path of the server is not asked for.
func TestPathsThatLeadUpwards(t *testing.T) {
	for _, path := range []string{"/v1/../../admin/events", "/..", "/a/..", `/..\..\admin`, `/a\..`} {
		r := get(events)
		r.URL.Path = path
		g := ask(t, edge.Options{Transport: transport(func(*http.Request) (*http.Response, error) {
			t.Error("the server was asked")
			return nil, io.EOF
		})}, r)
		assert.Equal(t, 400, g.Code)
		assert.Contains(t, g.Body.String(), `"code":"stream.invalid_options"`)
	}
}

// What says twice what it is, says both.
func TestHeadersThatStandTwice(t *testing.T) {
	for code, header := range map[string]http.Header{
		"stream.upstream_not_stream": {"Content-Type": {"text/event-stream", "text/html"}},
		"stream.upstream_encoded":    {"Content-Type": {"text/event-stream"}, "Content-Encoding": {"identity", "gzip"}},
	} {
		g := ask(t, edge.Options{Transport: answers(200, header, strings.NewReader(event(1)))}, get(events))
		assert.Equal(t, 502, g.Code)
		assert.Contains(t, g.Body.String(), `"code":"`+code+`"`)
	}
}

// What a browser asks before it asks for a stream is answered as the server answers it,
// also where that is something of a page.
func TestOptionsPass(t *testing.T) {
	for _, status := range []int{200, 204, 304, 403} {
		body := "no"
		if status == 204 || status == 304 {
			body = ""
		}
		r := get(events)
		r.Method = http.MethodOptions
		header := http.Header{"Access-Control-Allow-Origin": {"http://page"}, "Content-Type": {"text/html"}}
		g := ask(t, edge.Options{Transport: answers(status, header, strings.NewReader(body))}, r)
		assert.Equal(t, status, g.Code)
		assert.Equal(t, "http://page", g.Header().Get("Access-Control-Allow-Origin"))
		assert.Equal(t, body, g.Body.String())
	}
}

// A status that is none is no answer to OPTIONS, either.
func TestOptionsThatAreAnsweredWithNoStatus(t *testing.T) {
	for _, status := range []int{0, 42, 101, 103, 600, 999} {
		r := get(events)
		r.Method = http.MethodOptions
		g := ask(t, edge.Options{Transport: answers(status, http.Header{}, strings.NewReader(""))}, r)
		assert.Equal(t, 502, g.Code, status)
	}
}

// many streams share a memory, so the room of a long frame goes when that has
// gone on.
func TestRoomIsGivenBack(t *testing.T) {
	long := "data: {\"type\":\"x\",\"sessionId\":\"s\",\"seq\":1,\"n\":\"" + strings.Repeat("x", 3<<20)
	h := newEdge(t, edge.Options{})
	during, err := h.Room(httptest.NewRecorder(), get(events), long)
	require.NoError(t, err)
	assert.Greater(t, during, 3<<20)
	behind, err := h.Room(httptest.NewRecorder(), get(events), long, "\"}\n\n", event(2))
	require.NoError(t, err)
	assert.Less(t, behind, 1<<20)
}

// Middleware that hides what a response writer can do breaks every stream off. Who runs
// the handler is told why.
func TestAWriterThatCannotFlush(t *testing.T) {
	var told []string
	handler := newEdge(t, edge.Options{Transport: streams(strings.NewReader(event(1))), OnFault: func(_ *http.Request, f *fault.Fault) { told = append(told, f.Error()) }})
	bare := struct{ http.ResponseWriter }{httptest.NewRecorder()}
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { handler.ServeHTTP(bare, get(events)) })
	require.Len(t, told, 1)
	assert.Contains(t, told[0], "Unwrap")
}

// whoever watches is told of each verdict.
func TestVerdicts(t *testing.T) {
	for _, mode := range []link.Mode{link.Enforce, link.Observe} {
		var told []string
		ask(t, edge.Options{Mode: mode, Transport: streams(strings.NewReader(event(1) + event(3))),
			OnVerdict: func(_ *http.Request, report *link.Report) { told = append(told, string(report.AppendJSON(nil, 1))) }}, get(events))
		require.NotEmpty(t, told)
		assert.Contains(t, told[0], `"seq":1`)
		assert.Contains(t, strings.Join(told, ""), `"hole"`)
	}
}

func TestOptions(t *testing.T) {
	for _, upstream := range []string{"", "events.internal", "ftp://host", "/path", "http://", "http://u:secret@host", "http://host?a=1", "http://host#a", "http://a b"} {
		_, err := edge.New(edge.Options{Upstream: upstream, Transport: http.DefaultTransport})
		require.ErrorIs(t, err, fault.InvalidOptions, upstream)
		assert.NotContains(t, err.Error(), "secret")
	}
	for _, o := range []edge.Options{{Upstream: "http://host", Transport: http.DefaultTransport, MaxFrame: -1}, {Upstream: "http://host"}} {
		_, err := edge.New(o)
		require.ErrorIs(t, err, fault.InvalidOptions)
	}
}
