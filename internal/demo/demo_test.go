package demo

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

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

// A digest can be made of what the demo serves, and a part of it be asked for.
func TestTheRecordsAreTheLinesOfTheLog(t *testing.T) {
	w := newWorld(t, Options{History: 600})
	kept, _, err := w.demo.agent.log.Records(t.Context(), 0, 1000)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(kept), 600, "more than one page")
	lines := strings.SplitAfter(w.get(w.v1("records")), "\n")
	require.Len(t, lines, len(kept)+1)
	for i, line := range lines[:len(kept)] {
		require.Equal(t, string(kept[i])+"\n", line)
	}
	require.Equal(t, strings.Join(lines[590:], ""), w.get(w.v1("records?since=590")))
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

func TestTheSessionPageNamesEverything(t *testing.T) {
	w := newWorld(t, Options{Speed: 2})
	var page map[string]any
	require.NoError(t, json.Unmarshal([]byte(w.get("/demo/session")), &page))
	asking, _ := page["asking"].([]any)
	require.Len(t, asking, len(deskKinds))
	for i, desk := range w.demo.desks {
		page := asking[i].(map[string]any)
		require.Equal(t, desk.Session(), page["id"])
		require.Equal(t, desk.kind.asked, page["asks"])
		require.Equal(t, []any{"cut", "takeover", "lose", "drop", "repeat"}, page["faults"])
	}
	delete(page, "asking")
	id, bare := w.demo.Session(), w.demo.Bare()
	require.NotEqual(t, id, bare)
	require.Equal(t, map[string]any{
		"id": id, "eventsUrl": w.v1("events"), "logUrl": w.v1("log"), "transcriptUrl": w.v1("transcript"), "plainUrl": w.plain(),
		"faultsUrl": "/demo/sessions/" + id + "/faults", "speed": 2.0,
		"faults": []any{"cut", "takeover", "lose", "prune", "drop", "repeat"},
		"unfenced": map[string]any{
			"id": bare, "eventsUrl": "/v1/sessions/" + bare + "/events", "logUrl": "/v1/sessions/" + bare + "/log",
			"transcriptUrl": "/v1/sessions/" + bare + "/transcript", "plainUrl": "/plain/sessions/" + bare + "/events",
			"faultsUrl": "/demo/sessions/" + bare + "/faults", "faults": []any{"cut", "replace", "lose", "prune", "drop", "repeat"},
		},
	}, page)
	require.Contains(t, w.get("/v1/sessions/"+bare+"/transcript"), `"cursor":"`+bare+`:40"`)
	require.NotContains(t, w.get("/v1/sessions/"+bare+"/log"), "generation")
	for _, url := range []string{w.v1("log"), w.v1("transcript")} {
		require.True(t, json.Valid([]byte(w.get(url))))
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
		{id, "application/json", `{"fault":"replace"}`, 400, `one of cut, takeover, lose, prune, drop, repeat`},
		{w.demo.Bare(), "application/json", `{"fault":"takeover"}`, 400, `one of cut, replace, lose, prune, drop, repeat`},
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
