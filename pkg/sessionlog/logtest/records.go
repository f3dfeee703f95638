package logtest

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

var recording = map[string]func(*testing.T, Subject){
	"O-13 records are what was appended": recordsOfAppends,
	"O-13 record pages join":             recordPagesJoin,
	"O-13 records after a prune":         recordsAfterPrune,
	"O-13 no records":                    noRecords,
}

// the lines of the log, each standing for the event that was answered.
func recordsOfAppends(t *testing.T, s Subject) {
	_, log := opened(t, s)
	plain := fill(t, log, "", 1)
	g := acquired(t, log)
	given := append(plain, fill(t, log, g, 2)...)
	odd, err := log.Append(t.Context(), g, []byte("{\"gen\":null,\"a\": {\"generation\":7,\"b\":\"\u2028 \\u0041\"},\n\"type\":\"x\"}"))
	require.NoError(t, err)
	given = append(given, odd)
	lines := recordsAbove(t, log, 0, 0)
	require.Equal(t, `{"v":1,"type":"iteration_started","seq":1,"ts":"`+recordTimeText+`","sessionId":"tenant:7/chat \"é\" 100%@x","turnId":"t1","iteration":0}`, lines[0])
	require.Equal(t, `{"v":1,"type":"iteration_started","seq":2,"gen":1,"ts":"`+recordTimeText+`","sessionId":"tenant:7/chat \"é\" 100%@x","turnId":"t1","iteration":0}`, lines[1])
	require.Contains(t, lines[3], "\"a\": {\"generation\":7,\"b\":\"\u2028 \\u0041\"}")
	requireRecords(t, given, lines)
}

func recordPagesJoin(t *testing.T, s Subject) {
	_, log := opened(t, s)
	g := acquired(t, log)
	given := fill(t, log, g, 600)
	for _, limit := range []int{7, 256, 599, 600, 601} {
		requireRecords(t, given, recordsAbove(t, log, 0, limit))
	}
	requireRecords(t, given[451:], recordsAbove(t, log, 451, 0))
	_, more, err := log.Records(t.Context(), 590, 10)
	require.NoError(t, err)
	require.False(t, more, "the page reaches the head")
}

func recordsAfterPrune(t *testing.T, s Subject) {
	_, log := opened(t, s)
	given := fill(t, log, acquired(t, log), 300)
	before := recordsAbove(t, log, 270, 0)
	require.NoError(t, log.Prune(t.Context(), 271))
	require.Equal(t, before, recordsAbove(t, log, 0, 0), "no byte changes")
	requireRecords(t, given[270:], before)
}

func noRecords(t *testing.T, s Subject) {
	store, log := opened(t, s)
	for _, since := range []events.Seq{0, 1, events.MaxSeq} {
		lines, more, err := log.Records(t.Context(), since, 5)
		require.NoError(t, err)
		require.Empty(t, lines)
		require.False(t, more)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := log.Records(canceled, 0, 5)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, store.Delete(t.Context(), session))
	_, _, err = log.Records(t.Context(), 0, 5)
	requireFault(t, err, fault.UnknownSession)
}

func recordsAfterRestart(t *testing.T, s Subject) {
	store, log := opened(t, s)
	fill(t, log, acquired(t, log), 3)
	before := recordsAbove(t, log, 0, 0)
	log, err := s.Reopen(t, store, Options{Now: fixed}).Open(t.Context(), session)
	require.NoError(t, err)
	require.Equal(t, before, recordsAbove(t, log, 0, 0))
}

// recordsAbove pages through the lines of a log.
func recordsAbove(t *testing.T, log sessionlog.Log, since events.Seq, limit int) []string {
	out := []string{}
	for {
		lines, more, err := log.Records(t.Context(), since, limit)
		require.NoError(t, err)
		for _, line := range lines {
			out = append(out, string(line))
			require.False(t, bytes.ContainsAny(line, "\n"))
		}
		if !more {
			return out
		}
		require.NotEmpty(t, lines, "a page that promises more has to bring some")
		last, wrong, _ := sessionlog.ReadRecord(session, lines[len(lines)-1])
		require.Empty(t, wrong)
		since = last.Seq
	}
}

// requireRecords checks that lines stand for these events.
func requireRecords(t *testing.T, want []sessionlog.Event, lines []string) {
	t.Helper()
	require.Len(t, lines, len(want))
	for i, line := range lines {
		event, wrong, _ := sessionlog.ReadRecord(session, []byte(line))
		require.Empty(t, wrong)
		require.Equal(t, want[i], event)
	}
}
