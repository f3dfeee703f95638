package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

var update = flag.Bool("update", false, "write what happens into the stories")

// A story is a script of commands ("$ …"), each followed by what it says ("| …").
// What a server sends is there byte for byte, over a real socket; a frame is
// closed by an empty line.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/stories/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			told, err := os.ReadFile(file)
			require.NoError(t, err)
			happened := tell(t, string(told))
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(happened), 0o644))
				return
			}
			require.Equal(t, string(told), happened)
		})
	}
}

// tell plays the commands of a story and answers it with what they said.
func tell(t *testing.T, text string) string {
	w := newWorld(t)
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			continue
		}
		out.WriteString(line)
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ "); ok {
			for said := range strings.Lines(w.do(command)) {
				out.WriteString(strings.TrimRight("| "+strings.TrimSuffix(said, "\n"), " ") + "\n")
			}
		}
	}
	return out.String()
}

// world is a server, its store, and the open streams by name.
type world struct {
	t       *testing.T
	store   *memory.Store
	server  *httptest.Server
	streams map[string]*incoming
	mu      sync.Mutex
	ended   map[string]string
	count   map[string]int
}

type incoming struct {
	response *http.Response
	lines    *bufio.Reader
	stop     context.CancelFunc
}

func newWorld(t *testing.T) *world {
	w := &world{
		t: t, streams: map[string]*incoming{}, ended: map[string]string{}, count: map[string]int{},
		store: memory.New(memory.Options{Now: func() time.Time { return time.UnixMilli(1_700_000_000_000) }}),
	}
	handler := serve.New(w.store, serve.Options{
		Heartbeat: time.Hour, PageSize: 3, MaxLimit: 4, MaxSessions: 3,
		Origins: []string{"https://app.example"},
		Authorize: func(r *http.Request, session string) int {
			if strings.HasPrefix(session, "secret") && r.Header.Get("Authorization") == "" {
				return http.StatusUnauthorized
			}
			return 0
		},
		Ended: func(_ context.Context, session string) (string, bool) {
			w.mu.Lock()
			defer w.mu.Unlock()
			reason, ended := w.ended[session]
			return reason, ended
		},
	})
	w.server = httptest.NewServer(handler)
	t.Cleanup(func() {
		for _, s := range w.streams {
			s.stop()
		}
		handler.Close()
		w.server.Close()
	})
	return w
}

// commands of a story; what they answer is what they say.
var commands = map[string]func(w *world, args []string) string{
	"create": func(w *world, a []string) string { _, err := w.store.Create(w.t.Context(), a[0]); return failed(err) },
	"acquire": func(w *world, a []string) string {
		g, err := w.log(a[0]).Acquire(w.t.Context())
		return string(g) + failed(err)
	},
	"append":  (*world).append,
	"event":   (*world).event,
	"publish": func(w *world, a []string) string { return failed(w.publish(a)) },
	"prune":   func(w *world, a []string) string { return failed(w.log(a[0]).Prune(w.t.Context(), number(a[1]))) },
	"lose":    func(w *world, a []string) string { w.log(a[0]).(*memory.Log).Lose(number(a[1])); return "" },
	"delete":  func(w *world, a []string) string { return failed(w.store.Delete(w.t.Context(), a[0])) },
	"end":     (*world).end,
	"get":     (*world).get,
	"frames":  func(w *world, a []string) string { return strings.Join(w.frames(a), "") },
	"sorted":  func(w *world, a []string) string { f := w.frames(a); slices.Sort(f); return strings.Join(f, "") },
	"eof":     (*world).eof,
}

func (w *world) do(command string) string {
	args := strings.Fields(command)
	run := commands[args[0]]
	require.NotNil(w.t, run, "no such command: %s", command)
	return run(w, args[1:])
}

func (w *world) log(session string) sessionlog.Log {
	log, err := w.store.Open(w.t.Context(), session)
	require.NoError(w.t, err)
	return log
}

func (w *world) generation(session string) events.Generation {
	head, err := w.log(session).Head(w.t.Context())
	require.NoError(w.t, err)
	return head.Generation
}

// append SESSION N: numbered events under the lease of the moment.
func (w *world) append(a []string) string {
	for range number(a[1]) {
		w.count[a[0]]++
		text := fmt.Appendf(nil, `{"type":"iteration_started","turnId":"t1","iteration":%d}`, w.count[a[0]])
		_, err := w.log(a[0]).Append(w.t.Context(), w.generation(a[0]), text)
		require.NoError(w.t, err)
	}
	return ""
}

func (w *world) event(a []string) string {
	_, err := w.log(a[0]).Append(w.t.Context(), w.generation(a[0]), []byte(strings.Join(a[1:], " ")))
	return failed(err)
}

func (w *world) publish(a []string) error {
	return w.log(a[0]).Publish(w.t.Context(), w.generation(a[0]), []byte(strings.Join(a[1:], " ")))
}

func (w *world) end(a []string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended[a[0]] = a[1]
	return ""
}

// get NAME PATH [Header:value]…: says the status and, when it is no stream, the
// headers that matter and the body.
func (w *world) get(a []string) string {
	ctx, cancel := context.WithTimeout(w.t.Context(), 20*time.Second)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.server.URL+a[1], nil)
	require.NoError(w.t, err)
	for _, h := range a[2:] {
		name, value, _ := strings.Cut(h, ":")
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(w.t, err)
	w.streams[a[0]] = &incoming{response: response, lines: bufio.NewReader(response.Body), stop: cancel}
	said := response.Status + "\n"
	for _, name := range []string{"Content-Type", "Cache-Control", "ETag", "X-Accel-Buffering", "Access-Control-Allow-Origin"} {
		if value := response.Header.Get(name); value != "" {
			said += name + ": " + value + "\n"
		}
	}
	if response.Header.Get("Content-Type") == "text/event-stream" {
		return said
	}
	return said + w.eof(a)
}

// frames NAME N: reads the next N frames.
func (w *world) frames(a []string) []string {
	s, out := w.streams[a[0]], make([]string, number(a[1]))
	for i := range out {
		for !strings.HasSuffix(out[i], "\n\n") {
			line, err := s.lines.ReadString('\n')
			require.NoError(w.t, err, "the stream ended within the frames asked for: %q", out[:i+1])
			out[i] += line
		}
	}
	return out
}

// eof NAME: says what is left of a body that ends.
func (w *world) eof(a []string) string {
	var rest bytes.Buffer
	_, err := rest.ReadFrom(w.streams[a[0]].lines)
	require.NoError(w.t, err)
	return rest.String()
}

func number(text string) events.Seq {
	n, err := strconv.ParseUint(text, 10, 53)
	if err != nil {
		panic(err)
	}
	return events.Seq(n)
}

func failed(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
