package listing_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

func run(id string) listing.RunScope {
	return listing.RunScope{TenantID: "t1", ProjectID: "p1", SessionID: "s1", RunID: id}
}

var (
	tenant = listing.Scope{TenantID: "t1"}
	cp     = listing.Checkpoint{ID: "cp_1", CreatedAt: 10}
)

// filled is an index with a row for each run.
func filled(t testing.TB, runs ...listing.RunScope) *listing.Index {
	x := new(listing.Index)
	for _, r := range runs {
		require.NoError(t, x.Put(r, cp))
	}
	return x
}

func names(page listing.Page) (ids []string) {
	for _, e := range page.Entries {
		ids = append(ids, e.RunID)
	}
	return ids
}

// walk follows the tokens and answers the run ids of each page.
func walk(t testing.TB, x *listing.Index, s listing.Scope, o listing.Options) (pages [][]string) {
	for {
		page, err := x.Page(s, o)
		require.NoError(t, err)
		pages = append(pages, names(page))
		if o.Page = page.Next; o.Page == "" {
			return pages
		}
	}
}

// by code unit, so a character above U+FFFF comes before one of U+E000 to
// U+FFFF, which the order of bytes has the other way round.
func TestOrderIsThatOfCodeUnits(t *testing.T) {
	x := filled(t, run("r\uff5e"), run("r\U0001f600"), run("r"), run("ra"), run("rZ"))
	require.Equal(t, [][]string{{"r", "rZ"}, {"ra", "r\U0001f600"}, {"r\uff5e"}}, walk(t, x, tenant, listing.Options{Limit: 2}))
}

// tenants, projects and sessions may use the same run id. None sees the
// others' rows, and a walk over two of them shows both.
func TestTheSameRunInTwoTenants(t *testing.T) {
	var runs []listing.RunScope
	for _, tenant := range []string{"t2", "t1"} {
		for _, session := range []string{"s2", "s1"} {
			runs = append(runs, listing.RunScope{TenantID: tenant, ProjectID: "p1", SessionID: session, RunID: "r1"})
		}
	}
	x := filled(t, runs...)
	require.Equal(t, 4, x.Len())
	for _, tenant := range []string{"t1", "t2"} {
		var o listing.Options
		o.Limit = 1
		for _, session := range []string{"s1", "s2"} {
			page, err := x.Page(listing.Scope{TenantID: tenant}, o)
			require.NoError(t, err)
			require.Len(t, page.Entries, 1)
			require.Equal(t, tenant, page.Entries[0].TenantID)
			require.Equal(t, session, page.Entries[0].SessionID)
			o.Page = page.Next
		}
		require.Empty(t, o.Page)
	}
	x.Delete(runs[0], cp.ID)
	require.Equal(t, 3, x.Len())
	require.Equal(t, [][]string{{"r1"}}, walk(t, x, listing.Scope{TenantID: "t2"}, listing.Options{}))
	require.Equal(t, [][]string{{"r1", "r1"}}, walk(t, x, tenant, listing.Options{}))
}

func TestKeysCompare(t *testing.T) {
	keys := []listing.Key{{}, {RunID: "a", TenantID: "b"}, {RunID: "a", TenantID: "b", ProjectID: "a", SessionID: "z"},
		{RunID: "a", TenantID: "b", ProjectID: "b"}, {RunID: "a", TenantID: "b", ProjectID: "b", SessionID: "a"}, {RunID: "b"}}
	for i, a := range keys {
		for k, b := range keys {
			require.Equal(t, i-k < 0, a.Compare(b) < 0, "%v %v", a, b)
			require.Equal(t, i == k, a.Compare(b) == 0, "%v %v", a, b)
		}
	}
}

// A fold goes on; what an index was told stays until it is told anew.
func TestParksAreCopied(t *testing.T) {
	p := parked(1, nil)
	x := filled(t, run("r"))
	require.NoError(t, x.SetParks(run("r"), []*park.Park{p}))
	answered(2)(p)
	page, err := x.Page(tenant, listing.Options{Park: []park.State{park.Outstanding}})
	require.NoError(t, err)
	require.Equal(t, park.Outstanding, page.Entries[0].Park.State)
	require.NoError(t, x.SetParks(run("r"), []*park.Park{p}))
	page, err = x.Page(tenant, listing.Options{Park: []park.State{park.Resolved}})
	require.NoError(t, err)
	require.Len(t, page.Entries, 1)
}

// A run is told by its key: a checkpoint of the same id overwrites, a run whose
// checkpoints are all gone has no row, its parks do not make one.
func TestIndexKeepsCheckpointsByID(t *testing.T) {
	var x listing.Index
	r := run("r")
	require.NoError(t, x.SetParks(r, []*park.Park{parked(1, nil)}))
	require.Equal(t, [][]string{nil}, walk(t, &x, tenant, listing.Options{}))
	require.NoError(t, x.Put(r, listing.Checkpoint{ID: "a", CreatedAt: 5}))
	require.NoError(t, x.Put(r, listing.Checkpoint{ID: "b", CreatedAt: 4}))
	require.NoError(t, x.Put(r, listing.Checkpoint{ID: "a", CreatedAt: 3}))
	page, err := x.Page(tenant, listing.Options{})
	require.NoError(t, err)
	require.Equal(t, 2, page.Entries[0].CheckpointCount)
	require.Equal(t, "b", page.Entries[0].LatestCheckpointID)
	require.NotNil(t, page.Entries[0].Park)
	x.Delete(r, "zz")
	x.Delete(run("none"), "a")
	x.Delete(r, "a")
	require.Equal(t, 1, x.Len())
	x.Delete(r, "b")
	require.Zero(t, x.Len())
	require.Equal(t, [][]string{nil}, walk(t, &x, tenant, listing.Options{}))
}

// TestIndexAgreesWithASort puts in and takes away at random, and holds every scope
// against a plain sort of what is there, in pages of any size.
func TestIndexAgreesWithASort(t *testing.T) {
	dice := rand.New(rand.NewPCG(7, 7))
	var x listing.Index
	there := map[listing.RunScope]bool{}
	for range 6000 {
		r := listing.RunScope{TenantID: pick(dice, "t", 2), ProjectID: pick(dice, "p", 2), SessionID: pick(dice, "s", 2), RunID: pick(dice, "r", 400)}
		if dice.IntN(3) > 0 {
			require.NoError(t, x.Put(r, cp))
			there[r] = true
		} else {
			x.Delete(r, cp.ID)
			delete(there, r)
		}
	}
	require.Equal(t, len(there), x.Len())
	require.Greater(t, x.Len(), 1100, "several chunks")
	for _, s := range []listing.Scope{{TenantID: "t0"}, {TenantID: "t1", ProjectID: "p0"}, {TenantID: "t1", ProjectID: "p1", SessionID: "s0"}, {TenantID: "t9"}} {
		require.Equal(t, expected(there, s), collected(t, &x, s, 1+dice.IntN(50)))
	}
}

// TestMerge walks several stores as one, and holds that against one store that has
// the runs of all.
func TestMerge(t *testing.T) {
	dice := rand.New(rand.NewPCG(9, 9))
	whole, parts := new(listing.Index), [3]listing.Index{}
	for range 200 {
		r := listing.RunScope{TenantID: "t1", ProjectID: "p1", SessionID: pick(dice, "s", 9), RunID: pick(dice, "r", 80)}
		require.NoError(t, whole.Put(r, cp))
		for range 2 { // some of them twice
			require.NoError(t, parts[dice.IntN(len(parts))].Put(r, cp))
		}
	}
	for _, limit := range []int{1, 7, 50, 1000} {
		var got []listing.RunScope
		pages := 0
		for o := (listing.Options{Limit: limit}); pages == 0 || o.Page != ""; pages++ {
			var all []listing.Page
			for i := range parts {
				page, err := parts[i].Page(tenant, o)
				require.NoError(t, err)
				all = append(all, page)
			}
			page := listing.Merge(tenant, o, all...)
			for _, e := range page.Entries {
				got = append(got, e.RunScope)
			}
			o.Page = page.Next
		}
		require.Equal(t, collected(t, whole, tenant, limit), got)
		require.Equal(t, (whole.Len()+limit-1)/limit, pages, "no empty page at the end")
	}
	require.Empty(t, listing.Merge(tenant, listing.Options{}))
}

func pick(dice *rand.Rand, name string, n int) string { return fmt.Sprint(name, dice.IntN(n)) }

func expected(there map[listing.RunScope]bool, s listing.Scope) (all []listing.RunScope) {
	for r := range there {
		if s.Holds(r) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b listing.RunScope) int { return a.Key().Compare(b.Key()) })
	return all
}

func collected(t *testing.T, x *listing.Index, s listing.Scope, limit int) (all []listing.RunScope) {
	o := listing.Options{Limit: limit}
	for {
		page, err := x.Page(s, o)
		require.NoError(t, err)
		for _, e := range page.Entries {
			all = append(all, e.RunScope)
		}
		if o.Page = page.Next; o.Page == "" {
			return all
		}
	}
}
