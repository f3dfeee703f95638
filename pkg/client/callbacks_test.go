package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/flaky"
	"github.com/tidemark-stream/tidemark/pkg/client"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// snapshots answers states of a session, one after another.
func snapshots(tokens ...string) client.Load {
	return func(_ context.Context, r client.LoadRequest) (client.Loaded, error) {
		token := tokens[0]
		tokens = tokens[1:]
		return client.Loaded{State: "state at " + token, Cursor: token}, nil
	}
}

// Without a cursor the first state is loaded, and the stream goes on behind it.
func TestFirstLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := flaky.New(flaky.Script{})
		stream := open(t, t.Context(), server, client.Options{Sessions: []string{"a"}, Load: snapshots("a:3@7")})
		defer stream.Close()
		require.Equal(t, client.State{Session: "a", Why: link.First, State: "state at a:3@7", Cursor: "a:3@7"}, next(t, stream))
		require.Empty(t, applied(stream, "a"), "the state was not taken in yet")
		require.EqualValues(t, 4, next(t, stream).(client.Event).Seq)
		require.Equal(t, []string{"cursor=a:3@7"}, server.Asked(""))
		require.Equal(t, "a:3@7", applied(stream, "a"))
	})
}

// From the beginning means so, even with Load; so does from now.
func TestFromBeginningAndNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for from, want := range map[client.From]struct {
			asked string
			first int64
		}{client.Beginning: {"", 1}, client.Now: {"from=now", 6}} {
			server := flaky.New(flaky.Script{})
			o := over(server)
			o.Sessions, o.From, o.Load = []string{"a"}, from, snapshots()
			got := follow(t, t.Context(), one("a"), o)
			require.Equal(t, []string{want.asked}, server.Asked(""))
			require.Equal(t, want.first, got.seqs("a")[0])
			require.Equal(t, upTo(8)[want.first-1:], got.seqs("a"))
		}
	})
}

// After a refusal the state is built anew, and its session goes on; the others
// never stop.
func TestRebuilt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var why client.LoadRequest
		o := over(flaky.New(flaky.Script{Faults: []flaky.Fault{cut, {Kind: "takeover", Record: "a:0"}}}))
		o.From = client.Beginning
		o.Load = func(ctx context.Context, r client.LoadRequest) (client.Loaded, error) {
			time.Sleep(time.Minute)
			why = r
			return client.Loaded{State: 6, Cursor: "a:6@7"}, ctx.Err()
		}
		got := follow(t, t.Context(), everything, o)
		require.NoError(t, got.err)
		require.Equal(t, []int64{1, 2, 3, 4, 7, 8}, got.seqs("a"))
		require.Equal(t, upTo(5), got.seqs("team:b"))
		require.Equal(t, upTo(4), got.seqs("née"))
		require.Equal(t, []client.State{{Session: "a", Why: link.Rebuilt, State: 6, Cursor: "a:6@7"}}, got.states)
		require.Equal(t, "a", why.Session)
		require.Equal(t, link.Rebuilt, why.Why)
		require.ErrorIs(t, why.Refused, fault.GenerationChanged)
	})
}

// A load that fails ends its session, as the fault it is, with its own error as the
// cause; the last one ends the stream.
func TestLoadsThatFail(t *testing.T) {
	broken := errors.New("the store is closed")
	for name, c := range map[string]struct {
		load client.Load
		id   fault.ID
	}{
		"an error":           {func(context.Context, client.LoadRequest) (client.Loaded, error) { return client.Loaded{}, broken }, fault.LoadFailed},
		"no cursor":          {snapshots(""), fault.LoadFailed},
		"another's":          {snapshots("team:b:1"), fault.ForeignSession},
		"the same once more": {snapshots("a:9@7", "a:9@7", "a:9@7"), fault.LoadLoop},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := over(flaky.New(flaky.Script{}))
				o.Sessions, o.Load = []string{"a"}, c.load
				got := follow(t, t.Context(), one("a"), o)
				require.ErrorIs(t, got.err, c.id)
				require.Equal(t, name == "an error", errors.Is(got.err, broken))
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		o := over(flaky.New(flaky.Script{}))
		o.Cursors = []client.Cursor{{Token: "team:b:1"}, {Token: "née:1"}}
		o.Load = func(context.Context, client.LoadRequest) (client.Loaded, error) { return client.Loaded{}, broken }
		got := follow(t, t.Context(), everything, o)
		require.NoError(t, got.err)
		require.Equal(t, map[string]string{"a": "failed", "team:b": "server", "née": "server"}, got.ended)
		for _, item := range got.items {
			if end, ok := item.(client.End); ok && end.Session == "a" {
				require.ErrorIs(t, end.Fault, broken)
			}
		}
	})
}

// A load is told when nobody wants its state any more.
func TestCloseDuringALoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stream := open(t, t.Context(), flaky.New(flaky.Script{}), client.Options{Sessions: []string{"a"},
			Load: func(ctx context.Context, _ client.LoadRequest) (client.Loaded, error) {
				<-ctx.Done()
				return client.Loaded{}, ctx.Err()
			}})
		time.AfterFunc(time.Second, func() { _ = stream.Close() })
		require.Equal(t, client.End{Session: "a", Cause: link.Closed}, next(t, stream))
	})
}

// A cursor of your own replaces the old one, whatever was on its way; the answer of
// a load that ran is not heard.
func TestReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := flaky.New(flaky.Script{})
		stream := open(t, t.Context(), server, client.Options{Sessions: []string{"a"}})
		defer stream.Close()
		for seq := int64(1); seq <= 2; seq++ {
			require.Equal(t, seq, next(t, stream).(client.Event).Seq)
		}
		require.NoError(t, stream.Reset(client.Cursor{Token: "a:6@7"}))
		require.Equal(t, "a:6@7", applied(stream, "a"))
		for {
			if e, ok := next(t, stream).(client.Event); ok {
				require.EqualValues(t, 7, e.Seq)
				break
			}
		}
		require.ErrorIs(t, stream.Reset(client.Cursor{Token: "x:1"}), fault.ForeignSession)
		require.ErrorIs(t, stream.Reset(client.Cursor{Token: "x"}), fault.InvalidCursor)

		loads := 0
		loading := open(t, t.Context(), server, client.Options{Sessions: []string{"a"},
			Load: func(context.Context, client.LoadRequest) (client.Loaded, error) {
				loads++
				time.Sleep(time.Minute)
				return client.Loaded{State: "late", Cursor: "a:1@7"}, nil
			}})
		defer loading.Close()
		require.NoError(t, loading.Reset(client.Cursor{Token: "a:7@7"}))
		require.EqualValues(t, 8, next(t, loading).(client.Event).Seq)
		time.Sleep(time.Hour)
		for {
			item, err := loading.Next(t.Context())
			if err != nil {
				break
			}
			_, late := item.(client.State)
			require.False(t, late)
		}
		require.Equal(t, 1, loads)
	})
}

// bearer answers tokens, one after another, and notes what it was told.
func bearer(asked *[]client.Request, tokens ...string) func(context.Context, client.Request) (http.Header, error) {
	return func(_ context.Context, r client.Request) (http.Header, error) {
		*asked = append(*asked, r)
		if len(tokens) == 0 {
			return nil, errors.New("secret: no more tokens")
		}
		token := tokens[0]
		if len(tokens) > 1 {
			tokens = tokens[1:]
		}
		return http.Header{"authorization": {"Bearer " + token}}, nil
	}
}

// new credentials are asked for once per progress, and the request that they
// are for is made with them.
func TestCredentials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []client.Request
		server := flaky.New(flaky.Script{Faults: []flaky.Fault{cut, {Kind: "auth", Token: "new"}, {Kind: "auth", Token: "new"}}})
		o := over(server)
		o.Credentials = bearer(&asked, "old", "old", "new")
		o.Header = http.Header{"x-tenant": {"t"}, "Authorization": {"Bearer none"}}
		follow(t, t.Context(), everything, o).whole(t, "renewed")
		var statuses []int
		for _, r := range asked {
			statuses = append(statuses, r.Status)
			require.Contains(t, r.URL, "http://flaky.test/v1/sessions/a/events?")
		}
		require.Equal(t, []int{0, 0, 401}, statuses)
	})
}

func TestCredentialsThatDoNotHelp(t *testing.T) {
	for name, c := range map[string]struct {
		tokens []string
		asked  int
		said   string
	}{
		"refused again":           {[]string{"old"}, 2, "status 401"},
		"none any more":           {[]string{"old", ""}, 2, ""},
		"none in the first place": {nil, 1, "no more tokens"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked []client.Request
				o := over(flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "auth", Token: "new"}}, Always: true}))
				o.Credentials = bearer(&asked, c.tokens...)
				got := follow(t, t.Context(), everything, o)
				require.ErrorIs(t, got.err, fault.Unauthorized)
				require.Contains(t, got.err.Error(), c.said)
				require.Len(t, asked, c.asked)
			})
		})
	}
}

// Decisions and states hold positions, and never what events say.
func TestWatching(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var decisions []string
		var states []client.Standing
		o := over(flaky.New(flaky.Script{Faults: []flaky.Fault{cut, {Kind: "status", Status: 503, RetryAfter: "9"}, {Kind: "double", Record: "a:6"}}}))
		o.OnDecision = func(d client.Decision) {
			text, err := json.Marshal(d)
			require.NoError(t, err)
			decisions = append(decisions, string(text))
		}
		o.OnState = func(s client.Standing) { states = append(states, s) }
		follow(t, t.Context(), everything, o).whole(t, "watched")

		said := strings.Join(decisions, "\n")
		require.Contains(t, said, `{"session":"a","verdict":"duplicate","seq":6,`)
		require.Contains(t, said, `"verdict":"broken","rule":"stream.http_status"`)
		require.NotContains(t, said, "Boote")
		var connections []string
		for _, s := range states {
			if n := len(connections); n == 0 || connections[n-1] != s.Connection {
				connections = append(connections, s.Connection)
			}
			require.Equal(t, s.Connection == "waiting", !s.RetryAt.IsZero())
		}
		require.Equal(t, []string{"connecting", "open", "waiting", "connecting", "waiting", "connecting", "open", "closed"}, connections)
		require.Equal(t, map[string]string{"a": "ended", "team:b": "ended", "née": "ended"}, states[len(states)-1].Sessions)
	})
}
