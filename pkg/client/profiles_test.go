package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/flaky"
	"github.com/tidemark-stream/tidemark/pkg/client"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// numbers is a plain server: events numbered from 0 by a member of their own, and
// nothing else of ours.
var numbers = profile.Profile{
	Name: "numbers", Members: events.Members{Type: "type", Session: "session", Seq: "n"},
	Base: 0, Terminal: []string{"done"}, Ephemeral: []string{"maybe"},
}

// From 0 the numbers are the wire's everywhere: items, cursors, requests, JSON.
func TestNumbersFromZero(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []url.Values
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.URL.Query())
			text := "data: {\"type\":\"maybe\"}\n\n"
			if len(asked) > 1 {
				text = "data: {\"type\":\"x\",\"n\":0}\n\ndata: {\"type\":\"x\",\"n\":2}\n\n"
			}
			if len(asked) > 2 {
				text = "data: {\"type\":\"x\",\"n\":1}\n\ndata: {\"type\":\"done\",\"n\":2}\n\n"
			}
			says(text, nil)(w, r)
		})
		stream := open(t, t.Context(), handler, client.Options{Profile: &numbers})
		defer stream.Close()
		require.Equal(t, client.Draft{Session: "s", Type: "maybe", JSON: []byte(`{"type":"maybe"}`)}, next(t, stream))
		require.Empty(t, applied(stream, "s"))
		require.Equal(t, client.Restart{Session: "s", AfterSeq: -1}, next(t, stream))
		for n, typ := range []string{"x", "x", "done"} {
			want := client.Event{Session: "s", Type: typ, Seq: int64(n), JSON: fmt.Appendf(nil, `{"type":"%s","n":%d}`, typ, n)}
			require.Equal(t, want, next(t, stream))
		}
		require.Equal(t, client.End{Session: "s", Cause: link.Terminal}, next(t, stream))
		require.Equal(t, "s:2", applied(stream, "s"))
		require.Equal(t, []url.Values{{}, {}, {"cursor": {"s:0"}}}, asked)
	})
}

func TestARefusalAsJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stream := open(t, t.Context(), says("data: {\"n\":0}\n\ndata: {\"n\":4}\n\n", hangs), client.Options{Profile: &numbers, Cursors: []client.Cursor{{Token: "s:0"}}})
		defer stream.Close()
		refused := next(t, stream).(client.Refused)
		require.ErrorIs(t, refused, fault.GapHole)
		require.EqualError(t, refused, refused.Refusal.ID().Error()+" (session s)")
		text, err := json.Marshal(refused)
		require.NoError(t, err)
		require.Contains(t, string(text), `"evidence":{"expectedSeq":1,"receivedSeq":4,"savedSeq":0}`)
	})
}

// Observing hands everything over, and reports.
func TestObserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refusals := 0
		o := over(flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "drop", Record: "a:3"}}}))
		o.Sessions, o.Mode = []string{"a"}, link.Observe
		o.OnDecision = func(d client.Decision) {
			if d.Refusal != nil {
				refusals++
			}
		}
		got := follow(t, t.Context(), one("a"), o)
		require.NoError(t, got.err)
		require.Equal(t, []int64{1, 2, 4, 5, 6, 7, 8}, got.seqs("a"))
		require.Equal(t, 1, refusals)
	})
}

// A session that only the server names, and an event that it relays of another.
func TestSessionsThatTheServerNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const text = "event: tidemark.head\ndata: {\"sessionId\":\"x\",\"lastSeq\":1}\n\n" +
			"data: {\"type\":\"note\",\"sessionId\":\"child\"}\n\n" +
			"data: {\"type\":\"note\",\"sessionId\":\"x\",\"seq\":1,\"generation\":0}\n\n"
		stream, err := client.Open(t.Context(), "http://flaky.test/stream?key=1", client.Options{
			Client: &http.Client{Transport: flaky.Transport(says(text, hangs))},
		})
		require.NoError(t, err)
		defer stream.Close()
		require.Equal(t, client.Draft{Session: "child", Type: "note", JSON: []byte(`{"type":"note","sessionId":"child"}`)}, next(t, stream))
		event := next(t, stream).(client.Event)
		require.Equal(t, []string{"x", "0"}, []string{event.Session, event.Generation})
		require.Equal(t, "x", event.SessionID())
	})
}

// What cannot be is said at once, and names the option.
func TestOptions(t *testing.T) {
	const fine = "https://api.test/v1/sessions/s/events"
	none := http.Client{Transport: flaky.Transport(http.HandlerFunc(hangs))}
	for name, c := range map[string]struct {
		url string
		o   client.Options
		id  fault.ID
		say string
	}{
		"no URL":                    {"v1/sessions/s/events", client.Options{}, fault.InvalidOptions, "absolute URL"},
		"a file":                    {"file:///x", client.Options{}, fault.InvalidOptions, "absolute URL"},
		"what is none":              {"http://a b", client.Options{}, fault.InvalidOptions, "absolute URL"},
		"a cursor in the URL":       {fine + "?cursor=s:1", client.Options{}, fault.InvalidOptions, "no cursor="},
		"a session in the URL":      {fine + "?session=t", client.Options{}, fault.InvalidOptions, "no session="},
		"a start in the URL":        {fine + "?from=now", client.Options{}, fault.InvalidOptions, "no from="},
		"another start":             {fine, client.Options{From: 3}, fault.InvalidOptions, "From:"},
		"a limit below zero":        {fine, client.Options{MaxFrame: -1}, fault.InvalidOptions, "limits"},
		"no cursor":                 {fine, client.Options{Cursors: []client.Cursor{{Token: "s"}}}, fault.InvalidCursor, `"s"`},
		"two cursors":               {fine, client.Options{Cursors: []client.Cursor{{Token: "s:1"}, {Token: "s:2"}}}, fault.InvalidOptions, "one cursor"},
		"a cursor of another":       {fine, client.Options{Sessions: []string{"s"}, Cursors: []client.Cursor{{Token: "t:1"}}}, fault.ForeignSession, ""},
		"a session twice":           {fine, client.Options{Sessions: []string{"s", "s"}}, fault.InvalidOptions, "twice"},
		"no proof":                  {fine, client.Options{Cursors: []client.Cursor{{Token: "s:1", Proof: "00"}}}, fault.InvalidCursor, "32 hexadecimal"},
		"a proof that is too long":  {fine, client.Options{Cursors: []client.Cursor{{Token: "s:1", Proof: "000102030405060708090a0b0c0d0e0f0"}}}, fault.InvalidCursor, "32 hexadecimal"},
		"a proof that is no digits": {fine, client.Options{Cursors: []client.Cursor{{Token: "s:1", Proof: "g00102030405060708090a0b0c0d0e0f"}}}, fault.InvalidCursor, "32 hexadecimal"},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.Client = &none
			stream, err := client.Open(t.Context(), c.url, c.o)
			require.ErrorIs(t, err, c.id)
			require.Contains(t, err.Error(), c.say)
			require.Nil(t, stream)
		})
	}
}

// What a request asks for: each session once, and a start for all without a cursor.
// Where to start goes by the query, a cursor with its generation.
func TestRequests(t *testing.T) {
	for name, c := range map[string]struct {
		url  string
		o    client.Options
		want string
	}{
		"nothing":             {"http://h/v1/sessions/s/events", client.Options{}, "http://h/v1/sessions/s/events"},
		"a name with escapes": {"http://h/v1/sessions/n%C3%A9%2Fe/events/", client.Options{}, "http://h/v1/sessions/n%C3%A9%2Fe/events/"},
		"its own query":       {"http://h/s?tenant=a%20b", client.Options{Sessions: []string{"s"}}, "http://h/s?session=s&tenant=a+b"},
		"a cursor":            {"http://h/v1/sessions/s/events", client.Options{Cursors: []client.Cursor{{Token: "s:4@w%2F1"}}}, "http://h/v1/sessions/s/events?cursor=s%3A4%40w%252F1"},
		"now":                 {"http://h/v1/sessions/s/events", client.Options{From: client.Now}, "http://h/v1/sessions/s/events?from=now"},
		"more, one with a cursor": {"http://h/v1/sessions/s/events", client.Options{Sessions: []string{"s", "t"}, Cursors: []client.Cursor{{Token: "t:1@2"}}, From: client.Now},
			"http://h/v1/sessions/s/events?cursor=t%3A1%402&from=now&session=t"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got *http.Request
				c.o.Client = &http.Client{Transport: flaky.Transport(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r }))}
				stream, err := client.Open(t.Context(), c.url, c.o)
				require.NoError(t, err)
				synctest.Wait()
				require.Equal(t, c.want, got.URL.String())
				require.Equal(t, "text/event-stream", got.Header.Get("Accept"))
				require.NoError(t, stream.Close())
			})
		})
	}
}

func TestRefusedIsAnError(t *testing.T) {
	var err error = client.Refused{}
	var refused client.Refused
	require.True(t, errors.As(fmt.Errorf("while reading: %w", err), &refused))
}
