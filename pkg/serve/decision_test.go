package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

const continues = `{"action":"continue"}`

// asked is a session whose turn waits: its question stands at seq 1, and there is
// another one at seq 2, under an id with awkward letters.
type asked struct {
	t       *testing.T
	log     sessionlog.Log
	writer  *durable.Session
	handler *serve.Handler
	now     int64
}

const awkward = `a/b?c%2F "é"`

func asking(t *testing.T) *asked {
	a := &asked{t: t, now: 1_767_225_600_000}
	store := memory.New(memory.Options{})
	a.log = created(t, store, "s", 0)
	lease, err := a.log.Acquire(t.Context())
	require.NoError(t, err)
	a.writer, err = durable.New(durable.Options{Log: a.log, Lease: lease, Clock: func() int64 { return a.now }})
	require.NoError(t, err)
	for _, id := range []string{"d1", awkward} {
		_, err = a.writer.Park(t.Context(), durable.Question{TurnID: "t", CheckpointID: id, Request: []byte(`{"type":"continue"}`)})
		require.NoError(t, err)
	}
	a.handler = serve.New(store, serve.Options{Durable: serve.Durable{
		Writer: func(context.Context, string) (*durable.Session, error) { return a.writer, nil },
		Who: func(r *http.Request) park.By {
			return park.By{Kind: "user", Role: r.Header.Get("X-Role"), TenantID: "acme"}
		},
	}})
	return a
}

// post sends a body to answer a question.
func post(handler http.Handler, session, decisionID, body string, header ...string) *httptest.ResponseRecorder {
	path := "/v1/sessions/" + url.PathEscape(session) + "/decisions/" + url.PathEscape(decisionID)
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	handler.ServeHTTP(w, r)
	return w
}

func bodyAt(decision string, seq int) string {
	return fmt.Sprintf(`{"decision":%s,"seq":%d,"generation":1}`, decision, seq)
}

func (a *asked) lastSeq() int {
	head, err := a.log.Head(a.t.Context())
	require.NoError(a.t, err)
	return int(head.LastSeq)
}

// An answer is recorded under the lease, byte for byte, and the reply says where
//
func TestAnAnswerIsRecorded(t *testing.T) {
	for name, c := range map[string]struct{ id, body, want string }{
		"a known action":         {"d1", bodyAt(continues, 1), `"decision":{"action":"continue"}`},
		"generation as text":     {"d1", `{"seq":1,"generation":"1","decision":{"action":"continue"}}`, `"decision":{"action":"continue"}`},
		"an action nobody knows": {"d1", bodyAt(`{"action":"escalate","to":{"n":1.50}}`, 1), `"decision":{"action":"escalate","to":{"n":1.50}}`},
		"members nobody knows":   {"d1", `{"decision":{"action":"continue"},"seq":1,"generation":1,"note":"x"}`, `"decision":{"action":"continue"}`},
		"half a surrogate pair":  {"d1", bodyAt(`{"action":"x","y":"\ud800"}`, 1), `{"action":"x","y":"\ud800"}`},
		"as deep as it may be":   {"d1", bodyAt(`{"action":"x","y":`+strings.Repeat("[", 98)+strings.Repeat("]", 98)+`}`, 1), `[[[]]]`},
		"an id with escapes":     {awkward, bodyAt(continues, 2), `"decisionId":"a/b?c%2F \"é\""`},
		"on several lines":       {"d1", "{\n \"decision\": {\n  \"action\": \"continue\"\n },\n \"seq\": 1,\n \"generation\": 1\n}\n", `"action": "continue"`},
	} {
		t.Run(name, func(t *testing.T) {
			a := asking(t)
			w := post(a.handler, "s", c.id, c.body, "X-Role", "admin")
			require.Equal(t, http.StatusOK, w.Code, w.Body)
			require.Equal(t, "application/json", w.Header().Get("Content-Type"))
			require.Contains(t, w.Body.String(), c.want)
			require.Contains(t, w.Body.String(), `"seq":3,"generation":1`)
			require.Contains(t, w.Body.String(), `"resolvedBy":{"kind":"user","role":"admin","tenantId":"acme"}`)
			lines, _, err := a.log.Records(t.Context(), 2, 1)
			require.NoError(t, err)
			require.Contains(t, string(lines[0]), `"type":"decision_resolved"`)
			require.Contains(t, string(lines[0]), `"gen":1`)
		})
	}
}

// What is known to be no approval stays none, whatever else is in it.
func TestAnUnknownActionIsNoApproval(t *testing.T) {
	a := asking(t)
	require.Equal(t, http.StatusOK, post(a.handler, "s", "d1", bodyAt(`{"action":"approve_everything"}`, 1)).Code)
	parks, err := a.writer.Parks(t.Context())
	require.NoError(t, err)
	require.True(t, parks[0].Resolved)
	require.JSONEq(t, `{"action":"approve_everything"}`, string(parks[0].Decision))
}

// Each bad answer has its status and its code, and records nothing.
func TestAnswersThatAreRefused(t *testing.T) {
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for name, c := range map[string]struct {
		session, id, body string
		header            []string
		status            int
		code              string
	}{
		"not JSON":           {body: `{"decision"`, status: 400, code: "durable.bad_decision"},
		"nothing":            {body: ``, status: 400, code: "durable.bad_decision"},
		"no object":          {body: `[1]`, status: 400, code: "durable.bad_decision"},
		"two values":         {body: bodyAt(continues, 1) + `{}`, status: 400, code: "durable.bad_decision"},
		"no decision":        {body: `{"seq":1}`, status: 400, code: "durable.bad_decision"},
		"decision is text":   {body: bodyAt(`"continue"`, 1), status: 400, code: "durable.bad_decision"},
		"decision is null":   {body: bodyAt(`null`, 1), status: 400, code: "durable.bad_decision"},
		"no action":          {body: bodyAt(`{}`, 1), status: 400, code: "durable.bad_decision"},
		"action is a number": {body: bodyAt(`{"action":1}`, 1), status: 400, code: "durable.bad_decision"},
		"action twice":       {body: bodyAt(`{"action":"pause","action":"continue"}`, 1), status: 400, code: "durable.bad_decision"},
		"members missing":    {body: bodyAt(`{"action":"reject_plan"}`, 1), status: 400, code: "durable.bad_decision"},
		"decision twice":     {body: `{"decision":{"action":"pause"},"decision":{"action":"continue"},"seq":1}`, status: 400, code: "durable.bad_decision"},
		"no seq":             {body: `{"decision":{"action":"continue"}}`, status: 400, code: "durable.bad_decision"},
		"seq is text":        {body: `{"decision":{"action":"continue"},"seq":"1"}`, status: 400, code: "durable.bad_decision"},
		"seq is a fraction":  {body: `{"decision":{"action":"continue"},"seq":1.5}`, status: 400, code: "durable.bad_decision"},
		"seq below 1":        {body: `{"decision":{"action":"continue"},"seq":0}`, status: 400, code: "durable.bad_decision"},
		"generation is true": {body: `{"decision":{"action":"continue"},"seq":1,"generation":true}`, status: 400, code: "durable.bad_decision"},
		"too deep":           {body: bodyAt(`{"action":"x","y":`+deep+`}`, 1), status: 400, code: "durable.bad_decision"},
		"no UTF-8":           {body: bodyAt("{\"action\":\"\xff\"}", 1), status: 400, code: "durable.bad_decision"},
		"huge":               {body: bodyAt(`{"action":"x","y":"`+strings.Repeat("y", 1<<20)+`"}`, 1), status: 413, code: "durable.bad_decision"},
		"a form":             {body: bodyAt(continues, 1), header: []string{"Content-Type", "text/plain"}, status: 415, code: "durable.bad_decision"},
		"no content type":    {body: bodyAt(continues, 1), header: []string{"Content-Type", ""}, status: 415, code: "durable.bad_decision"},
		"never asked":        {id: "d9", body: bodyAt(continues, 1), status: 404, code: "durable.unknown_decision"},
		"unknown session":    {session: "other", body: bodyAt(continues, 1), status: 404, code: "stream.unknown_session"},
		"id with a slash":    {id: "d1/x", body: bodyAt(continues, 1), status: 404, code: "durable.unknown_decision"},
		"read elsewhere":     {body: bodyAt(continues, 2), status: 409, code: "durable.stale_decision"},
		"other generation":   {body: `{"decision":{"action":"continue"},"seq":1,"generation":2}`, status: 409, code: "durable.stale_decision"},
		"no generation":      {body: `{"decision":{"action":"continue"},"seq":1}`, status: 409, code: "durable.stale_decision"},
	} {
		t.Run(name, func(t *testing.T) {
			a := asking(t)
			w := post(a.handler, orElse(c.session, "s"), orElse(c.id, "d1"), c.body, c.header...)
			requireProblem(t, w, c.status, c.code)
			require.Equal(t, 2, a.lastSeq(), "nothing may be recorded")
		})
	}
}

func orElse(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

// requireProblem checks an error of the durable routes and answers its members.
func requireProblem(t *testing.T, w *httptest.ResponseRecorder, status int, code string) map[string]any {
	t.Helper()
	require.Equal(t, status, w.Code, w.Body)
	require.Equal(t, "application/problem+json", w.Header().Get("Content-Type"))
	var problem map[string]any
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &problem))
	require.Equal(t, code, problem["code"], w.Body)
	require.InDelta(t, status, problem["status"], 0)
	require.NotEmpty(t, problem["hint"])
	rule, ok := fault.Lookup(problem["rule"].(string))
	require.True(t, ok)
	require.Equal(t, []any{rule.Code.String(), rule.Retryable}, []any{problem["class"], problem["retryable"]})
	require.Equal(t, status == http.StatusServiceUnavailable, w.Header().Get("Retry-After") != "")
	return problem
}

// The second answer learns of the first one.
func TestTheFirstAnswerComesAlong(t *testing.T) {
	a := asking(t)
	require.Equal(t, http.StatusOK, post(a.handler, "s", "d1", bodyAt(continues, 1), "X-Role", "one").Code)
	problem := requireProblem(t, post(a.handler, "s", "d1", bodyAt(`{"action":"abort"}`, 1), "X-Role", "two"), 409, "durable.decision_answered")
	first := problem["first"].(map[string]any)
	require.Equal(t, map[string]any{"action": "continue"}, first["decision"])
	require.Equal(t, "one", first["resolvedBy"].(map[string]any)["role"])
	require.InDelta(t, 3, first["seq"], 0)
	require.Positive(t, first["resolvedAt"])
	require.Equal(t, 3, a.lastSeq())
}

// An expiry that is recorded refuses; a deadline that is only past does not.
func TestAnswersAndDeadlines(t *testing.T) {
	a := asking(t)
	soon := int64(5)
	for _, id := range []string{"late", "swept"} {
		_, err := a.writer.Park(t.Context(), durable.Question{TurnID: "t", CheckpointID: id, Request: []byte(`{"type":"continue"}`), TTL: &soon})
		require.NoError(t, err)
	}
	a.now += 1000
	require.Equal(t, http.StatusOK, post(a.handler, "s", "late", bodyAt(continues, 3)).Code)
	ended, err := a.writer.Sweep(t.Context())
	require.NoError(t, err)
	require.Len(t, ended, 1)
	problem := requireProblem(t, post(a.handler, "s", "swept", bodyAt(continues, 4)), 410, "durable.decision_expired")
	first := problem["first"].(map[string]any)
	require.Equal(t, "pause", first["decision"].(map[string]any)["action"])
	require.NotContains(t, first, "resolvedBy")
	require.InDelta(t, 6, first["seq"], 0)
}

// Nobody but the holder of the lease records.
func TestAnswersOfWhoeverLostTheLease(t *testing.T) {
	a := asking(t)
	_, err := a.log.Acquire(t.Context())
	require.NoError(t, err)
	requireProblem(t, post(a.handler, "s", "d1", bodyAt(continues, 1)), 503, "durable.not_the_writer")
	require.Equal(t, 2, a.lastSeq())
}

func TestWhoWritesALog(t *testing.T) {
	store := memory.New(memory.Options{})
	created(t, store, "s", 1)
	for name, c := range map[string]struct {
		writer func(context.Context, string) (*durable.Session, error)
		status int
		code   string
	}{
		"nobody here":  {nil, 501, "durable.read_only"},
		"another one":  {func(context.Context, string) (*durable.Session, error) { return nil, nil }, 503, "durable.not_the_writer"},
		"it is broken": {func(context.Context, string) (*durable.Session, error) { return nil, errors.New("secret") }, 500, "stream.store_failed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := post(serve.New(store, serve.Options{Durable: serve.Durable{Writer: c.writer}}), "s", "d1", bodyAt(continues, 1))
			requireProblem(t, w, c.status, c.code)
			require.NotContains(t, w.Body.String(), "secret")
		})
	}
}

// A page that starts from the transcript knows the questions up to its cursor; without
// the beginning of the log nobody does.
func TestTheQuestionsOfATranscript(t *testing.T) {
	a := asking(t)
	require.Equal(t, http.StatusOK, post(a.handler, "s", "d1", bodyAt(continues, 1)).Code)
	var page struct {
		State struct{ Parks *struct{ Fold string } }
	}
	require.NoError(t, json.Unmarshal(get(a.handler, "/v1/sessions/s/transcript").Body.Bytes(), &page))
	var saved struct{ Fold json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(page.State.Parks.Fold), &saved))
	var fold park.Fold
	require.NoError(t, fold.Restore(saved.Fold))
	require.Len(t, fold.Parks(), 2)
	require.True(t, fold.Find("d1").Resolved)
	require.Equal(t, awkward, fold.Pending(a.now).DecisionID)
	for _, before := range []int{2, 4} {
		require.NoError(t, a.log.Prune(t.Context(), events.Seq(before)))
		page.State.Parks = nil
		require.NoError(t, json.Unmarshal(get(a.handler, "/v1/sessions/s/transcript").Body.Bytes(), &page))
		require.Nil(t, page.State.Parks)
	}
}

// What the log takes no record of is the answer's fault, not the server's.
func TestAnAnswerThatIsTooLongForTheLog(t *testing.T) {
	store := memory.New(memory.Options{MaxBytes: 500})
	log := created(t, store, "s", 0)
	writer, err := durable.New(durable.Options{Log: log})
	require.NoError(t, err)
	_, err = writer.Park(t.Context(), durable.Question{TurnID: "t", CheckpointID: "d1", Request: []byte(`{"type":"continue"}`)})
	require.NoError(t, err)
	handler := serve.New(store, serve.Options{Durable: serve.Durable{
		Writer: func(context.Context, string) (*durable.Session, error) { return writer, nil },
	}})
	body := `{"seq":1,"decision":{"action":"continue","note":"` + strings.Repeat("x", 500) + `"}}`
	requireProblem(t, post(handler, "s", "d1", body), 400, "durable.bad_decision")
	w := post(handler, "s", "d1", `{"seq":1,"decision":{"action":"continue"}}`)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.NotContains(t, w.Body.String(), "generation", "nobody ever took a lease")
}

// Who may read need not be one who may answer: the method tells.
func TestWhoMayAnswer(t *testing.T) {
	store := memory.New(memory.Options{})
	created(t, store, "s", 1)
	handler := serve.New(store, serve.Options{Authorize: func(r *http.Request, _ string) int {
		if r.Method == http.MethodPost {
			return http.StatusForbidden
		}
		return 0
	}})
	require.Equal(t, http.StatusOK, get(handler, "/v1/sessions/s/log").Code)
	require.Equal(t, http.StatusForbidden, post(handler, "s", "d1", "not even JSON").Code)
	require.Equal(t, http.StatusForbidden, post(handler, "nowhere", "d1", "{}").Code)
}

// Fifty clients answer at once: one is recorded, and all others learn of that one.
func TestAnswersAtOnce(t *testing.T) {
	a := asking(t)
	const clients = 50
	answers := make([]*httptest.ResponseRecorder, clients)
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			answers[i] = post(a.handler, "s", "d1", bodyAt(fmt.Sprintf(`{"action":"continue","client":%d}`, i), 1))
		})
	}
	all.Wait()
	var won map[string]any
	for _, w := range answers {
		if w.Code == http.StatusOK {
			require.Nil(t, won, "two answers were recorded")
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &won))
		}
	}
	require.NotNil(t, won)
	for _, w := range answers {
		if w.Code != http.StatusOK {
			first := requireProblem(t, w, 409, "durable.decision_answered")["first"].(map[string]any)
			require.Equal(t, won["decision"], first["decision"])
			require.Equal(t, won["seq"], first["seq"])
		}
	}
	require.Equal(t, 3, a.lastSeq())
}

// A page asks first before it posts, and each route names its method.
func TestPreflights(t *testing.T) {
	handler := serve.New(memory.New(memory.Options{}), serve.Options{Origins: []string{"https://a"}})
	for path, method := range map[string]string{
		"/v1/sessions/s/decisions/d": "POST", "/v1/sessions/s/records": "GET", "/v1/sessions/s/events": "GET", "/v1/runs": "GET",
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodOptions, path, nil)
		r.Header.Set("Origin", "https://a")
		handler.ServeHTTP(w, r)
		require.Equal(t, http.StatusNoContent, w.Code)
		require.Equal(t, method, w.Header().Get("Access-Control-Allow-Methods"))
		require.Contains(t, w.Header().Get("Access-Control-Allow-Headers"), "Content-Type")
		require.Equal(t, "https://a", w.Header().Get("Access-Control-Allow-Origin"))
	}
	require.Equal(t, http.StatusMethodNotAllowed, get(handler, "/v1/sessions/s/decisions/d").Code)
}
