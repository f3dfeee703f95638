package durable_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	logdisk "github.com/tidemark-stream/tidemark/pkg/sessionlog/disk"
)

// and the last park of the turn at the checkpoint.
func TestRestore(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.add("session_started", message("m1", userSays), message("m2", assistantSays), message("m3", `"x"`),
			`message_replaced,"targetMessageId":"m2","content":"new"`, `compaction,"summary":{"text":"s"},"keptMessageIds":["m2"]`)
		s := state(3)
		s.LatestUserMessageID, s.Trace = "m1", []byte(`"trace"`)
		s.Review.AnswerAttempts = 2
		made, err := w.Commit(t.Context(), s)
		require.NoError(t, err)
		w.ask("c1", 0)
		_, err = w.Unpark(t.Context(), "c1", []byte(approve), human)
		require.NoError(t, err)
		w.add(message("m4", `"behind"`))

		back, err := w.anew().Restore(t.Context(), "t1", "c1")
		require.NoError(t, err)
		require.Equal(t, made.Document, back.Document)
		require.Equal(t, int64(2), back.Document.Review.AnswerAttempts)
		require.Equal(t, made.SHA256, checkpoint.SumOf(back.Text))
		require.Equal(t, []checkpoint.Message{
			{Summary: true, Content: []byte(`{"text":"s"}`)}, {ID: "m2", Content: []byte(`"new"`)},
		}, back.Messages)
		require.Equal(t, userSays, string(back.LatestUserMessage))
		require.Equal(t, approve, string(back.Pending.Decision), "from the whole log, settled or not")
		require.Equal(t, `"trace"`, string(w.Trace(t.Context(), "t1", "c1")))
	})
}

func TestPendingIsTheLastParkOfTheTurn(t *testing.T) {
	w := inMemory(t)
	w.add("session_started")
	w.commit(1)
	back, err := w.Restore(t.Context(), "t1", "c1")
	require.NoError(t, err)
	require.Nil(t, back.Pending)
	w.add(`decision_requested,"decisionId":"d1","checkpointId":"c1","request":{"type":"a"}`,
		`decision_requested,"decisionId":"d2","checkpointId":"c1","request":{"type":"b"}`,
		`decision_requested,"decisionId":"d3","checkpointId":"c9","request":{"type":"c"}`)
	_, err = w.log.Append(t.Context(), w.lease, []byte(`{"type":"decision_requested","turnId":"t2","decisionId":"d4","checkpointId":"c1","request":{"type":"d"}}`))
	require.NoError(t, err)
	back, err = w.Restore(t.Context(), "t1", "c1")
	require.NoError(t, err)
	require.Equal(t, "d2", back.Pending.DecisionID)
}

// in this order, whatever else is wrong as well.
func TestRefusalsInOrder(t *testing.T) {
	w := onDisk(t)
	w.add("session_started", message("m1", userSays), `message,"messageId":"m2","spill":"k"`)
	s := state(1)
	s.LatestUserMessageID = "m9"
	_, err := w.Commit(t.Context(), s)
	require.NoError(t, err)
	w.add("turn_started")
	document, log := filepath.Join(w.dir, "runs", "t1", "c1.json"), filepath.Join(w.dir, "logs", "s1.jsonl")
	good, lines := read(t, document), read(t, log)
	restore := func() error {
		logs, err := logdisk.New(filepath.Join(w.dir, "logs"), logdisk.Options{ReadOnly: true})
		require.NoError(t, err)
		defer logs.Close()
		opened, err := logs.Open(t.Context(), "s1")
		require.NoError(t, err)
		_, err = w.on(opened).Restore(t.Context(), "t1", "c1")
		return err
	}
	receipt := func(text string) string { return strings.Replace(text, `"throughSeq":3`, `"throughSeq":2`, 1) }
	prefix := func(text string) string { return strings.Replace(text, `"content":"go"`, `"content":"no"`, 1) }

	requireFault(t, restore(), fault.IntentMissing, "before the spill")
	write(t, prefix(lines), log)
	requireFault(t, restore(), fault.PrefixAltered)
	write(t, receipt(prefix(lines)), log)
	requireFault(t, restore(), fault.ReceiptAltered)
	write(t, strings.Replace(good, `"iteration":1`, `"iteration":2`, 1), document)
	requireFault(t, restore(), fault.DocumentAltered)
	write(t, strings.Join(strings.SplitAfter(lines, "\n")[:3], ""), log)
	requireFault(t, restore(), fault.UnknownCheckpoint)
	write(t, lines, log)
	require.NoError(t, w.store.Delete(t.Context(), run("t1"), "c1"))
	err = restore()
	requireFault(t, err, fault.UnknownCheckpoint)
	var coded *fault.Error
	require.True(t, errors.As(err, &coded))
	for name, want := range map[string]string{"checkpointId": "c1", "sessionId": "s1", "turnId": "t1"} {
		got, _ := coded.Details.Text(name)
		require.Equal(t, want, got)
	}
}

// on disk, whatever byte of the covered log, of the record or of the document
// changes. A line that is no record any more is already the log's to refuse.
func TestAnyByteOnDisk(t *testing.T) {
	w := onDisk(t)
	w.add("session_started", message("m1", userSays))
	made := w.commit(1)
	w.add("turn_started")
	document, log := filepath.Join(w.dir, "runs", "t1", "c1.json"), filepath.Join(w.dir, "logs", "s1.jsonl")
	good, lines := read(t, document), read(t, log)
	prefix := len(strings.Join(strings.SplitAfter(lines, "\n")[:2], ""))
	record := len(strings.Join(strings.SplitAfter(lines, "\n")[:3], ""))
	ts := strings.Index(lines[prefix:], `"ts":"`) + prefix + len(`"ts":"`)

	for at := range good {
		write(t, good[:at]+string(good[at]^1)+good[at+1:], document)
		requireFault(t, w.restored(made), fault.DocumentAltered)
	}
	write(t, good, document)
	for at := range lines[:record] {
		if at >= ts && at < ts+24 {
			continue // the time of the record: see package checkpoint
		}
		write(t, lines[:at]+string([]byte{lines[at] ^ 1})+lines[at+1:], log)
		err := w.restored(made)
		if errors.Is(err, fault.LogDamaged) {
			continue
		}
		want := fault.PrefixAltered
		if at >= prefix {
			want = fault.ReceiptAltered
		}
		requireFault(t, err, want, "byte %d", at)
	}
	write(t, lines, log)
	require.NoError(t, w.restored(made))
}

// restored restores as another process would.
func (w *world) restored(made *durable.Committed) error {
	logs, err := logdisk.New(filepath.Join(w.dir, "logs"), logdisk.Options{ReadOnly: true})
	require.NoError(w.t, err)
	defer logs.Close()
	log, err := logs.Open(w.t.Context(), "s1")
	if err != nil {
		return err
	}
	_, err = w.on(log).Restore(w.t.Context(), "t1", made.CheckpointID)
	return err
}

// a body that lies apart comes from the reader, or nothing is resumed.
func TestSpills(t *testing.T) {
	w := inMemory(t)
	w.add(`message,"messageId":"m1","spill":{"key":"k"}`)
	s := state(1)
	s.LatestUserMessageID = "m1"
	_, err := w.Commit(t.Context(), s)
	require.NoError(t, err)
	_, err = w.Restore(t.Context(), "t1", "c1")
	requireFault(t, err, fault.SpillMissing)
	w.o.Spill = func(ref []byte) ([]byte, error) { return []byte(`{"role":"user","of":` + string(ref) + `}`), nil }
	back, err := w.anew().Restore(t.Context(), "t1", "c1")
	require.NoError(t, err)
	require.Equal(t, `{"role":"user","of":{"key":"k"}}`, string(back.Messages[0].Content))
	require.Equal(t, string(back.Messages[0].Content), string(back.LatestUserMessage))
}

func TestAContextThatCannotBeFolded(t *testing.T) {
	w := inMemory(t)
	w.add(`message,"messageId":"m1"`)
	w.commit(1)
	_, err := w.Restore(t.Context(), "t1", "c1")
	requireFault(t, err, fault.BadRecord)
	_, err = w.Summary(t.Context(), "t1", "c1")
	requireFault(t, err, fault.BadRecord)
}

// A checkpoint belongs to its turn and its session.
func TestCheckpointsOfOthers(t *testing.T) {
	w := inMemory(t)
	w.add("session_started")
	made := w.commit(1)
	_, err := w.Restore(t.Context(), "t2", "c1")
	requireFault(t, err, fault.UnknownCheckpoint)
	_, err = w.store.Put(t.Context(), run("t2"), "c1", made.Document.AppendJSON(nil))
	require.NoError(t, err)
	_, err = w.Restore(t.Context(), "t2", "c1")
	requireFault(t, err, fault.UnknownCheckpoint, "a document in the wrong place")
}

// Reading a trace never fails.
func TestTrace(t *testing.T) {
	w := onDisk(t)
	w.add("session_started")
	require.Nil(t, w.Trace(t.Context(), "t1", "c1"))
	require.Nil(t, w.Trace(t.Context(), "", ""))
	w.commit(1)
	require.Nil(t, w.Trace(t.Context(), "t1", "c1"), "it has none")
	write(t, "{", w.dir, "runs", "t1", "c1.json")
	require.Nil(t, w.Trace(t.Context(), "t1", "c1"))
	w.o.Store = nil
	require.Nil(t, w.anew().Trace(t.Context(), "t1", "c1"))
}

func TestSummary(t *testing.T) {
	w := inMemory(t)
	w.add(message("m1", userSays), message("m2", assistantSays))
	w.commit(7)
	s, err := w.Summary(t.Context(), "t1", "c1")
	require.NoError(t, err)
	require.JSONEq(t, `{"iteration":7,"messageCount":2,"tokenUsage":{"in":3},"costInfo":{},"lastText":"done"}`, string(s.AppendJSON(nil)))
}
