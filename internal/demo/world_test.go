package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

// world is a demo on a real socket, whose agent plays one event a tick.
type world struct {
	t    *testing.T
	demo *Demo // the session that is looked at
	host string
	tick chan time.Time
}

func newWorld(t *testing.T, o Options) *world {
	return newWorldOf(t, o, func(d *Demo) *Demo { return d })
}

// newBareWorld looks at the session without a lease.
func newBareWorld(t *testing.T) *world {
	return newWorldOf(t, Options{}, func(d *Demo) *Demo { return d.bare })
}

func newWorldOf(t *testing.T, o Options, room func(*Demo) *Demo) *world {
	w := &world{t: t, tick: make(chan time.Time)}
	o.After = func(time.Duration) <-chan time.Time { return w.tick }
	if o.Seed == 0 {
		o.Seed = 42
	}
	if o.History == 0 {
		o.History = 40
	}
	site, err := New(t.Context(), o)
	require.NoError(t, err)
	w.demo = room(site)
	server := httptest.NewServer(site)
	w.host = strings.TrimPrefix(server.URL, "http://")
	ctx, stop := context.WithCancel(t.Context())
	go func() { _ = w.demo.run(ctx) }() // ends by stop
	t.Cleanup(func() {
		site.Close()
		stop()
		<-w.demo.over
		server.Close()
	})
	return w
}

// play lets n events happen, and returns when they have.
func (w *world) play(n int) {
	for range n {
		w.tick <- time.Time{}
	}
	_, err := w.demo.ask(w.t.Context(), "", func(*Demo, context.Context, *Report) error { return nil })
	require.NoError(w.t, err)
}

func (w *world) head() (last events.Seq) {
	h, err := w.demo.agent.log.Head(w.t.Context())
	require.NoError(w.t, err)
	return h.LastSeq
}

func (w *world) v1(route string) string { return "/v1/sessions/" + w.demo.Session() + "/" + route }

func (w *world) plain() string { return "/plain/sessions/" + w.demo.Session() + "/events" }

// stream is one connection, read from the socket.
type stream struct {
	t    *testing.T
	conn net.Conn
	body *bufio.Reader
	last string // id of the last frame that had one
}

func (w *world) open(path string, header ...string) *stream {
	conn, err := net.Dial("tcp", w.host)
	require.NoError(w.t, err)
	w.t.Cleanup(func() { _ = conn.Close() })
	require.NoError(w.t, conn.SetDeadline(time.Now().Add(20*time.Second)))
	request := "GET " + path + " HTTP/1.1\r\nHost: " + w.host + "\r\n"
	for _, h := range header {
		request += h + "\r\n"
	}
	_, err = io.WriteString(conn, request+"\r\n")
	require.NoError(w.t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(w.t, err)
	require.Equal(w.t, http.StatusOK, response.StatusCode)
	require.Equal(w.t, "text/event-stream", response.Header.Get("Content-Type"))
	return &stream{t: w.t, conn: conn, body: bufio.NewReader(response.Body)}
}

// frame is one whole frame, as its fields.
type frame struct {
	event, id, data string
	seq             events.Seq
}

func (s *stream) frame() frame {
	var f frame
	for {
		line, err := s.body.ReadString('\n')
		require.NoError(s.t, err, "within a frame: %q", line)
		if line == "\n" {
			break
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "event":
			f.event = value
		case "id":
			f.id, s.last = value, value
		case "data":
			f.data = value
		}
	}
	var envelope struct{ Seq events.Seq }
	if f.data != "" {
		require.NoError(s.t, json.Unmarshal([]byte(f.data), &envelope))
	}
	f.seq = envelope.Seq
	return f
}

// record is the next frame with an id.
func (s *stream) record() frame {
	for {
		if f := s.frame(); f.id != "" {
			return f
		}
	}
}

// until reads up to a record with this seq.
func (s *stream) until(seq events.Seq) (seen map[events.Seq]string) {
	seen = map[events.Seq]string{}
	for {
		f := s.record()
		seen[f.seq] = f.data
		if f.seq == seq {
			return seen
		}
	}
}

// rest is what comes until the connection ends, and how it ends.
func (s *stream) rest() (string, error) {
	text, err := io.ReadAll(s.body)
	return string(text), err
}

// pair is a watcher of each kind, both at the head.
func (w *world) pair() (left, right *stream, seen map[events.Seq]string) {
	left, right = w.open(w.plain()), w.open(w.v1("events"))
	seen = left.until(w.head())
	right.until(w.head())
	require.Equal(w.t, "tidemark.live", right.frame().event)
	return left, right, seen
}

func (w *world) fault(name string) Report {
	status, body := w.post(w.demo.Session(), "application/json", `{"fault":"`+name+`"}`)
	require.Equal(w.t, http.StatusOK, status, body)
	var r Report
	require.NoError(w.t, json.Unmarshal([]byte(body), &r))
	require.Equal(w.t, name, r.Fault)
	require.NotEmpty(w.t, r.Happened)
	require.Equal(w.t, w.head(), r.Positions.LastSeq)
	return r
}

func (w *world) post(session, kind, body string) (status int, answer string) {
	response, err := http.Post("http://"+w.host+"/demo/sessions/"+session+"/faults", kind, strings.NewReader(body))
	require.NoError(w.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(w.t, err)
	return response.StatusCode, string(text)
}

func (w *world) get(path string) string {
	response, err := http.Get("http://" + w.host + path)
	require.NoError(w.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(w.t, err)
	require.Equal(w.t, http.StatusOK, response.StatusCode)
	return string(text)
}

// truth is what the log says, by seq.
func (w *world) truth() map[events.Seq]string {
	out := map[events.Seq]string{}
	page, err := w.demo.agent.log.Read(w.t.Context(), 0, 1_000_000)
	require.NoError(w.t, err)
	for _, e := range page.Events {
		out[e.Seq] = string(e.Text)
	}
	return out
}

func (w *world) back(left, right *stream) (*stream, *stream) {
	return w.open(w.plain(), "Last-Event-ID: "+left.last), w.open(w.v1("events"), "Last-Event-ID: "+right.last)
}
