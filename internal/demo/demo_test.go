package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

// world is a demo on a real socket, whose agent plays one event a tick.
type world struct {
	t    *testing.T
	demo *Demo
	host string
	tick chan time.Time
}

func newWorld(t *testing.T, o Options) *world {
	w := &world{t: t, tick: make(chan time.Time)}
	o.After = func(time.Duration) <-chan time.Time { return w.tick }
	if o.Seed == 0 {
		o.Seed = 42
	}
	if o.History == 0 {
		o.History = 40
	}
	var err error
	w.demo, err = New(t.Context(), o)
	require.NoError(t, err)
	server := httptest.NewServer(w.demo)
	w.host = strings.TrimPrefix(server.URL, "http://")
	ctx, stop := context.WithCancel(t.Context())
	go func() { _ = w.demo.Run(ctx) }() // ends by stop
	t.Cleanup(func() {
		w.demo.Close()
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

func TestBothRoutesShowTheSameSession(t *testing.T) {
	w := newWorld(t, Options{})
	left, right, _ := w.pair()
	require.Equal(t, "40", left.last)
	require.Equal(t, w.demo.Session()+":40@1", right.last)
	w.play(60)
	truth := w.truth()
	for range 60 {
		l, r := left.frame(), right.frame()
		require.Equal(t, l.data, r.data)
		if l.seq > 0 {
			require.Equal(t, strconv.Itoa(int(l.seq)), l.id)
			require.Equal(t, truth[l.seq], l.data)
		} else {
			require.Empty(t, l.id+r.id)
		}
	}
}

func TestPlainStartsBehindTheNumberItIsGiven(t *testing.T) {
	w := newWorld(t, Options{})
	for _, c := range []struct {
		path, header string
		first        events.Seq
	}{
		{w.plain(), "", 1},
		{w.plain() + "?since=7", "", 8},
		{w.plain() + "?since=7", "Last-Event-ID: 30", 31},
		{w.plain(), "Last-Event-ID: ses:12", 1},
	} {
		var header []string
		if c.header != "" {
			header = []string{c.header}
		}
		require.Equal(t, c.first, w.open(c.path, header...).record().seq, c)
	}
	response, err := http.Get("http://" + w.host + "/plain/sessions/nobody/events")
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, http.StatusNotFound, response.StatusCode)
}

func TestCutTearsAFrame(t *testing.T) {
	w := newWorld(t, Options{})
	left, right, _ := w.pair()
	r := w.fault("cut")
	require.Equal(t, 2, r.Connections)
	torn := *r.Positions.EventSeq
	truth := w.truth()
	for _, s := range []*stream{left, right} {
		rest, err := s.rest()
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "the body must have no end")
		at := strings.LastIndex(rest, "\n\n") + 2
		if at < 2 {
			at = 0
		}
		begun, whole := rest[at:], "data: "+truth[torn]+"\n\n"
		_, data, ok := strings.Cut(begun, "\n")
		require.True(t, ok, begun)
		require.True(t, len(data) > 0 && strings.HasPrefix(whole, data) && len(data) < len(whole)-2, data)
		s.last = replaceSeq(s.last, torn-1)
	}
	left, right = w.back(left, right)
	require.Equal(t, torn, left.record().seq)
	require.Contains(t, right.frame().data, `"verdict":"replayed"`)
	require.Equal(t, torn, right.record().seq)
}

// replaceSeq puts another seq into an id of either route.
func replaceSeq(id string, seq events.Seq) string {
	session, place, token := strings.Cut(id, ":")
	if !token {
		return strconv.Itoa(int(seq))
	}
	_, generation, _ := strings.Cut(place, "@")
	return session + ":" + strconv.Itoa(int(seq)) + "@" + generation
}

// requireDeploy reads what was sent before a stream ended in good order.
func requireDeploy(t *testing.T, seen map[events.Seq]string, streams ...*stream) {
	for _, s := range streams {
		rest, err := s.rest()
		require.NoError(t, err)
		require.True(t, rest == "" || strings.HasSuffix(rest, "\n\n"), rest)
		for f := range strings.SplitSeq(rest, "\n\n") {
			id, data, ok := strings.Cut(strings.TrimPrefix(f, "id: "), "\ndata: ")
			if ok {
				s.last = id
				seen[parseSeq(id)] = data
			}
		}
	}
}

func parseSeq(id string) events.Seq {
	_, place, token := strings.Cut(id, ":")
	if !token {
		place = id
	}
	place, _, _ = strings.Cut(place, "@")
	seq, _ := strconv.Atoi(place)
	return events.Seq(seq)
}

func TestTakeoverReplacesWhatEverybodySaw(t *testing.T) {
	w := newWorld(t, Options{})
	left, right, seen := w.pair()
	r := w.fault("takeover")
	p := r.Positions
	require.Equal(t, "2", string(p.Generation))
	require.Equal(t, "1", string(p.PreviousGeneration))
	require.Equal(t, events.Seq(40), *p.SnapshotSeq)
	require.GreaterOrEqual(t, p.SeenSeq, *p.SnapshotSeq+unseen)
	require.GreaterOrEqual(t, p.LastSeq, p.SeenSeq, "the numbers connect")
	requireDeploy(t, seen, left, right)
	require.Equal(t, strconv.Itoa(int(p.SeenSeq)), left.last)

	truth := w.truth()
	for seq := events.Seq(1); seq <= p.SeenSeq; seq++ {
		require.Equal(t, seq <= *p.SnapshotSeq, seen[seq] == truth[seq], "seq %d", seq)
	}
	require.Contains(t, truth[*p.SnapshotSeq+1], `"code":"interrupted"`)

	left, right = w.back(left, right)
	require.Contains(t, right.frame().data, `"verdict":"unavailable"`)
	refused := right.frame()
	require.Equal(t, "tidemark.refused", refused.event)
	require.Contains(t, refused.data, `"reason":"generation_changed"`)
	require.Contains(t, refused.data, `"savedGeneration":"1","observedGeneration":"2"`)
	w.play(30)
	require.Equal(t, p.SeenSeq+1, left.record().seq, "the plain side goes on as if nothing had happened")
}

func TestLoseStartsAgainUnderTheSameGeneration(t *testing.T) {
	w := newWorld(t, Options{})
	left, right, seen := w.pair()
	r := w.fault("lose")
	require.Equal(t, events.Seq(0), r.Positions.LastSeq)
	require.Equal(t, events.Seq(1), r.Positions.OldestSeq)
	require.Equal(t, "1", string(r.Positions.Generation))
	requireDeploy(t, seen, left, right)
	left, right = w.back(left, right)
	right.frame()
	refused := right.frame().data
	require.Contains(t, refused, `"reason":"cursor_ahead"`)
	require.Contains(t, refused, `"savedSeq":40`)
	require.Contains(t, refused, `"lastSeq":0`)
	w.play(12)
	require.Equal(t, events.Seq(1), left.record().seq, "the plain side counts from the beginning, in the middle of its page")
}

// Nobody is back: the agent goes on by itself after a while.
func TestLoseDoesNotWaitForEver(t *testing.T) {
	w := newWorld(t, Options{})
	w.pair()
	w.fault("lose")
	w.play(2) // the first one ends the silence
	w.fault("drop")
	require.NotZero(t, w.head())
}

func TestPruneGoesBeyondEveryWatcher(t *testing.T) {
	w := newWorld(t, Options{})
	left, right, seen := w.pair()
	r := w.fault("prune")
	p := r.Positions
	require.Greater(t, p.OldestSeq, p.SeenSeq+1)
	require.GreaterOrEqual(t, p.LastSeq, p.OldestSeq)
	requireDeploy(t, seen, left, right)
	left, right = w.back(left, right)
	require.Equal(t, p.OldestSeq, left.record().seq, "the plain side has a hole and does not know")
	right.frame()
	refused := right.frame().data
	require.Contains(t, refused, `"reason":"gap","detail":"pruned"`)
	require.Contains(t, refused, `"oldestSeq":`+strconv.Itoa(int(p.OldestSeq)))
}

func TestDropAndRepeatBendTheOpenStreams(t *testing.T) {
	for name, times := range map[string]int{"drop": 0, "repeat": 2} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Options{})
			left, right, _ := w.pair()
			r := w.fault(name)
			seq := *r.Positions.EventSeq
			require.Equal(t, 2, r.Connections)
			require.Contains(t, w.truth()[seq], `"type":"`+r.Positions.EventType+`"`)
			for _, s := range []*stream{left, right} {
				got := 0
				f := s.record()
				for ; f.seq <= seq; f = s.record() {
					if f.seq == seq {
						got++
					}
				}
				require.Equal(t, times, got)
				require.Equal(t, seq+1, f.seq)
			}
			again := w.open(w.v1("events") + "?cursor=" + replaceSeq(right.last, seq-1))
			again.frame()
			require.Equal(t, seq, again.record().seq, "the log has it once")
			require.Equal(t, seq+1, again.record().seq)
		})
	}
}

// One fault after the other, in every order of two, leaves a log that connects.
func TestFaultsFollowEachOther(t *testing.T) {
	w := newWorld(t, Options{})
	for _, a := range faults {
		for _, b := range faults {
			w.fault(a.name)
			w.fault(b.name)
			s := w.open(w.v1("events") + "?from=now")
			require.Contains(t, s.frame().data, `"verdict":"complete"`)
			require.NoError(t, s.conn.Close())
		}
	}
	head, err := w.demo.agent.log.Head(t.Context())
	require.NoError(t, err)
	truth := w.truth()
	for seq := head.OldestSeq; seq <= head.LastSeq; seq++ {
		require.NotEmpty(t, truth[seq])
	}
}

func TestTheSessionPageNamesEverything(t *testing.T) {
	w := newWorld(t, Options{Speed: 2})
	response, err := http.Get("http://" + w.host + "/demo/session")
	require.NoError(t, err)
	defer response.Body.Close()
	var page map[string]any
	require.NoError(t, json.NewDecoder(response.Body).Decode(&page))
	id := w.demo.Session()
	require.Equal(t, map[string]any{
		"id": id, "eventsUrl": w.v1("events"), "logUrl": w.v1("log"), "transcriptUrl": w.v1("transcript"), "plainUrl": w.plain(),
		"faultsUrl": "/demo/sessions/" + id + "/faults", "speed": 2.0,
		"faults": []any{"cut", "takeover", "lose", "prune", "drop", "repeat"},
	}, page)
	for _, url := range []string{w.v1("log"), w.v1("transcript")} {
		response, err := http.Get("http://" + w.host + url)
		require.NoError(t, err)
		text, err := io.ReadAll(response.Body)
		require.NoError(t, errors.Join(err, response.Body.Close()))
		require.Equal(t, http.StatusOK, response.StatusCode)
		require.True(t, json.Valid(text))
	}
}

func TestFaultsThatAreNone(t *testing.T) {
	w := newWorld(t, Options{})
	id := w.demo.Session()
	for _, c := range []struct {
		session, kind, body string
		status              int
		says                string
	}{
		{id, "application/json", `{"fault":"flood"}`, 400, `one of cut, takeover, lose, prune, drop, repeat`},
		{id, "application/json", `{}`, 400, "stream.invalid_options"},
		{id, "application/json", `{"fault":1}`, 400, "stream.invalid_options"},
		{id, "application/json", `{"fault":"cut","now":true}`, 400, "unknown field"},
		{id, "application/json", `{"fault":"` + strings.Repeat("x", 2000) + `"}`, 400, "too large"},
		{id, "text/plain", `{"fault":"cut"}`, 415, "application/json"},
		{"ses_other", "application/json", `{"fault":"cut"}`, 404, "stream.unknown_session"},
	} {
		status, body := w.post(c.session, c.kind, c.body)
		require.Equal(t, c.status, status, body)
		require.Contains(t, body, c.says)
	}
	require.Equal(t, events.Seq(40), w.head(), "nothing happened")
}

func TestChildrenHaveLogsOfTheirOwn(t *testing.T) {
	w := newWorld(t, Options{History: 1200})
	ids, err := w.demo.store.List(t.Context())
	require.NoError(t, err)
	children := 0
	for _, id := range ids {
		if id == w.demo.Session() {
			continue
		}
		children++
		s := w.open("/v1/sessions/" + id + "/events")
		require.Contains(t, s.frame().data, `"generation":1`)
		require.Contains(t, s.record().data, `"type":"session_started"`)
	}
	require.Positive(t, children)
	require.LessOrEqual(t, children, keepChildren)
	for _, text := range w.truth() {
		require.Contains(t, text, `"sessionId":"`+w.demo.Session()+`"`)
	}
}

func TestRetentionIsBounded(t *testing.T) {
	w := newWorld(t, Options{History: 500, Retain: 100})
	require.Len(t, w.truth(), 100)
	require.Equal(t, events.Seq(401), w.open(w.plain()).record().seq)
}

func TestCloseEndsStreamsInGoodOrder(t *testing.T) {
	w := newWorld(t, Options{})
	left, right, _ := w.pair()
	w.demo.Close()
	for _, s := range []*stream{left, right} {
		_, err := s.rest()
		require.NoError(t, err)
	}
}

// With a clock of its own the demo runs by itself.
func TestRunByTheRealClock(t *testing.T) {
	d, err := New(t.Context(), Options{Speed: 1000, History: 10})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	go func() { _ = d.Run(ctx) }() // ends by stop
	log, err := d.store.Open(ctx, d.Session())
	require.NoError(t, err)
	tail, err := log.Subscribe(ctx)
	require.NoError(t, err)
	for last := events.Seq(0); last < 40; {
		batch, err := tail.Next(ctx)
		require.NoError(t, err)
		last = max(last, batch[len(batch)-1].Seq)
	}
	stop()
	<-d.over
	_, err = d.ask(t.Context(), "cut", (*Demo).cut)
	require.ErrorIs(t, err, errOver)
}
