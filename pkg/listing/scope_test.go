package listing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
)

// a scope that skips a level is refused, not widened.
func TestScopeWithAHole(t *testing.T) {
	x := filled(t, run("r1"))
	for _, c := range []struct {
		scope listing.Scope
		ok    bool
	}{
		{listing.Scope{TenantID: "t1"}, true},
		{listing.Scope{TenantID: "t1", ProjectID: "p1"}, true},
		{listing.Scope{TenantID: "t1", ProjectID: "p1", SessionID: "s1"}, true},
		{listing.Scope{TenantID: "t1", SessionID: "s1"}, false},
		{listing.Scope{}, false},
		{listing.Scope{ProjectID: "p1", SessionID: "s1"}, false},
	} {
		page, err := x.Page(c.scope, listing.Options{Page: ""})
		if c.ok {
			require.NoError(t, err)
			require.Len(t, page.Entries, 1)
			continue
		}
		require.ErrorIs(t, err, fault.ScopeHole)
		require.Empty(t, page)
		_, err = x.Page(c.scope, listing.Options{Page: "damaged"})
		require.ErrorIs(t, err, fault.ScopeHole, "the scope comes first")
	}
}

// a row is itself the scope of a run, so a run that lacks a level cannot be
// put in.
func TestRunWithAHole(t *testing.T) {
	for _, bad := range []listing.RunScope{
		{}, {TenantID: "t1", ProjectID: "p1", SessionID: "s1"}, {TenantID: "t1", SessionID: "s1", RunID: "r"},
		{ProjectID: "p1", SessionID: "s1", RunID: "r"}, {TenantID: "t1", ProjectID: "p1", RunID: "r"},
	} {
		var x listing.Index
		require.ErrorIs(t, x.Put(bad, cp), fault.ScopeHole)
		require.ErrorIs(t, x.SetParks(bad, nil), fault.ScopeHole)
		require.Zero(t, x.Len())
	}
	require.NoError(t, run("r").Check())
}

func TestMeets(t *testing.T) {
	whole := run("r").Scope()
	for _, c := range []struct {
		scope listing.Scope
		want  bool
	}{
		{tenant, true}, {whole, true}, {listing.Scope{TenantID: "t1", ProjectID: "p1"}, true}, {listing.Scope{TenantID: "t2"}, false},
		{listing.Scope{TenantID: "t1", ProjectID: "p2"}, false}, {listing.Scope{TenantID: "t1", ProjectID: "p1", SessionID: "s2"}, false},
	} {
		require.Equal(t, c.want, whole.Meets(c.scope))
		require.Equal(t, c.want, c.scope.Meets(whole))
		require.Equal(t, c.want, c.scope.Holds(run("r")))
	}
}
