package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/disk"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

func serving(t *testing.T, store sessionlog.Store, o serve.Options) (*httptest.Server, *serve.Handler) {
	handler := serve.New(store, o)
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		handler.Close()
		server.Close()
	})
	return server, handler
}

func created(t *testing.T, store sessionlog.Store, session string, n int) sessionlog.Log {
	log, err := store.Create(t.Context(), session)
	require.NoError(t, err)
	grow(t, log, n)
	return log
}

func grow(t *testing.T, log sessionlog.Log, n int) {
	for range n {
		_, err := log.Append(t.Context(), "", []byte(`{"type":"iteration_started","turnId":"t","iteration":1}`))
		require.NoError(t, err)
	}
}

// reader is one connection, read frame by frame.
type reader struct {
	t     *testing.T
	lines *bufio.Reader
	close func()
}

func connect(t *testing.T, url string, header ...string) *reader {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 20*time.Second)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	t.Cleanup(cancel)
	return &reader{t: t, lines: bufio.NewReader(response.Body), close: cancel}
}

// frame is the next frame, "" at the end of the body.
func (r *reader) frame() string {
	var out string
	for !strings.HasSuffix(out, "\n\n") {
		line, err := r.lines.ReadString('\n')
		if err != nil {
			require.ErrorIs(r.t, err, io.EOF)
			require.Empty(r.t, out+line, "a frame was cut")
			return ""
		}
		out += line
	}
	return out
}

// until answers the frames up to and with the first that holds mark.
func (r *reader) until(mark string) []string {
	var out []string
	for {
		f := r.frame()
		require.NotEmpty(r.t, f, "the stream ended before %s", mark)
		if out = append(out, f); strings.Contains(f, mark) {
			return out
		}
	}
}

// HEAD has the answer of GET without its body, and is over at once.
func TestHead(t *testing.T) {
	store := memory.New(memory.Options{})
	created(t, store, "s", 1)
	server, _ := serving(t, store, serve.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for range 2 { // the second one goes over the connection of the first
		request, err := http.NewRequestWithContext(ctx, http.MethodHead, server.URL+"/v1/sessions/s/events", nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusOK, response.StatusCode)
		require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	}
}

// a query that is read in part would begin somewhere else.
func TestAQueryThatCannotBeRead(t *testing.T) {
	store := memory.New(memory.Options{})
	created(t, store, "s", 1)
	for _, route := range []string{"events", "log"} {
		for _, query := range []string{"cursor=s:1%zz", "cursor=s:1;limit=2"} {
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodGet, "/v1/sessions/s/"+route, nil)
			r.URL.RawQuery = query
			serve.New(store, serve.Options{}).ServeHTTP(w, r)
			require.Equal(t, http.StatusBadRequest, w.Code, query)
			require.Contains(t, w.Body.String(), "stream.invalid_options")
		}
	}
}

func TestComments(t *testing.T) {
	store := memory.New(memory.Options{})
	created(t, store, "s", 0)
	server, _ := serving(t, store, serve.Options{Heartbeat: time.Millisecond})
	r := connect(t, server.URL+"/v1/sessions/s/events")
	r.until("tidemark.live")
	require.Equal(t, ": \n\n", r.frame())
	require.Equal(t, ": \n\n", r.frame())
}

func TestAnEndWithoutAnEvent(t *testing.T) {
	store := memory.New(memory.Options{})
	created(t, store, "s", 1)
	over := make(chan struct{})
	server, _ := serving(t, store, serve.Options{Heartbeat: time.Millisecond, Ended: func(context.Context, string) (string, bool) {
		select {
		case <-over:
			return "closed", true
		default:
			return "", false
		}
	}})
	r := connect(t, server.URL+"/v1/sessions/s/events")
	r.until("tidemark.live")
	close(over)
	r.until(`data: {"sessionId":"s","reason":"closed"}`)
	for f := r.frame(); f != ""; f = r.frame() {
		require.Equal(t, ": \n\n", f, "nothing but comments may follow an end")
	}
}

func TestCloseBreaksStreamsOff(t *testing.T) {
	store := memory.New(memory.Options{})
	created(t, store, "s", 1)
	server, handler := serving(t, store, serve.Options{})
	r := connect(t, server.URL+"/v1/sessions/s/events")
	r.until("tidemark.live")
	handler.Close()
	require.Empty(t, r.frame(), "no tidemark.end: there is more to come elsewhere")
	response, err := http.Get(server.URL + "/v1/sessions/s/events")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
	require.Equal(t, "1", response.Header.Get("Retry-After"))
}

// A deleted session, a closed store: the stream breaks off and says nothing.
func TestALogThatGoesAway(t *testing.T) {
	store := memory.New(memory.Options{})
	created(t, store, "a", 1)
	created(t, store, "b", 1)
	server, _ := serving(t, store, serve.Options{})
	first, second := connect(t, server.URL+"/v1/sessions/a/events"), connect(t, server.URL+"/v1/sessions/b/events?session=a")
	first.until("tidemark.live")
	second.until(`event: tidemark.live`)
	require.NoError(t, store.Delete(t.Context(), "a"))
	require.Empty(t, first.frame())
	for f := second.frame(); f != ""; f = second.frame() {
		require.NotContains(t, f, "tidemark.end")
	}
}

// A client that stops reading is given up after the write timeout; its connection
// is cut and its subscription gone, while the writer never waited.
func TestAClientThatStopsReading(t *testing.T) {
	store := memory.New(memory.Options{})
	log := created(t, store, "s", 0)
	server, _ := serving(t, store, serve.Options{WriteTimeout: 50 * time.Millisecond})
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "GET /v1/sessions/s/events HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	first := make([]byte, 15)
	_, err = io.ReadFull(conn, first)
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 200 OK", string(first))

	closed := make(chan struct{})
	go func() {
		defer close(closed)
		server.Config.SetKeepAlivesEnabled(false)
		server.Close() // waits for the handler of the dead client
	}()
	big := []byte(`{"type":"message_completed","turnId":"t","content":"` + strings.Repeat("x", 1<<20) + `"}`)
	for range 30 {
		_, err := log.Append(t.Context(), "", big)
		require.NoError(t, err)
	}
	select {
	case <-closed:
	case <-time.After(20 * time.Second):
		t.Fatal("the stream of a dead client was not given up")
	}
}

// failing is a store whose log cannot be read.
type failing struct {
	sessionlog.Store
	err error
}

func (s failing) Open(context.Context, string) (sessionlog.Log, error) { return nil, s.err }

func TestWhatAClientIsToldOfAFailure(t *testing.T) {
	for _, c := range []struct {
		err  error
		code string
	}{
		{fault.New(fault.LogDamaged, "a record", "line 3 of /srv/secret.jsonl"), "stream.log_damaged"},
		{errors.New("password wrong"), "stream.store_failed"},
	} {
		for _, route := range []string{"events", "log", "transcript"} {
			var told []error
			handler := serve.New(failing{err: c.err}, serve.Options{OnError: func(_ string, err error) { told = append(told, err) }})
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/sessions/s/"+route, nil))
			require.Equal(t, http.StatusInternalServerError, w.Code)
			var body map[string]any
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
			require.Equal(t, c.code, body["code"])
			require.NotContains(t, w.Body.String(), "secret")
			require.NotContains(t, w.Body.String(), "password")
			require.Equal(t, []error{c.err}, told)
		}
	}
}

// A request that asks for too much costs nobody a look at each of its sessions.
func TestTooManySessionsAreNotAskedAbout(t *testing.T) {
	asked := 0
	server, _ := serving(t, memory.New(memory.Options{}), serve.Options{MaxSessions: 2, Authorize: func(*http.Request, string) int {
		asked++
		return 0
	}})
	answer, err := http.Get(server.URL + "/v1/sessions/a/events?session=b&session=b&session=c&session=d")
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusBadRequest, answer.StatusCode)
	require.Zero(t, asked)
}

func TestOrigins(t *testing.T) {
	store := memory.New(memory.Options{})
	created(t, store, "s", 1)
	for _, c := range []struct {
		options       serve.Options
		origin, allow string
	}{
		{serve.Options{}, "https://a", ""},
		{serve.Options{Origins: []string{"https://a"}}, "https://a", "https://a"},
		{serve.Options{Origins: []string{"https://a"}}, "https://b", ""},
		{serve.Options{Origins: []string{"https://a"}}, "", ""},
		{serve.Options{Origins: []string{"*"}}, "https://b", "https://b"},
		{serve.Options{Origins: []string{"*"}, Credentials: true}, "https://b", ""},
		{serve.Options{Origins: []string{"https://a"}, Credentials: true}, "https://a", "https://a"},
	} {
		for _, method := range []string{http.MethodGet, http.MethodOptions} {
			r := httptest.NewRequest(method, "/v1/sessions/s/log", nil)
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			w := httptest.NewRecorder()
			serve.New(store, c.options).ServeHTTP(w, r)
			require.Equal(t, map[string]int{http.MethodGet: 200, http.MethodOptions: 204}[method], w.Code)
			require.Equal(t, c.allow, w.Header().Get("Access-Control-Allow-Origin"))
			require.Equal(t, c.allow != "" && c.options.Credentials, w.Header().Get("Access-Control-Allow-Credentials") == "true")
			require.Equal(t, len(c.options.Origins) > 0, w.Header().Get("Vary") == "Origin")
		}
	}
}

func TestMethodsAndRoutes(t *testing.T) {
	handler := serve.New(memory.New(memory.Options{}), serve.Options{})
	for request, status := range map[string]int{
		"POST /v1/sessions/s/events": 405, "DELETE /v1/sessions/s/log": 405, "GET /v1/sessions/s": 404,
		"GET /v1/sessions/s/other": 404, "GET /": 404, "GET /v1/sessions/a%2Fb/events": 404,
	} {
		method, path, _ := strings.Cut(request, " ")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		require.Equal(t, status, w.Code, request)
	}
}

// Session ids that are awkward in a URL, a header and a tag.
func TestAwkwardSessionIDs(t *testing.T) {
	store := memory.New(memory.Options{})
	created(t, store, `a/b:c@"é"`, 2)
	server, _ := serving(t, store, serve.Options{})
	path := server.URL + "/v1/sessions/a%2Fb:c@%22%C3%A9%22"
	r := connect(t, path+"/events?cursor=a/b:c@%22%C3%A9%22:1")
	require.Contains(t, r.frame(), `"sessionId":"a/b:c@\"é\"","lastSeq":2`)
	require.Contains(t, r.frame(), "id: a/b:c@\"é\":2\n")
	r = connect(t, path+"/events", "Last-Event-ID", `a/b:c@"é":1`)
	require.Contains(t, r.frame(), `"from":2`)
	response, err := http.Get(path + "/transcript")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, `"a%2Fb:c@%22%C3%A9%22:2"`, response.Header.Get("ETag"))
}

// A folder that another process writes is served as it grows and as it breaks.
func TestServingAFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	line := func(seq int) string {
		return fmt.Sprintf(`{"type":"turn_started","seq":%d,"gen":4,"ts":"2026-01-01T00:00:00Z","sessionId":"s"}`+"\n", seq)
	}
	require.NoError(t, os.WriteFile(file, []byte(line(1)+line(2)), 0o644))
	store, err := disk.New(dir, disk.Options{ReadOnly: true, Poll: time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	server, _ := serving(t, store, serve.Options{})
	r := connect(t, server.URL+"/v1/sessions/s/events")
	require.Len(t, r.until("tidemark.live"), 4)
	writer, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	defer writer.Close()
	_, err = writer.WriteString(line(3))
	require.NoError(t, err)
	require.Equal(t, "id: s:3@4\ndata: {\"type\":\"turn_started\",\"seq\":3,\"generation\":4,\"ts\":\"2026-01-01T00:00:00Z\",\"sessionId\":\"s\"}\n\n", r.frame())
	require.NoError(t, os.Truncate(file, int64(len(line(1)))))
	frames := r.until("tidemark.refused")
	require.Contains(t, frames[len(frames)-1], `"reason":"cursor_ahead","evidence":{"savedSeq":3,"savedGeneration":"4","lastSeq":1,"oldestSeq":1}`)
	require.Empty(t, r.frame())
}
