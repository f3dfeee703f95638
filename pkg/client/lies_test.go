package client_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/flaky"
	"github.com/tidemark-stream/tidemark/pkg/client"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// cut is a connection that breaks when some of each session was handed over:
// a:1 to 4, team:b:1 to 2, née:1.
var cut = flaky.Fault{Kind: "cut", At: strings.Index(string(flaky.Stream("")), "id: team:b:3")}

// A server that lies for good is refused, for the session that it lies about and
// with the true reason; the others go on. What was handed over before is a prefix
// of the log.
func TestLies(t *testing.T) {
	for name, c := range map[string]struct {
		faults  []flaky.Fault // the last one goes on for good
		session string        // that is lied about
		rule    string
		kept    int // seq that the session got to
	}{
		"a record is left out":              {[]flaky.Fault{{Kind: "drop", Record: "a:3"}}, "a", "stream.gap.hole", 2},
		"the first record is left out":      {[]flaky.Fault{{Kind: "drop", Record: "team:b:1"}}, "team:b", "stream.gap.hole", 0},
		"a live record is left out":         {[]flaky.Fault{{Kind: "drop", Record: "a:7"}}, "a", "stream.gap.hole", 6},
		"the last of the replay is":         {[]flaky.Fault{{Kind: "drop", Record: "née:2"}}, "née", "stream.gap.hole", 1},
		"two records change places":         {[]flaky.Fault{{Kind: "swap", Record: "a:3"}}, "a", "stream.gap.hole", 2},
		"the replay stops early":            {[]flaky.Fault{{Kind: "short", Record: "a:2"}}, "a", "stream.gap.short", 1},
		"the cursor is passed over":         {[]flaky.Fault{cut, {Kind: "skip", Record: "a:5"}}, "a", "stream.gap.hole", 4},
		"a record is no event":              {[]flaky.Fault{{Kind: "garble", Record: "a:3"}}, "a", "stream.gap.bad_event", 2},
		"an id is of another place":         {[]flaky.Fault{{Kind: "mislabel", Record: "a:3"}}, "a", "stream.gap.bad_event", 2},
		"a record is of another generation": {[]flaky.Fault{{Kind: "fence", Record: "a:3"}}, "a", "stream.generation_changed.event_generation", 2},
		"so is one without order":           {[]flaky.Fault{{Kind: "fence", Record: "née:3"}}, "née", "stream.generation_changed.event_generation", 2},
		"the head is of another generation": {[]flaky.Fault{cut, {Kind: "takeover", Record: "a:0"}}, "a", "stream.generation_changed", 4},
		"the log has lost its end":          {[]flaky.Fault{cut, {Kind: "lose", Record: "a:2"}}, "a", "stream.cursor_ahead", 4},
		"the log has lost everything":       {[]flaky.Fault{cut, {Kind: "lose", Record: "team:b:0"}}, "team:b", "stream.cursor_ahead", 2},
		"it was lost and has grown again":   {[]flaky.Fault{cut, {Kind: "rewrite", Record: "team:b:1"}}, "team:b", "stream.generation_changed.history_changed", 2},
		"the log was pruned meanwhile":      {[]flaky.Fault{cut, {Kind: "prune", Record: "a:5"}}, "a", "stream.gap.pruned", 4},
		"the log begins later":              {[]flaky.Fault{{Kind: "prune", Record: "née:1"}}, "née", "stream.gap.pruned", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := flaky.New(flaky.Script{Faults: c.faults, Always: true})
				got := follow(t, t.Context(), everything, over(server))
				require.NoError(t, got.err)
				require.Equal(t, map[string]string{c.session: c.rule}, got.refused)
				got.prefix(t, c.session, c.kept)
				for _, session := range flaky.Sessions() {
					if session != c.session {
						require.Equal(t, texts(flaky.Records(session)), got.log[session])
					}
				}
			})
		})
	}
}

// What goes wrong once, and what is no lie, refuses nothing: exactly the log is
// handed over.
func TestNoLies(t *testing.T) {
	for name, faults := range map[string][]flaky.Fault{
		"nothing":                         nil,
		"a record is left out once":       {{Kind: "drop", Record: "a:3"}},
		"the last of a replay, once":      {{Kind: "drop", Record: "née:2"}},
		"swapped once":                    {{Kind: "swap", Record: "a:3"}},
		"short once":                      {{Kind: "short", Record: "team:b:1"}},
		"garbled once":                    {{Kind: "garble", Record: "a:3"}},
		"mislabelled once":                {{Kind: "mislabel", Record: "team:b:2"}},
		"skipped once":                    {cut, {Kind: "skip", Record: "a:6"}},
		"doubled":                         {{Kind: "double", Record: "a:2"}, {Kind: "double", Record: "a:2"}},
		"doubled while live":              {{Kind: "double", Record: "a:7"}},
		"the cursor is ignored":           {cut, {Kind: "ignore"}},
		"busy, with seconds":              {{Kind: "status", Status: 429, RetryAfter: "7"}},
		"busy, with a date":               {{Kind: "status", Status: 503, RetryAfter: "date:7"}},
		"busy, again and again":           {cut, {Kind: "status", Status: 503}, {Kind: "status", Status: 502}, {Kind: "status", Status: 408}, {Kind: "status", Status: 425}},
		"no answer at all":                {{Kind: "reset"}, {Kind: "reset"}},
		"silence":                         {{Kind: "stall", At: 0}, {Kind: "stall", At: 1500}},
		"an empty body":                   {{Kind: "empty"}},
		"a redirect":                      {{Kind: "redirect"}},
		"the end of a body is no end":     {{Kind: "end", At: 2000}},
		"byte by byte":                    {{Drip: true}},
		"byte by byte, slowly":            {{Drip: true, Pause: 50 * time.Millisecond}},
		"a body that ends without an end": {{Kind: "open"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				follow(t, t.Context(), everything, over(flaky.New(flaky.Script{Faults: faults}))).whole(t, name)
			})
		})
	}
}

// An answer that no retry can mend ends the stream, and says as what.
func TestAnswersThatEndAStream(t *testing.T) {
	for name, c := range map[string]struct {
		fault flaky.Fault
		id    fault.ID
	}{
		"a page":               {flaky.Fault{Kind: "html"}, fault.ContentType},
		"another content type": {flaky.Fault{Kind: "type"}, fault.ContentType},
		"400":                  {flaky.Fault{Kind: "status", Status: 400}, fault.HTTPStatus},
		"404":                  {flaky.Fault{Kind: "status", Status: 404}, fault.HTTPStatus},
		"401":                  {flaky.Fault{Kind: "status", Status: 401}, fault.Unauthorized},
		"403":                  {flaky.Fault{Kind: "status", Status: 403}, fault.Unauthorized},
	} {
		for when, faults := range map[string][]flaky.Fault{"at first": {c.fault}, "after a break": {cut, c.fault}} {
			t.Run(name+" "+when, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					got := follow(t, t.Context(), everything, over(flaky.New(flaky.Script{Faults: faults, Always: true})))
					require.Equal(t, c.id, faultOf(got.err), got.err)
					require.Empty(t, got.refused)
					got.prefix(t, "a", 4*(len(faults)-1))
				})
			})
		}
	}
}

// Refusals by status: what the code of the body says, and for every session.
func TestRefusalsByStatus(t *testing.T) {
	for name, c := range map[string]struct {
		fault flaky.Fault
		rule  string
	}{
		"410":                      {flaky.Fault{Kind: "status", Status: 410}, "stream.gap.http_status"},
		"409":                      {flaky.Fault{Kind: "status", Status: 409}, "stream.gap.http_status"},
		"410, by name":             {flaky.Fault{Kind: "status", Status: 410, Code: "stream.gap.pruned"}, "stream.gap.pruned"},
		"409, a takeover":          {flaky.Fault{Kind: "status", Status: 409, Code: "generation_changed"}, "stream.generation_changed"},
		"409, a cursor beyond it":  {flaky.Fault{Kind: "status", Status: 409, Code: "cursor_ahead"}, "stream.cursor_ahead"},
		"410, with another's code": {flaky.Fault{Kind: "status", Status: 410, Code: "gone_fishing"}, "stream.gap.http_status"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := follow(t, t.Context(), everything, over(flaky.New(flaky.Script{Faults: []flaky.Fault{cut, c.fault}, Always: true})))
				require.NoError(t, got.err)
				require.Equal(t, map[string]string{"a": c.rule, "team:b": c.rule, "née": c.rule}, got.refused)
				got.prefix(t, "a", 4)
			})
		})
	}
}

// The wait after a 429 is not shorter than the server asked for, and 204 is the end.
func TestRetryAfterAndNoContent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		server := flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "status", Status: 429, RetryAfter: "20"}, {Kind: "status", Status: 429, RetryAfter: "date:20"}}})
		follow(t, t.Context(), everything, over(server)).whole(t, "429")
		require.GreaterOrEqual(t, time.Since(begun), 39*time.Second) // a date has no parts of a second
		require.Less(t, time.Since(begun), 60*time.Second)

		got := follow(t, t.Context(), one("a"), client.Options{Client: over(flaky.New(flaky.Script{
			Faults: []flaky.Fault{{Kind: "status", Status: http.StatusNoContent}},
		})).Client})
		require.NoError(t, got.err)
		require.Equal(t, map[string]string{"a": "server"}, got.ended)
	})
}

// Two bodies that end with nothing new: the stream is incomplete, not complete.
func TestIncomplete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := follow(t, t.Context(), everything, over(flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "empty"}}, Always: true})))
		require.NoError(t, got.err)
		require.Equal(t, map[string]string{"a": "incomplete", "team:b": "incomplete", "née": "incomplete"}, got.ended)
	})
}

// What chance adds to a wait is drawn anew, by each client and for each attempt:
// two that were cut off together do not come back together.
func TestClientsComeBackApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		waits := func() (spans []time.Duration) {
			last := time.Now()
			over := flaky.Transport(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				spans = append(spans, time.Since(last))
				last = time.Now()
				w.WriteHeader(http.StatusServiceUnavailable)
			}))
			stream, err := client.Open(t.Context(), everything, client.Options{Client: &http.Client{Transport: over}})
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			_, err = stream.Next(ctx)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.NoError(t, stream.Close())
			return spans[5:15] // each from nothing to 30 seconds
		}
		first, second := waits(), waits()
		require.NotEqual(t, first[0], first[1])
		require.NotEqual(t, first, second)
	})
}
