package link_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// seeds are the bytes of the pipeline cases and of the frames in the stories.
func seeds(f *testing.F) {
	text, err := os.ReadFile("../../testdata/cases/pipeline.json")
	require.NoError(f, err)
	var cases []struct {
		Input struct {
			Chunks      []string
			Connections [][]string
		}
	}
	require.NoError(f, json.Unmarshal(text, &cases))
	require.NotEmpty(f, cases)
	for i, c := range cases {
		for _, chunks := range append(c.Input.Connections, c.Input.Chunks) {
			f.Add([]byte(strings.Join(chunks, "")), byte(i), byte(i%7))
		}
	}
	scripts, err := filepath.Glob(filepath.Join(stories, "*.txt"))
	require.NoError(f, err)
	for i, file := range scripts {
		script, err := os.ReadFile(file)
		require.NoError(f, err)
		var frames []string
		for _, line := range strings.Split(string(script), "\n") {
			if frame, ok := strings.CutPrefix(line, "|"); ok {
				frames = append(frames, strings.TrimPrefix(frame, " "))
			}
		}
		f.Add([]byte(strings.Join(frames, "\n")+"\n\n"), byte(i), byte(i))
	}
	// Observed without a proof: what was forced is the event at the cursor from then on.
	f.Add([]byte(strings.Repeat("data: {\"type\":\"a\",\"sessionId\":\"s1\",\"seq\":10,\"n\":1}\n\n", 2)), byte(1), byte(0x31))
}

// FuzzLink: whatever a server sends, cut wherever the network likes, the link
// does the same, hands over an unbroken run of the session or stops, and stays
// usable. mode picks options.
func FuzzLink(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, size, mode byte) {
		whole := newWatcher(t, mode)
		whole.run(data, len(data))
		cut := newWatcher(t, mode)
		cut.run(data, 1+int(size)%16)
		require.Equal(t, whole.trace, cut.trace, "the result does not depend on the cut (R-160)")
		require.Equal(t, whole.link.Cursors(), cut.link.Cursors())
	})
}

// watcher drives a link over connections that all bring the same bytes, and
// checks what it hands over.
type watcher struct {
	t        *testing.T
	link     *link.Link
	enforces bool
	now      link.Millis
	asked    bool // a connection is asked for
	cut      bool // the connection is given up
	over     bool // the only session has ended
	loading  bool
	received events.Seq
	trace    []string
}

func newWatcher(t *testing.T, mode byte) *watcher {
	w := &watcher{t: t, enforces: mode&1 == 0}
	o := link.Options{Report: mode&2 != 0, Load: mode&4 != 0, MaxFrame: 1 << 12}
	if !w.enforces {
		o.Mode = link.Observe
	}
	if mode&8 == 0 {
		w.received = events.Seq(mode >> 4)
		o.Cursors = []cursor.Cursor{{Session: "s1", Seq: w.received}}
	}
	var err error
	w.link, err = link.New(o)
	require.NoError(t, err)
	w.link.Start(w.moment())
	w.drain()
	return w
}

func (w *watcher) moment() link.Moment { return link.Moment{Now: w.now} }

// run serves data on three connections, in pieces of size, and stops.
func (w *watcher) run(data []byte, size int) {
	for range 3 {
		if !w.asked {
			w.now += 100_000 // longer than any wait
			w.link.Tick(w.moment())
			w.drain()
		}
		w.connection(data, size)
	}
	w.link.Stop()
	w.drain()
	require.True(w.t, w.over, "a stopped link has ended")
	w.connection(data, size)
	require.False(w.t, w.asked, "no connection after the end (R-134)")
}

func (w *watcher) connection(rest []byte, size int) {
	w.asked, w.cut = false, false
	w.link.Opened(w.moment(), link.Response{Status: 200, ContentType: "text/event-stream"})
	w.drain()
	for len(rest) > 0 && !w.cut {
		n := min(size, len(rest))
		w.link.Feed(w.moment(), rest[:n])
		w.drain()
		rest = rest[n:]
	}
	if !w.cut {
		w.link.Closed(w.moment(), true)
		w.drain()
	}
}

// drain takes all actions, and answers a load with a snapshot that is further on.
func (w *watcher) drain() {
	for a := w.link.Next(); a != nil; a = w.link.Next() {
		w.check(a)
		if a.Kind != link.Position && a.Kind != link.Wake { // these come once for a drain
			w.trace = append(w.trace, strconv.Itoa(int(a.Kind))+" "+strconv.FormatUint(uint64(a.Seq), 10)+" "+string(a.Data))
		}
	}
	if !w.loading {
		return
	}
	w.loading = false
	session := w.link.Session(0)
	if session == "" {
		session = "s1"
	}
	w.received++
	w.link.Loaded(w.moment(), 0, cursor.Cursor{Session: session, Seq: w.received})
	w.drain()
}

// check holds one action against what the app was promised.
func (w *watcher) check(a *link.Action) {
	switch a.Kind {
	case link.Deliver, link.Draft, link.Restart, link.Live, link.State, link.End, link.Fail:
		require.False(w.t, w.over && a.Kind != link.Fail, "nothing after the end (R-134)")
	}
	switch a.Kind {
	case link.Deliver:
		if w.enforces {
			require.Equal(w.t, w.received+1, a.Seq, "the next one, and no other")
		}
		w.received = a.Seq
	case link.Connect:
		require.Len(w.t, a.Asks, 1)
		w.asked, w.cut = true, true
	case link.Close:
		w.cut = true
	case link.Refused:
		w.over = true // unless the app loads
	case link.Load:
		w.loading, w.over = true, false
	case link.End, link.Fail:
		w.over, w.cut = true, true
	}
}
