package durable_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
)

// what is committed is the log as it is, and the record says so.
func TestCommit(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.add("session_started", message("m1", userSays))
		made := w.commit(2)
		var c checkpoint.Chain
		for _, l := range w.records()[:2] {
			c.Add([]byte(l))
		}
		require.Equal(t, checkpoint.Document{
			CheckpointID: "c1", SessionID: "s1", ThroughSeq: 2, ThroughSHA256: c.Sum(), CreatedAt: start + 1000, State: state(2),
		}, made.Document)
		require.Equal(t, events.Seq(3), made.Seq)
		text, err := w.store.Get(t.Context(), run("t1"), "c1")
		require.NoError(t, err)
		require.Equal(t, string(made.Document.AppendJSON(nil)), string(text))
		written, err := checkpoint.ReadWritten([]byte(w.records()[2]))
		require.NoError(t, err)
		require.Equal(t, checkpoint.Written{Receipt: made.Receipt, TurnID: "t1", SessionID: "s1", Seq: 3, Generation: "1", At: start + 1000}, written)

		again := w.commit(3)
		require.Equal(t, events.Seq(3), again.Document.ThroughSeq, "it covers the record of the one before")
		require.Equal(t, "c1 c2", w.listed())
		w.anew()
		require.Equal(t, "c1 c2", w.listed())
		for _, id := range []string{"c1", "c2"} {
			_, err := w.Restore(t.Context(), "t1", id)
			require.NoError(t, err)
		}
	})
}

// noting is a store that tells what the log was when a document came.
type noting struct {
	durable.Store
	note func()
}

func (n noting) Put(ctx context.Context, r listing.RunScope, id string, text []byte) (checkpoint.Receipt, error) {
	n.note()
	return n.Store.Put(ctx, r, id, text)
}

// the document first, then the record; between the two there is none.
func TestACrashBeforeTheRecord(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.add("session_started")
		w.o.Store = noting{w.store, func() { require.Equal(t, "session_started", w.types()) }}
		w.anew().commit(1)

		w.o.Store, w.o.Log = w.store, crashing{w.log, "checkpoint_written"}
		_, err := w.anew().Commit(t.Context(), state(2))
		require.ErrorIs(t, err, errCrash)
		_, err = w.store.Get(t.Context(), run("t1"), "c2")
		require.NoError(t, err, "the document is there")
		w.o.Log = w.log
		w.anew()
		require.Equal(t, "c1", w.listed(), "and the checkpoint is not")
		_, err = w.Restore(t.Context(), "t1", "c2")
		requireFault(t, err, fault.UnknownCheckpoint)
		pruned, err := w.Prune(t.Context(), "t1", 1)
		require.NoError(t, err)
		require.Empty(t, pruned.Gone, "nor does it count")
	})
}

// full is a store that keeps nothing any more.
type full struct{ durable.Store }

func (full) Put(context.Context, listing.RunScope, string, []byte) (checkpoint.Receipt, error) {
	return checkpoint.Receipt{}, errCrash
}

// lying is a store that answers the receipt of another document.
type lying struct{ durable.Store }

func (l lying) Put(ctx context.Context, r listing.RunScope, id string, text []byte) (checkpoint.Receipt, error) {
	receipt, err := l.Store.Put(ctx, r, id, text)
	receipt.SHA256[0]++
	return receipt, err
}

func TestWhatAStoreDoesNotKeepIsNotRecorded(t *testing.T) {
	w := inMemory(t)
	w.add("session_started")
	w.o.Store = full{w.store}
	_, err := w.anew().Commit(t.Context(), state(1))
	require.ErrorIs(t, err, errCrash)
	w.o.Store = lying{w.store}
	_, err = w.anew().Commit(t.Context(), state(1))
	requireFault(t, err, fault.DocumentAltered)
	w.o.Store = nil
	_, err = w.anew().Commit(t.Context(), state(1))
	requireFault(t, err, fault.BadInput)
	require.Equal(t, "session_started", w.types())
}

// an empty log has nothing to commit.
func TestAnEmptyLog(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		_, err := w.Commit(t.Context(), state(1))
		requireFault(t, err, fault.EmptyLog)
		requireFault(t, w.Capture(t.Context(), state(1)), fault.EmptyLog)
		made, err := w.CommitCaptured(t.Context(), "t1")
		require.NoError(t, err)
		require.Nil(t, made)
		ids, err := w.store.IDs(t.Context(), run("t1"))
		require.NoError(t, err)
		require.Empty(t, ids)
	})
}

// The budget is flushed, then what is queued is in the log, and then the head is taken.
func TestFlushes(t *testing.T) {
	w := inMemory(t)
	w.add("session_started")
	var order []string
	w.o.FlushBudget = func(context.Context) error {
		order = append(order, "budget")
		return nil
	}
	w.o.FlushRecords = func(context.Context) error {
		order = append(order, "records")
		w.add("iteration_started")
		return nil
	}
	made := w.anew().commit(1)
	require.Equal(t, []string{"budget", "records"}, order)
	require.Equal(t, events.Seq(2), made.Document.ThroughSeq)

	w.o.FlushBudget = func(context.Context) error { return errCrash }
	_, err := w.anew().Commit(t.Context(), state(1))
	require.ErrorIs(t, err, errCrash)
	w.o.FlushBudget, w.o.FlushRecords = nil, func(context.Context) error { return errCrash }
	w.anew()
	_, err = w.Commit(t.Context(), state(1))
	require.ErrorIs(t, err, errCrash)
	_, err = w.Unpark(t.Context(), "c1", []byte(approve), human)
	require.ErrorIs(t, err, errCrash)
	_, err = w.Expire(t.Context(), "c1")
	require.ErrorIs(t, err, errCrash)
	_, err = w.Sweep(t.Context())
	require.ErrorIs(t, err, errCrash)
	_, err = w.Prune(t.Context(), "t1", 1)
	require.ErrorIs(t, err, errCrash)
	_, err = w.Answer(t.Context(), "c1", durable.Fence{}, []byte(approve), human)
	require.ErrorIs(t, err, errCrash)
}

// what was captured where the loop began, with the time of the commit.
func TestCapture(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		spent := 0
		w.o.FlushBudget = func(context.Context) error { spent++; return nil }
		w.anew().add("session_started", message("m1", userSays))
		before := state(0)
		before.Guards.Iteration = 0
		before.WorkingState = []byte(`[1]`)
		require.NoError(t, w.Capture(t.Context(), before))
		require.Zero(t, spent)
		ids, err := w.store.IDs(t.Context(), run("t1"))
		require.NoError(t, err)
		require.Empty(t, ids, "it is in memory only")
		copy(before.WorkingState, `[9]`)
		w.add(message("m2", assistantSays), "iteration_started", "iteration_started")
		w.now += 5000

		made, err := w.CommitCaptured(t.Context(), "t1")
		require.NoError(t, err)
		require.Equal(t, 1, spent, "the budget is flushed all the same")
		require.Equal(t, events.Seq(2), made.Document.ThroughSeq)
		require.Zero(t, made.Document.Iteration)
		require.Zero(t, made.Document.Guards.Iteration)
		require.Equal(t, `[1]`, string(made.Document.WorkingState), "as it was then")
		require.Equal(t, start+5000, made.Document.CreatedAt)
		require.Equal(t, start, made.Document.TurnCreatedAt)
		require.Equal(t, events.Seq(6), made.Seq)

		back, err := w.Restore(t.Context(), "t1", made.CheckpointID)
		require.NoError(t, err)
		require.Len(t, back.Messages, 1, "what ran since is thrown away")

		made, err = w.CommitCaptured(t.Context(), "t1")
		require.NoError(t, err)
		require.Nil(t, made, "once")
	})
}

// nothing captured, nothing written; and a turn with a checkpoint of its own
// needs none.
func TestCaptureThatIsNotNeeded(t *testing.T) {
	w := inMemory(t)
	w.add("session_started")
	none := func(turn string) {
		t.Helper()
		before := w.types()
		made, err := w.CommitCaptured(t.Context(), turn)
		require.NoError(t, err)
		require.Nil(t, made)
		require.Equal(t, before, w.types())
	}
	none("t1")
	require.NoError(t, w.Capture(t.Context(), state(0)))
	none("t2")
	w.commit(1)
	none("t1")
	require.NoError(t, w.Capture(t.Context(), state(4)), "after a resume")
	w.add("iteration_started")
	made, err := w.CommitCaptured(t.Context(), "t1")
	require.NoError(t, err)
	require.Equal(t, int64(4), made.Document.Iteration, "the count that was restored")
}

func TestCaptureOfALogThatWasLost(t *testing.T) {
	w := inMemory(t)
	w.add("session_started", "iteration_started", "iteration_started")
	require.NoError(t, w.Capture(t.Context(), state(0)))
	w.log.(interface{ Lose(events.Seq) }).Lose(2)
	_, err := w.CommitCaptured(t.Context(), "t1")
	requireFault(t, err, fault.PrefixAltered)
	require.Equal(t, "session_started iteration_started", w.types())
}

// What grew again after a loss is another log, unless the loss was behind the place.
func TestACaptureOfALogThatIsAnotherOne(t *testing.T) {
	for keep, want := range []error{fault.PrefixAltered, fault.PrefixAltered, nil, nil} {
		w := inMemory(t)
		w.add("session_started", "iteration_started")
		require.NoError(t, w.Capture(t.Context(), state(0)))
		w.add("model_requested", "message_appended")
		_, err := w.Parks(t.Context())
		require.NoError(t, err)
		w.log.(interface{ Lose(events.Seq) }).Lose(events.Seq(keep))
		w.add("turn_started", "turn_started", "turn_started")
		made, err := w.CommitCaptured(t.Context(), "t1")
		require.ErrorIs(t, err, want, "%d records were left", keep)
		if want == nil {
			_, err = w.Restore(t.Context(), "t1", made.CheckpointID)
			require.NoError(t, err)
		}
	}
}

// whoever lost the lease records nothing, and leaves no document behind.
func TestALostLease(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.add("session_started")
		w.commit(1)
		w.commit(2)
		p := w.ask("c1", 1)
		require.NoError(t, w.Capture(t.Context(), state(0)))
		before := w.types()
		_, err := w.log.Acquire(t.Context())
		require.NoError(t, err)
		w.now += 1000
		for name, call := range map[string]func() error{
			"commit":          func() error { _, err := w.Commit(t.Context(), state(3)); return err },
			"commit captured": func() error { _, err := w.CommitCaptured(t.Context(), "t1"); return err },
			"park": func() error {
				_, err := w.Park(t.Context(), durable.Question{TurnID: "t1", CheckpointID: "c2", Request: []byte(`{"type":"x"}`)})
				return err
			},
			"unpark": func() error { _, err := w.Unpark(t.Context(), "c1", []byte(approve), human); return err },
			"expire": func() error { _, err := w.Expire(t.Context(), "c1"); return err },
			"sweep":  func() error { _, err := w.Sweep(t.Context()); return err },
			"answer": func() error { _, err := w.Answer(t.Context(), "c1", fence(p), []byte(approve), human); return err },
			"prune":  func() error { _, err := w.Prune(t.Context(), "t1", 1); return err },
		} {
			requireFault(t, call(), fault.NotTheWriter, name)
		}
		require.Equal(t, before, w.types())
		require.Equal(t, "c1 c2", w.listed())
		ids, err := w.store.IDs(t.Context(), run("t1"))
		require.NoError(t, err)
		require.Equal(t, []string{"c1", "c2"}, ids)
	})
}

// A log whose beginning is gone has no chain, and says so.
func TestAPrunedLog(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.add("session_started", "iteration_started", "iteration_started")
		made := w.commit(1)
		p := w.ask("c1", 0)
		require.NoError(t, w.log.Prune(t.Context(), 3))
		_, err := w.commitErr()
		require.NoError(t, err, "this Session has read the beginning")
		w.anew()
		_, err = w.commitErr()
		requireFault(t, err, fault.BadRecord)
		require.Contains(t, err.Error(), "seq 3")
		_, err = w.Restore(t.Context(), "t1", made.CheckpointID)
		requireFault(t, err, fault.PrefixAltered)
		_, err = w.Answer(t.Context(), "c1", fence(p), []byte(approve), human)
		require.NoError(t, err, "the question is still there")
	})
}

func (w *world) commitErr() (*durable.Committed, error) { return w.Commit(w.t.Context(), state(1)) }

// a Session reads on from where it read last, and notices another log.
func TestALogThatBecameAnotherOne(t *testing.T) {
	w := inMemory(t)
	w.add("session_started", "iteration_started", "turn_started")
	w.commit(1)
	w.log.(interface{ Lose(events.Seq) }).Lose(1)
	w.add("iteration_completed", "turn_started", "iteration_started", "turn_started")
	require.Empty(t, w.listed(), "its record is lost")
	made := w.commit(2)
	_, err := w.Restore(t.Context(), "t1", made.CheckpointID)
	require.NoError(t, err)
	_, err = w.Restore(t.Context(), "t1", "c1")
	requireFault(t, err, fault.UnknownCheckpoint)
}

func TestNew(t *testing.T) {
	_, err := durable.New(durable.Options{})
	requireFault(t, err, fault.BadInput)
	w := inMemory(t)
	w.o.Scope.SessionID = "other"
	_, err = durable.New(w.o)
	requireFault(t, err, fault.BadInput)
	s, err := durable.New(durable.Options{Log: w.log, Lease: w.lease, Store: w.store, Scope: listing.Scope{TenantID: "a"}})
	require.NoError(t, err)
	w.add("session_started")
	_, err = s.Commit(t.Context(), state(1))
	requireFault(t, err, fault.ScopeHole)
	s, err = durable.New(durable.Options{Log: w.log, Lease: w.lease, Store: w.store, Scope: scope})
	require.NoError(t, err)
	one, err := s.Commit(t.Context(), state(1))
	require.NoError(t, err)
	two, err := s.Commit(t.Context(), state(1))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(one.CheckpointID, "cp_") && len(one.CheckpointID) == 35, one.CheckpointID)
	require.NotEqual(t, one.CheckpointID, two.CheckpointID)
}

// A log that another program wrote out of order is refused, and is not read for ever.
func TestALogThatFallsBack(t *testing.T) {
	w := onDisk(t)
	var lines []byte
	for i := range 1400 {
		lines = fmt.Appendf(lines, `{"v":1,"type":"turn_started","seq":%d,"gen":1,"ts":"2026-01-01T00:00:00Z","sessionId":"s1","turnId":"t1"}`+"\n", 1+i%600)
	}
	write(t, string(lines), w.dir, "logs", "s1.jsonl")
	_, err := w.Commit(t.Context(), state(1))
	requireFault(t, err, fault.BadRecord)
	_, err = w.Pending(t.Context(), "")
	requireFault(t, err, fault.BadRecord)
	ids, err := w.store.IDs(t.Context(), run("t1"))
	require.NoError(t, err)
	require.Empty(t, ids)
}

// What a Session keeps is that of questions and checkpoints, not of the log: 8 MB of
// records leave less than a hundredth of that behind.
func TestMemoryOfASession(t *testing.T) {
	w := onDisk(t)
	var lines []byte
	for i := range 20_000 {
		lines = fmt.Appendf(lines, `{"v":1,"type":"turn_started","seq":%d,"gen":1,"ts":"2026-01-01T00:00:00Z","sessionId":"s1","turnId":"t1","note":%q}`+"\n", i+1, strings.Repeat("x", 300))
	}
	write(t, string(lines), w.dir, "logs", "s1.jsonl")
	lines = nil
	_, err := w.log.Head(t.Context())
	require.NoError(t, err)
	before := heap()
	_, err = w.Commit(t.Context(), state(1))
	require.NoError(t, err)
	require.Less(t, int64(heap())-int64(before), int64(80_000))
	runtime.KeepAlive(w)
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
