package edge_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/edge"
)

// between starts a server and an edge before it, and answers the address of the edge.
func between(t *testing.T, server http.HandlerFunc, o edge.Options) string {
	upstream := httptest.NewServer(server)
	t.Cleanup(upstream.Close)
	o.Upstream = upstream.URL
	front := httptest.NewServer(newEdge(t, o))
	t.Cleanup(front.Close)
	return front.URL
}

// read reads n bytes, as many as have come, and no more.
func read(t *testing.T, r io.Reader, n int) string {
	p := make([]byte, n)
	_, err := io.ReadFull(r, p)
	require.NoError(t, err)
	return string(p)
}

func stream(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, text)
	_ = http.NewResponseController(w).Flush()
}

func fetch(t *testing.T, ctx context.Context, url string, header ...string) *http.Response {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	return response
}

// What has come is passed on although nothing follows, the head of the answer before
// any event. When the consumer goes away, the connection behind it ends, too.
func TestStallsAndLeaves(t *testing.T) {
	said, left := make(chan string), make(chan struct{})
	url := between(t, func(w http.ResponseWriter, r *http.Request) {
		stream(w, "")
		for text := range said {
			stream(w, text)
		}
		<-r.Context().Done()
		close(left)
	}, edge.Options{})
	ctx, leave := context.WithCancel(t.Context())
	response := fetch(t, ctx, url+events)
	defer response.Body.Close()
	assert.Equal(t, "no-store", response.Header.Get("Cache-Control"))
	for _, text := range []string{head(2, ""), event(1), ": beat\n\n", event(2)} {
		said <- text
		require.Equal(t, text, read(t, response.Body, len(text)))
	}
	close(said)
	leave()
	<-left
}

// the connection behind ends with the last session, whatever the server still
// has to say.
func TestARefusalEndsTheConnection(t *testing.T) {
	left := make(chan struct{})
	url := between(t, func(w http.ResponseWriter, r *http.Request) {
		stream(w, event(1)+event(3))
		<-r.Context().Done()
		close(left)
	}, edge.Options{})
	response := fetch(t, t.Context(), url+events)
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	require.NoError(t, err, "the answer has ended")
	assert.Contains(t, string(all), "event: tidemark.refused")
	<-left
}

// so does one whose answer is no stream, and never ends.
func TestNoStreamEndsTheConnection(t *testing.T) {
	left := make(chan struct{})
	url := between(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<p>")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(left)
	}, edge.Options{})
	response := fetch(t, t.Context(), url+events)
	defer response.Body.Close()
	assert.Equal(t, 502, response.StatusCode)
	<-left
}

// a break is seen as one.
func TestABreakIsSeen(t *testing.T) {
	url := between(t, func(w http.ResponseWriter, _ *http.Request) {
		stream(w, event(1)+"id: s:2")
		panic(http.ErrAbortHandler)
	}, edge.Options{})
	response := fetch(t, t.Context(), url+events)
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, event(1), string(all))
}

// What the server is asked is what was asked here, without what would make something
// else of a stream.
func TestWhatTheServerIsAsked(t *testing.T) {
	var asked *http.Request
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Add("Set-Cookie", "b=2")
		w.Header().Set("Connection", "X-Hop")
		w.Header().Set("X-Hop", "1")
		stream(w, "")
	}))
	defer upstream.Close()
	front := httptest.NewServer(newEdge(t, edge.Options{Upstream: upstream.URL + "/base/"}))
	defer front.Close()
	response := fetch(t, t.Context(), front.URL+"/v1/sessions/a%2Fb/events?cursor=a%2Fb:1&x=%20",
		"Authorization", "Bearer t", "Cookie", "c=1", "Last-Event-ID", "a/b:2", "Accept-Encoding", "gzip", "If-None-Match", "*",
		"Range", "bytes=1-", "X-One", "1", "Connection", "X-One", "Origin", "https://page")
	defer response.Body.Close()
	assert.Equal(t, "/base/v1/sessions/a%2Fb/events?cursor=a%2Fb:1&x=%20", asked.RequestURI)
	for name, want := range map[string]string{
		"Accept": "text/event-stream", "Accept-Encoding": "identity", "Authorization": "Bearer t", "Cookie": "c=1", "Last-Event-Id": "a/b:2",
		"Origin": "https://page", "If-None-Match": "", "Range": "", "X-One": "",
	} {
		assert.Equal(t, want, asked.Header.Get(name), name)
	}
	assert.Equal(t, []string{"a=1", "b=2"}, response.Header["Set-Cookie"])
	assert.Empty(t, response.Header.Get("X-Hop"))
	assert.Equal(t, "no", response.Header.Get("X-Accel-Buffering"))
}

// Other methods ask for no stream; whether a page may ask is for the server to say.
func TestMethods(t *testing.T) {
	url := between(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "https://page")
		if r.Method == http.MethodOptions {
			return
		}
		stream(w, event(1))
	}, edge.Options{})
	for method, code := range map[string]int{http.MethodHead: 200, http.MethodOptions: 200, http.MethodPost: 405} {
		r, err := http.NewRequestWithContext(t.Context(), method, url+events, strings.NewReader(""))
		require.NoError(t, err)
		response, err := http.DefaultTransport.RoundTrip(r)
		require.NoError(t, err)
		assert.Equal(t, code, response.StatusCode, method)
		if code == 200 {
			assert.Equal(t, "https://page", response.Header.Get("Access-Control-Allow-Origin"), method)
		}
		_ = response.Body.Close()
	}
}
