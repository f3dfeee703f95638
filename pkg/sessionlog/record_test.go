package sessionlog_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

var stamp = sessionlog.Stamp{Session: "s", Seq: 7, Generation: "3", Time: time.UnixMilli(1_770_000_000_123)}

func TestARecordReadsBackAsItsEvent(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"turn_started","turnId":"t","config":{}}`: `{"v":1,"type":"turn_started","seq":7,"generation":3,"ts":"2026-02-02T02:40:00.123Z","sessionId":"s","turnId":"t","config":{}}`,
		` { "a" : 1 , "type" : "x" } `:                     `{"v":1,"type":"x","seq":7,"generation":3,"ts":"2026-02-02T02:40:00.123Z","sessionId":"s","a" : 1}`,
		`{"type":"x","turnId":null,"lineage":{"depth":2}}`: `{"v":1,"type":"x","seq":7,"generation":3,"ts":"2026-02-02T02:40:00.123Z","sessionId":"s"}`,
	} {
		draft, err := sessionlog.NewDraft("s", []byte(in), 0)
		require.NoError(t, err)
		event := draft.Event(stamp)
		require.Equal(t, want, string(event.Text))
		back, wrong, _ := sessionlog.ReadRecord("s", draft.Record(stamp))
		require.Empty(t, wrong)
		require.Equal(t, event, back)
	}
}

func TestGenerationsOnTheWire(t *testing.T) {
	draft, err := sessionlog.NewDraft("s", []byte(`{"type":"x"}`), 0)
	require.NoError(t, err)
	for g, want := range map[events.Generation]string{
		"0": `"gen":0,`, "18446744073709551616": `"gen":18446744073709551616,`, "007": `"gen":"007",`, "a\"b": `"gen":"a\"b",`,
	} {
		s := stamp
		s.Generation = g
		require.Contains(t, string(draft.Record(s)), want)
		back, wrong, _ := sessionlog.ReadRecord("s", draft.Record(s))
		require.Empty(t, wrong)
		require.Equal(t, g, back.Generation)
	}
	unfenced := stamp
	unfenced.Generation = ""
	require.NotContains(t, string(draft.Record(unfenced)), "gen")
}

func TestRelayAddsTheSessionOnly(t *testing.T) {
	for in, want := range map[string]string{
		`{}`:                   `{"sessionId":"s"}`,
		"{ \n }":               `{   "sessionId":"s"}`,
		`{"a":1}`:              `{"sessionId":"s","a":1}`,
		` {"sessionId":"q"} `:  `{"sessionId":"q"}`,
		`{"sessionId": null }`: `{"sessionId": "s" }`,
		"{\"a\":\n1}":          `{"sessionId":"s","a": 1}`,
	} {
		event, err := sessionlog.Relay("s", []byte(in), 0)
		require.NoError(t, err)
		require.Equal(t, sessionlog.Event{Text: []byte(want)}, event, in)
		require.True(t, json.Valid(event.Text))
	}
}

func TestAnEventBeyondTheLimit(t *testing.T) {
	text := []byte(`{"type":"x","text":"` + strings.Repeat("y", 100) + `"}`)
	_, err := sessionlog.NewDraft("s", text, 100)
	require.ErrorIs(t, err, fault.FrameTooLarge)
	_, err = sessionlog.Relay("s", text, 100)
	require.ErrorIs(t, err, fault.FrameTooLarge)
	_, err = sessionlog.NewDraft("s", text, len(text))
	require.NoError(t, err)
}

func TestRaise(t *testing.T) {
	for g, want := range map[events.Generation]events.Generation{"": "1", "0": "1", "9": "10", "1099": "1100", "99999999999999999999": "100000000000000000000"} {
		next, ok := sessionlog.Raise(g)
		require.True(t, ok)
		require.Equal(t, want, next)
	}
	for _, g := range []events.Generation{"a", "01", "1a", "-1"} {
		_, ok := sessionlog.Raise(g)
		require.False(t, ok)
	}
	_, ok := sessionlog.Next(events.MaxSeq)
	require.False(t, ok)
}

func TestCutSaysWhoAndWhy(t *testing.T) {
	cause := fault.New(fault.LogDamaged, "a", "b")
	err := error(&sessionlog.Cut{Session: "s", Reason: sessionlog.CutDamaged, Err: cause})
	require.ErrorIs(t, err, fault.LogDamaged)
	require.Contains(t, err.Error(), `session "s" was cut: log damaged: `)
	require.Equal(t, "cut 99", sessionlog.CutReason(99).String())
}

// What is read as a record must be an event to everybody else too, of this
// session and with this place.
func FuzzReadRecord(f *testing.F) {
	for _, seed := range []string{
		`{"v":1,"type":"x","seq":7,"gen":3,"ts":"t","sessionId":"s","a":[1,{"gen":2}]}`,
		`{"type":"x","seq":7,"generation":"a","ts":"t"}`, `{"type":"x","seq":7,"ts":"t","sessionId":null,"g\u0065n":null}`,
		`{"seq":9007199254740992}`, `{"type":"x","seq":1,"ts":"t","sessionId":"\ud800"}`, `{}`, `{"a":1,}`,
	} {
		f.Add([]byte(seed))
	}
	scanner := events.NewScanner(events.SessionMembers)
	f.Fuzz(func(t *testing.T, line []byte) {
		event, wrong, at := sessionlog.ReadRecord("s", line)
		if wrong != "" {
			require.True(t, at >= 0 && at <= len(line))
			return
		}
		var e events.Envelope
		require.Equal(t, events.NoProblem, scanner.Scan(event.Text, &e), "%s", event.Text)
		require.Equal(t, event.Seq, e.Seq)
		require.Equal(t, "s", string(e.Session))
		require.Equal(t, string(event.Generation), string(e.Generation))
	})
}

// What passes as a draft is a record once it is stamped, and keeps its payload.
func FuzzStamp(f *testing.F) {
	for _, seed := range []string{
		`{"type":"x"}`, `{"type":"turn_started","z":1,"a":{"seq":2},"z":"\u2028"}`, "{\"type\":\"x\",\n\"a\":[1,\r\n2]}",
		`{"type":"x","sessionId":"s","seq":null,"v":1,"lineage":3}`, `{"t\u0079pe":"x"}`, `{"type":"text_delta"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		draft, err := sessionlog.NewDraft("s", text, 0)
		if err != nil {
			return
		}
		record := draft.Record(stamp)
		require.False(t, bytes.ContainsAny(record, "\r\n"))
		event, wrong, _ := sessionlog.ReadRecord("s", record)
		require.Empty(t, wrong, "%s", record)
		require.Equal(t, draft.Event(stamp), event)
		require.Equal(t, payload(t, text), payload(t, event.Text))
	})
}

// payload is an event's members without the envelope's.
func payload(t *testing.T, text []byte) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &m))
	for _, name := range []string{"v", "type", "seq", "gen", "generation", "ts", "sessionId", "turnId", "lineage"} {
		delete(m, name)
	}
	for name, raw := range m {
		m[name] = bytes.Map(func(r rune) rune {
			if r == '\n' || r == '\r' {
				return ' '
			}
			return r
		}, raw)
	}
	return m
}
