package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// linesOf are all records of a log above a seq, as they are stored.
func linesOf(t *testing.T, log sessionlog.Log, since events.Seq) string {
	var out bytes.Buffer
	for more := true; more; {
		lines, again, err := log.Records(t.Context(), since, 0)
		require.NoError(t, err)
		for _, line := range lines {
			out.Write(append(bytes.Clone(line), '\n'))
			since = checkpoint.SeqOf(line)
		}
		more = again
	}
	return out.String()
}

// The records come byte for byte, over any number of pages, up to the head as the
// request found it.
func TestRecords(t *testing.T) {
	for _, records := range []int{0, 1, 7, 8, 9, 40} {
		store := memory.New(memory.Options{})
		log := created(t, store, "s", 0)
		_, err := log.Acquire(t.Context())
		require.NoError(t, err)
		for range records {
			_, err := log.Append(t.Context(), "1", []byte(`{ "type":"turn_started", "turnId":"t", "n": 1.50 }`))
			require.NoError(t, err)
		}
		want := linesOf(t, log, 0)
		grows := &growing{Store: store, log: func() {
			_, err := log.Append(t.Context(), "1", []byte(`{"type":"turn_started","turnId":"later"}`))
			require.NoError(t, err)
		}}
		w := get(serve.New(grows, serve.Options{PageSize: 8}), "/v1/sessions/s/records")
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, "application/x-ndjson", w.Header().Get("Content-Type"))
		require.Equal(t, want, w.Body.String())
		if records > 0 {
			require.Contains(t, want, `"gen":1`)
			require.Contains(t, want, `"n": 1.50`)
		}
	}
}

func TestRecordsSince(t *testing.T) {
	store := memory.New(memory.Options{})
	log := created(t, store, "s", 20)
	handler := serve.New(store, serve.Options{PageSize: 3})
	for query, since := range map[string]events.Seq{"": 0, "?since=0": 0, "?since=5": 5, "?since=19": 19, "?since=20": 20} {
		w := get(handler, "/v1/sessions/s/records"+query)
		require.Equal(t, http.StatusOK, w.Code, query)
		require.Equal(t, linesOf(t, log, since), w.Body.String(), query)
	}
	for _, query := range []string{"?since=-1", "?since=x", "?since=1.5", "?since=", "?since=1&since=2", "?since=9007199254740992", "?since=%zz", "?since=5;"} {
		requireProblem(t, get(handler, "/v1/sessions/s/records"+query), 400, "stream.invalid_options")
	}
	requireProblem(t, get(handler, "/v1/sessions/other/records"), 404, "stream.unknown_session")
	requireCode(t, get(handler, "/v1/sessions/s/records?since=21"), 409, "cursor_ahead")
	require.NoError(t, log.Prune(t.Context(), 6))
	requireCode(t, get(handler, "/v1/sessions/s/records"), 410, "gap")
	require.Equal(t, linesOf(t, log, 5), get(handler, "/v1/sessions/s/records?since=5").Body.String())
}

// Whoever asks for no body is sent none.
func TestRecordsHead(t *testing.T) {
	store := memory.New(memory.Options{})
	created(t, store, "s", 3)
	w := httptest.NewRecorder()
	serve.New(store, serve.Options{}).ServeHTTP(w, httptest.NewRequest(http.MethodHead, "/v1/sessions/s/records", nil))
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "application/x-ndjson", w.Header().Get("Content-Type"))
	require.Zero(t, w.Body.Len())
}

func requireCode(t *testing.T, w *httptest.ResponseRecorder, status int, code string) {
	t.Helper()
	require.Equal(t, status, w.Code, w.Body)
	require.Contains(t, w.Body.String(), `"code":"`+code+`"`)
}

// changing is a store whose log does something before one of its pages is read.
type changing struct {
	sessionlog.Store
	page   int
	before func() error
}

type changingLog struct {
	sessionlog.Log
	of *changing
}

func (s *changing) Open(ctx context.Context, session string) (sessionlog.Log, error) {
	log, err := s.Store.Open(ctx, session)
	return &changingLog{log, s}, err
}

func (l *changingLog) Records(ctx context.Context, since events.Seq, limit int) ([][]byte, bool, error) {
	if l.of.page--; l.of.page == 0 {
		if err := l.of.before(); err != nil {
			return nil, false, err
		}
	}
	return l.Log.Records(ctx, since, limit)
}

// A part of a log is never taken for the whole, nor is what two logs say spliced:
// behind the first page, the connection is cut.
func TestRecordsOfALogThatChanges(t *testing.T) {
	for name, before := range map[string]func(log *memory.Log) error{
		"it loses its tail": func(log *memory.Log) error { log.Lose(2); return nil },
		"it is pruned":      func(log *memory.Log) error { return log.Prune(context.Background(), 9) },
		"it is taken over":  func(log *memory.Log) error { _, err := log.Acquire(context.Background()); return err },
		"it fails":          func(*memory.Log) error { return errors.New("broken") },
	} {
		for page, cut := range map[int]bool{1: false, 3: true} {
			t.Run(name, func(t *testing.T) {
				store := memory.New(memory.Options{})
				log := created(t, store, "s", 10).(*memory.Log)
				server, _ := serving(t, &changing{store, page, func() error { return before(log) }}, serve.Options{PageSize: 2})
				answer, err := http.Get(server.URL + "/v1/sessions/s/records")
				require.NoError(t, err)
				defer answer.Body.Close()
				text, err := io.ReadAll(answer.Body)
				require.Equal(t, cut, err != nil, "%s", text)
				if !cut && answer.StatusCode == http.StatusOK {
					require.Equal(t, linesOf(t, log, 0), string(text))
				}
			})
		}
	}
}

// A client that reads slowly holds one page, and one that stops reading is given up.
func TestRecordsToAClientThatStopsReading(t *testing.T) {
	store := memory.New(memory.Options{})
	log := created(t, store, "s", 0)
	big := []byte(`{"type":"message_completed","turnId":"t","content":"` + strings.Repeat("x", 1<<20) + `"}`)
	for range 30 {
		_, err := log.Append(t.Context(), "", big)
		require.NoError(t, err)
	}
	reads := &changing{Store: store, page: 25, before: func() error { return fault.New(fault.InternalFault, "no more than fits", "a reading ahead") }}
	server, _ := serving(t, reads, serve.Options{PageSize: 1, WriteTimeout: 50 * time.Millisecond, OnError: func(_ string, err error) { t.Error(err) }})
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4096))
	_, err = io.WriteString(conn, "GET /v1/sessions/s/records HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	status, err := bufio.NewReaderSize(conn, 16).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, status, "200")
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		server.Config.SetKeepAlivesEnabled(false)
		server.Close() // waits for the handler of the dead client
	}()
	select {
	case <-closed:
	case <-time.After(20 * time.Second):
		t.Fatal("a client that does not read was not given up")
	}
}
