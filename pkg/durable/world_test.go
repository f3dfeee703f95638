package durable_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/durable/disk"
	"github.com/tidemark-stream/tidemark/pkg/durable/memory"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	logdisk "github.com/tidemark-stream/tidemark/pkg/sessionlog/disk"
	logmemory "github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

const start = int64(1767225600000) // 2026-01-01T00:00:00Z

// world is a session with its log and its store, and a clock that stands still.
type world struct {
	t     *testing.T
	now   int64
	ids   int
	log   sessionlog.Log
	store durable.Store
	lease events.Generation
	o     durable.Options
	dir   string // of log and store on disk
	*durable.Session
}

var scope = listing.Scope{TenantID: "acme", ProjectID: "web", SessionID: "s1"}

func run(turn string) listing.RunScope {
	return listing.RunScope{TenantID: "acme", ProjectID: "web", SessionID: "s1", RunID: turn}
}

// inMemory is a session that has its log and its store in memory.
func inMemory(t *testing.T) *world {
	w := &world{t: t, now: start, store: memory.New()}
	logs := logmemory.New(logmemory.Options{Now: w.time})
	return w.begin(logs)
}

// onDisk is a session that has both on disk.
func onDisk(t *testing.T) *world {
	w := &world{t: t, now: start, dir: t.TempDir()}
	w.store = w.openStore()
	return w.begin(w.openLogs())
}

func (w *world) openStore() durable.Store {
	store, err := disk.New(filepath.Join(w.dir, "runs"), disk.Options{Of: scope})
	require.NoError(w.t, err)
	return store
}

func (w *world) openLogs() sessionlog.Store {
	logs, err := logdisk.New(filepath.Join(w.dir, "logs"), logdisk.Options{Now: w.time, NoSync: true})
	require.NoError(w.t, err)
	w.t.Cleanup(func() { require.NoError(w.t, logs.Close()) })
	return logs
}

func (w *world) begin(logs sessionlog.Store) *world {
	log, err := logs.Create(w.t.Context(), "s1")
	require.NoError(w.t, err)
	w.lease, err = log.Acquire(w.t.Context())
	require.NoError(w.t, err)
	return w.on(log)
}

// on makes the session anew, on this log.
func (w *world) on(log sessionlog.Log) *world {
	w.log = log
	w.o = durable.Options{
		Log: log, Store: w.store, Scope: listing.Scope{TenantID: "acme", ProjectID: "web"}, Lease: w.lease, Clock: func() int64 { return w.now },
		NewID: func() string {
			w.ids++
			return fmt.Sprint("c", w.ids)
		},
	}
	return w.anew()
}

// anew is what another process would see: a Session that has read nothing.
func (w *world) anew() *world {
	var err error
	w.Session, err = durable.New(w.o)
	require.NoError(w.t, err)
	return w
}

func (w *world) time() time.Time { return time.UnixMilli(w.now) }

// add appends events of turn t1, each given as its type and further members.
func (w *world) add(rest ...string) {
	for _, r := range rest {
		kind, more, _ := strings.Cut(r, ",")
		if more != "" {
			more = "," + more
		}
		_, err := w.log.Append(w.t.Context(), w.lease, []byte(`{"type":"`+kind+`","turnId":"t1"`+more+`}`))
		require.NoError(w.t, err)
	}
}

func message(id, content string) string {
	return `message,"messageId":"` + id + `","content":` + content
}

const (
	userSays      = `{"role":"user","content":"go"}`
	assistantSays = `{"role":"assistant","content":"done"}`
)

// state is what turn t1 says at an iteration.
func state(iteration int64) checkpoint.State {
	return checkpoint.State{TurnID: "t1", Iteration: iteration, TokenUsage: []byte(`{"in":3}`), CostInfo: []byte(`{}`), TurnCreatedAt: start}
}

func (w *world) commit(iteration int64) *durable.Committed {
	w.now += 1000
	made, err := w.Commit(w.t.Context(), state(iteration))
	require.NoError(w.t, err)
	return made
}

// records are the lines of the log.
func (w *world) records() (lines []string) {
	all, more, err := w.log.Records(w.t.Context(), 0, 1000)
	require.NoError(w.t, err)
	require.False(w.t, more)
	for _, l := range all {
		lines = append(lines, string(l))
	}
	return lines
}

// types are the types of the records.
func (w *world) types() string {
	var names []string
	for _, l := range w.records() {
		_, rest, _ := strings.Cut(l, `"type":"`)
		name, _, _ := strings.Cut(rest, `"`)
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func (w *world) listed() string {
	list, err := w.List(w.t.Context(), "t1")
	require.NoError(w.t, err)
	require.Empty(w.t, list.Unreadable)
	var ids []string
	for _, e := range list.Entries {
		ids = append(ids, e.ID)
	}
	return strings.Join(ids, " ")
}

func (w *world) ask(checkpointID string, ttl int64) *park.Park {
	p, err := w.Park(w.t.Context(), durable.Question{TurnID: "t1", CheckpointID: checkpointID, Request: []byte(`{"type":"plan","x":[1.0]}`), TTL: &ttl})
	require.NoError(w.t, err)
	return p
}

func fence(p *park.Park) durable.Fence { return durable.Fence{Seq: p.Seq, Generation: p.Generation} }

var human = park.By{Kind: "user", Role: "owner", TenantID: "acme"}

const approve = `{"action":"approve_plan"}`

func requireFault(t *testing.T, err error, id fault.ID, more ...any) {
	t.Helper()
	require.ErrorIs(t, err, id, more...)
	var f *fault.Fault
	require.ErrorAs(t, err, &f)
	require.NotEmpty(t, f.Expected)
	require.NotEmpty(t, f.Found)
}

// everywhere runs a test on logs and stores in memory and on disk.
func everywhere(t *testing.T, test func(t *testing.T, w *world)) {
	t.Run("memory", func(t *testing.T) { test(t, inMemory(t)) })
	t.Run("disk", func(t *testing.T) { test(t, onDisk(t)) })
}

func read(t *testing.T, path ...string) string {
	text, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(text)
}

func write(t *testing.T, text string, path ...string) {
	require.NoError(t, os.WriteFile(filepath.Join(path...), []byte(text), 0o644))
}

var errCrash = errors.New("the process ended here")

// crashing is a log that takes no record of a type any more.
type crashing struct {
	sessionlog.Log
	kind string
}

func (c crashing) Append(ctx context.Context, g events.Generation, text []byte) (sessionlog.Event, error) {
	if strings.Contains(string(text), `"type":"`+c.kind+`"`) {
		return sessionlog.Event{}, errCrash
	}
	return c.Log.Append(ctx, g, text)
}
