package logtest

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

var appending = map[string]func(*testing.T, Subject){
	"O-1 what is published is stored":       storedBeforePublished,
	"O-2 numbers are 1, 2, 3":               numbersInOrder,
	"O-2 a failed append uses up no number": failureUsesNoNumber,
	"O-4 the same bytes everywhere":         sameBytes,
	"O-5 payload keeps its bytes":           payloadBytes,
	"O-6 what is not recorded":              notRecorded,
	"bad events are refused":                badEvents,
}

// whoever sees an event can read it.
func storedBeforePublished(t *testing.T, s Subject) {
	_, log := opened(t, s)
	tail := subscribed(t, log)
	go func() {
		for i := range 50 {
			_, _ = log.Append(context.WithoutCancel(t.Context()), "", numbered(i))
		}
	}()
	for seen := 0; seen < 50; {
		for _, e := range collect(t, tail, 1) {
			page, err := log.Read(t.Context(), e.Seq-1, 1)
			require.NoError(t, err)
			require.Equal(t, []sessionlog.Event{e}, page.Events, "seq %d was seen before it could be read", e.Seq)
			seen++
		}
	}
}

// from 1 on, in each session on its own.
func numbersInOrder(t *testing.T, s Subject) {
	store, log := opened(t, s)
	require.Equal(t, sessionlog.Head{LastSeq: 0, OldestSeq: 1}, headOf(t, log))
	require.Equal(t, upTo(1, 5), seqs(fill(t, log, "", 5)))
	other := created(t, store, "other")
	require.Equal(t, upTo(1, 2), seqs(fill(t, other, "", 2)), "every session counts for itself")
	require.Equal(t, sessionlog.Head{LastSeq: 5, OldestSeq: 1}, headOf(t, log))
}

func failureUsesNoNumber(t *testing.T, s Subject) {
	_, log := opened(t, s)
	fill(t, log, "", 2)
	_, err := log.Append(t.Context(), "", []byte(`{`))
	require.Error(t, err)
	_, err = log.Append(t.Context(), "7", numbered(1))
	require.Error(t, err)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = log.Append(canceled, "", numbered(1))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, upTo(3, 3), seqs(fill(t, log, "", 1)))
}

func sameBytes(t *testing.T, s Subject) {
	_, log := opened(t, s)
	generation, err := log.Acquire(t.Context())
	require.NoError(t, err)
	tail := subscribed(t, log)
	given := fill(t, log, generation, 3)
	require.Equal(t, given, collect(t, tail, 3))
	require.Equal(t, given, readAll(t, log, 0, 2))
	m := members(t, given[1].Text)
	require.Equal(t, map[string]any{
		"v": 1.0, "type": "iteration_started", "seq": 2.0, "generation": 1.0, "ts": recordTimeText,
		"sessionId": session, "turnId": "t1", "iteration": 1.0,
	}, m)
	require.Equal(t, events.Generation("1"), given[1].Generation)
}

func payloadBytes(t *testing.T, s Subject) {
	_, log := opened(t, s)
	payload := `"z":1.50e+3, "a":{"deep":[1, 2 ,{"seq":9,"gen":"x"}]},"z":"\u0000\ud834\udd1e é \/","next` + "\u2028" + `":null`
	e, err := log.Append(t.Context(), "", []byte("{\"sessionId\":null,\"seq\":null,"+payload+"\n,\"t\\u0079pe\":\"no_such_type\",\r\n\"v\":1}\n"))
	require.NoError(t, err)
	require.Contains(t, string(e.Text), strings.ReplaceAll(payload, `, "a"`, `,"a"`))
	require.NotContains(t, string(e.Text), "\n")
	require.Equal(t, []sessionlog.Event{e}, readAll(t, log, 0, 0))
	require.Equal(t, session, members(t, e.Text)["sessionId"])
}

func notRecorded(t *testing.T, s Subject) {
	_, log := opened(t, s)
	tail := subscribed(t, log)
	outside := []string{
		`{"type":"text_delta","turnId":"t1","text":"a"}`,
		`{"type":"agent_pending","sessionId":null,"turnId":"t1"}`,
		`{}`,
		`{"type":"message_completed","sessionId":"child","lineage":{"depth":1}}`,
	}
	for _, text := range outside {
		require.NoError(t, log.Publish(t.Context(), "", []byte(text)))
	}
	fill(t, log, "", 1)
	got := collect(t, tail, 5)
	require.Equal(t, []events.Seq{0, 0, 0, 0, 1}, seqs(got))
	for i, want := range []string{session, session, session, "child"} {
		require.Equal(t, want, members(t, got[i].Text)["sessionId"])
	}
	require.Equal(t, outside[3], string(got[3].Text))
	require.Equal(t, upTo(1, 1), seqs(readAll(t, log, 0, 0)), "only what was appended is in the log")
	for _, text := range outside[:2] {
		_, err := log.Append(t.Context(), "", []byte(text))
		requireFault(t, err, fault.BadEvent)
	}
	_, err := log.Append(t.Context(), "", []byte(outside[3]))
	requireFault(t, err, fault.ForeignSession)
}

func badEvents(t *testing.T, s Subject) {
	_, log := opened(t, s)
	for _, text := range []string{
		``, ` `, `null`, `[]`, `"x"`, `{"type":"a"`, `{"type":"a"}{}`, `{"type":"a",}`, `{type:1}`,
		`{"type":"a","seq":1}`, `{"type":"a","gen":1}`, `{"type":"a","generation":"1"}`, `{"type":"a","ts":"now"}`,
		`{"type":"a","type":"a"}`, `{"type":"a","\u0074ype":"a"}`, `{"type":7}`, `{"type":""}`, `{"type":null}`, `{"x":1}`,
		`{"type":"a","sessionId":7}`, `{"type":"a","turnId":7}`, `{"type":"a","v":2}`,
		"{\"type\":\"\xff\"}", "{\"type\":\"a\",\"x\":\"\xff\"}",
		`{"type":"a","x":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`,
	} {
		_, err := log.Append(t.Context(), "", []byte(text))
		requireFault(t, err, fault.BadEvent)
	}
	for _, text := range []string{``, `[]`, `{"seq":1}`, `{"generation":4}`, `{"sessionId":[]}`} {
		requireFault(t, log.Publish(t.Context(), "", []byte(text)), fault.BadEvent)
	}
	require.Equal(t, sessionlog.Head{OldestSeq: 1}, headOf(t, log))
}
