package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
)

var everything = run("").Scope()

func page(t *testing.T, s durable.Store, scope listing.Scope, o listing.Options) listing.Page {
	t.Helper()
	l, err := durable.ListerOf(s)
	require.NoError(t, err)
	p, err := l.List(t.Context(), scope, o)
	require.NoError(t, err)
	return p
}

func requireRuns(t *testing.T, p listing.Page, want ...string) {
	t.Helper()
	var got []string
	for _, e := range p.Entries {
		got = append(got, e.RunID)
		require.NoError(t, e.Check(), "R-401: a row is the scope of a run")
	}
	require.Equal(t, want, got)
}

// listed: a row for each run with documents, in order, by pages.
func listed(t *testing.T, s Subject) {
	store := s.New(t)
	requireRuns(t, page(t, store, everything, listing.Options{}))
	put(t, store, run("t2"), "c1", 5)
	put(t, store, run("t2"), "c2", 9)
	put(t, store, run("t2"), "c3", 9)
	put(t, store, run("t1"), "c1", 7)
	child := run("t3")
	child.ParentRunID = "t1"
	put(t, store, child, "c1", 1)

	all := page(t, store, listing.Scope{TenantID: "acme"}, listing.Options{})
	requireRuns(t, all, "t1", "t2", "t3")
	require.Equal(t, listing.Entry{RunScope: run("t2"), CheckpointCount: 3, LatestCheckpointID: "c3", LatestCheckpointAt: 9}, all.Entries[1])
	require.Equal(t, child, all.Entries[2].RunScope)

	first := page(t, store, everything, listing.Options{Limit: 2})
	requireRuns(t, first, "t1", "t2")
	rest := page(t, store, everything, listing.Options{Limit: 2, Page: first.Next})
	requireRuns(t, rest, "t3")
	require.Empty(t, rest.Next)

	for _, id := range []string{"c1", "c2", "c3"} {
		require.NoError(t, store.Delete(t.Context(), run("t2"), id))
	}
	requireRuns(t, page(t, store, everything, listing.Options{}), "t1", "t3")
	requireRuns(t, page(t, store, listing.Scope{TenantID: "other"}, listing.Options{}))
	refusedLists(t, store, first.Next)
}

func refusedLists(t *testing.T, s durable.Store, token string) {
	l := s.(durable.Lister)
	for scope, want := range map[listing.Scope]error{
		{TenantID: "acme", SessionID: "s/1"}: fault.ScopeHole,
		{}:                                   fault.ScopeHole,
		{TenantID: "acme", ProjectID: "web"}: fault.BadPageToken, // another scope than the token is of
	} {
		p, err := l.List(t.Context(), scope, listing.Options{Page: token})
		require.ErrorIs(t, err, want)
		require.Empty(t, p)
	}
}
