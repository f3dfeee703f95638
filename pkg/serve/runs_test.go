package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/durable/disk"
	memorystore "github.com/tidemark-stream/tidemark/pkg/durable/memory"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

func runOf(session, id string) listing.RunScope {
	return listing.RunScope{TenantID: "acme", ProjectID: "web", SessionID: session, RunID: id}
}

func putRun(t *testing.T, s durable.Store, run listing.RunScope) {
	d := checkpoint.Document{CheckpointID: "cp", SessionID: run.SessionID, ThroughSeq: 1, CreatedAt: 7, State: checkpoint.State{TurnID: run.RunID}}
	_, err := s.Put(t.Context(), run, "cp", d.AppendJSON(nil))
	require.NoError(t, err)
}

func listed(stores ...durable.Store) func(context.Context, listing.Scope) ([]durable.Lister, error) {
	return func(context.Context, listing.Scope) (all []durable.Lister, err error) {
		for _, s := range stores {
			l, err := durable.ListerOf(s)
			if err != nil {
				return nil, err
			}
			all = append(all, l)
		}
		return all, nil
	}
}

func runsHandler(listers func(context.Context, listing.Scope) ([]durable.Lister, error)) *serve.Handler {
	return serve.New(memory.New(memory.Options{}), serve.Options{MaxLimit: 200, Durable: serve.Durable{Listers: listers, Clock: func() int64 { return 100 }}})
}

// rowsOf walks a listing page by page.
func rowsOf(t *testing.T, handler http.Handler, query string) (pages int, rows []string) {
	for token := ""; ; pages++ {
		w := get(handler, "/v1/runs?"+query+"&page="+url.QueryEscape(token))
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		var page struct {
			Entries []struct{ SessionID, RunID string }
			Page    string
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &page))
		for _, e := range page.Entries {
			rows = append(rows, e.SessionID+"/"+e.RunID)
		}
		if token = page.Page; token == "" {
			return pages + 1, rows
		}
	}
}

// Rows come in the order of the run, over many folders, each once.
func TestRuns(t *testing.T) {
	var stores []durable.Store
	var want []string
	for i := range 3 {
		session := fmt.Sprint("s", i)
		of := listing.Scope{TenantID: "acme", ProjectID: "web", SessionID: session}
		store, err := disk.New(filepath.Join(t.TempDir(), session), disk.Options{Of: of, Parks: func(context.Context) ([]*park.Park, error) { return nil, nil }})
		require.NoError(t, err)
		stores = append(stores, store)
	}
	for n := range 7 {
		session := n % 3
		putRun(t, stores[session], runOf(fmt.Sprint("s", session), fmt.Sprint("r", n)))
		want = append(want, fmt.Sprintf("s%d/r%d", session, n))
	}
	handler := runsHandler(listed(stores...))
	for query, pages := range map[string]int{
		"tenant=acme": 1, "tenant=acme&limit=100": 1, "tenant=acme&limit=3": 3, "tenant=acme&limit=3.9": 3, "tenant=acme&limit=0": 7,
		"tenant=acme&limit=-5": 7, "tenant=acme&limit=1e300": 1, "tenant=acme&project=web&limit=7": 1,
	} {
		n, rows := rowsOf(t, handler, query)
		require.Equal(t, want, rows, query)
		require.Equal(t, pages, n, query)
	}
	_, rows := rowsOf(t, handler, "tenant=acme&project=web&session=s1")
	require.Equal(t, []string{"s1/r1", "s1/r4"}, rows)
	for _, query := range []string{"tenant=other", "tenant=acme&project=other"} {
		_, rows = rowsOf(t, handler, query)
		require.Empty(t, rows, query)
	}
}

// The filter names states of parks; naming none keeps none.
func TestRunsByPark(t *testing.T) {
	store := memorystore.New()
	for id, p := range map[string]*park.Park{
		"free": nil, "open": {DecisionID: "a", Request: []byte(`{}`)},
		"late": {DecisionID: "a", Request: []byte(`{}`), HasDeadline: true, DeadlineAt: 100},
		"done": {DecisionID: "a", Request: []byte(`{}`), Resolved: true},
	} {
		putRun(t, store, runOf("s", id))
		if p != nil {
			require.NoError(t, store.SetParks(runOf("s", id), []*park.Park{p}))
		}
	}
	handler := runsHandler(listed(store))
	for query, want := range map[string][]string{
		"": {"s/done", "s/free", "s/late", "s/open"}, "&park=outstanding": {"s/open"}, "&park=expired": {"s/late"}, "&park=resolved": {"s/done"},
		"&park=outstanding,expired": {"s/late", "s/open"}, "&park=resolved&park=expired": {"s/done", "s/late"}, "&park=": nil,
	} {
		_, rows := rowsOf(t, handler, "tenant=acme"+query)
		require.Equal(t, want, rows, query)
	}
}

// a document that cannot be read is named by its code alone, and hides no run;
// what was found in it is told here.
func TestRunsWithAnUnreadableDocument(t *testing.T) {
	folder := t.TempDir()
	store, err := disk.New(folder, disk.Options{
		Of:    listing.Scope{TenantID: "acme", ProjectID: "web", SessionID: "s"},
		Parks: func(context.Context) ([]*park.Park, error) { return nil, nil },
	})
	require.NoError(t, err)
	putRun(t, store, runOf("s", "a"))
	putRun(t, store, runOf("s", "b"))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "a", "cp.json"), []byte(`{"v":"secret"}`), 0o644))
	var told []error
	o := serve.Options{
		Durable: serve.Durable{Listers: listed(store)},
		OnError: func(_ string, err error) { told = append(told, err) },
	}
	w := get(serve.New(memory.New(memory.Options{}), o), "/v1/runs?tenant=acme")
	require.Equal(t, http.StatusOK, w.Code)
	var page struct {
		Entries    []struct{ RunID string }
		Unreadable []map[string]string
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &page))
	require.Len(t, page.Entries, 1)
	require.Equal(t, "b", page.Entries[0].RunID)
	require.Equal(t, []map[string]string{{
		"tenantId": "acme", "projectId": "web", "sessionId": "s", "runId": "a", "checkpointId": "cp", "code": "durable.bad_document",
	}}, page.Unreadable)
	require.Len(t, told, 1)
	require.ErrorContains(t, told[0], "secret")
}

// cannot is a store without a listing.
type cannot struct{ durable.Store }

func TestRunsThatAreRefused(t *testing.T) {
	store := memorystore.New()
	putRun(t, store, runOf("s", "a"))
	putRun(t, store, runOf("s", "b"))
	w := get(runsHandler(listed(store)), "/v1/runs?tenant=acme&limit=1")
	var page struct{ Page string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &page))
	require.NotEmpty(t, page.Page)
	foreign := "&page=" + url.QueryEscape(page.Page)
	unattributed, err := disk.New(t.TempDir(), disk.Options{})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		query   string
		listers func(context.Context, listing.Scope) ([]durable.Lister, error)
		status  int
		code    string
	}{
		"no tenant":                 {"", listed(store), 400, "durable.scope_hole"},
		"a project without tenant":  {"project=web", listed(store), 400, "durable.scope_hole"},
		"a hole":                    {"tenant=acme&session=s", listed(store), 400, "durable.scope_hole"},
		"a hole, and no stores":     {"tenant=acme&session=s", nil, 400, "durable.scope_hole"},
		"a token that is none":      {"tenant=acme&page=x", listed(store), 400, "durable.bad_page_token"},
		"one of another scope":      {"tenant=other" + foreign, listed(store), 400, "durable.bad_page_token"},
		"one, and nothing in scope": {"tenant=acme&page=x", listed(), 400, "durable.bad_page_token"},
		"a limit that is no number": {"tenant=acme&limit=many", listed(store), 400, "stream.invalid_options"},
		"not a number":              {"tenant=acme&limit=NaN", listed(store), 400, "stream.invalid_options"},
		"a state that is none":      {"tenant=acme&park=lost", listed(store), 400, "stream.invalid_options"},
		"two tenants":               {"tenant=acme&tenant=other", listed(store), 400, "stream.invalid_options"},
		"two pages":                 {"tenant=acme&page=&page=x", listed(store), 400, "stream.invalid_options"},
		"half a session":            {"tenant=acme&project=web&session=%zz", listed(store), 400, "stream.invalid_options"},
		"half a state":              {"tenant=acme&park=%e", listed(store), 400, "stream.invalid_options"},
		"no listing at all":         {"tenant=acme", nil, 501, "durable.cannot_list"},
		"a store that cannot list":  {"tenant=acme", listed(cannot{store}), 501, "durable.cannot_list"},
		"one that is nobody's":      {"tenant=acme", listed(unattributed), 501, "durable.no_attribution"},
	} {
		t.Run(name, func(t *testing.T) {
			requireProblem(t, get(runsHandler(c.listers), "/v1/runs?"+c.query), c.status, c.code)
		})
	}
}

// Who may read a session has not been asked about a scope yet.
func TestWhoMayList(t *testing.T) {
	everyone := func(*http.Request, string) int { return 0 }
	only := func(_ *http.Request, s listing.Scope) int {
		if s.TenantID == "acme" {
			return 0
		}
		return http.StatusNotFound
	}
	for name, c := range map[string]struct {
		authorize func(*http.Request, string) int
		runs      func(*http.Request, listing.Scope) int
		query     string
		status    int
	}{
		"an open server":               {nil, nil, "tenant=acme", 200},
		"sessions only":                {everyone, nil, "tenant=acme", 403},
		"a scope of theirs":            {everyone, only, "tenant=acme", 200},
		"one of others":                {everyone, only, "tenant=other", 404},
		"before anything is looked at": {everyone, only, "session=s&limit=x", 404},
	} {
		t.Run(name, func(t *testing.T) {
			o := serve.Options{Authorize: c.authorize, Durable: serve.Durable{Listers: listed(memorystore.New()), AuthorizeRuns: c.runs}}
			require.Equal(t, c.status, get(serve.New(memory.New(memory.Options{}), o), "/v1/runs?"+c.query).Code)
		})
	}
}
