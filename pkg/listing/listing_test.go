package listing_test

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
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

func parked(at int64, change func(p *park.Park)) *park.Park {
	p := &park.Park{DecisionID: "d", CheckpointID: fmt.Sprint("cp_", at), ParkedAt: at, Request: []byte(`{"type":"tool_review"}`)}
	if change != nil {
		change(p)
	}
	return p
}

func due(at int64) func(p *park.Park) {
	return func(p *park.Park) { p.HasDeadline, p.DeadlineAt = true, at }
}

func answered(at int64) func(p *park.Park) {
	return func(p *park.Park) { p.Resolved, p.ResolvedAt = true, at }
}

// the newest outstanding park, else the newest expired, else the newest
// resolved; R-363 for the boundary.
func TestParkSummary(t *testing.T) {
	open, open2 := parked(1, nil), parked(2, nil)
	late, late2 := parked(3, due(50)), parked(4, due(40))
	done, done2 := parked(5, answered(9)), parked(6, answered(8))
	for _, c := range []struct {
		parks []*park.Park
		now   int64
		want  *park.Park
		state park.State
	}{
		{[]*park.Park{open, open2, late, done}, 100, open2, park.Outstanding},
		{[]*park.Park{open, late2, late, done}, 100, open, park.Outstanding},
		{[]*park.Park{late, late2, done, done2}, 100, late2, park.Expired},
		{[]*park.Park{late, late2, done, done2}, 50, late2, park.Expired},
		{[]*park.Park{late, late2, done, done2}, 49, late, park.Outstanding},
		{[]*park.Park{done2, done}, 0, done, park.Resolved},
	} {
		e, ok := listing.EntryOf(run("r"), []listing.Checkpoint{cp}, c.parks, c.now)
		require.True(t, ok)
		require.Equal(t, c.want.CheckpointID, e.Park.CheckpointID)
		require.Equal(t, c.state, e.Park.State)
	}
}

func TestEntryAsJSON(t *testing.T) {
	child := run("r2")
	child.ParentRunID = "r1"
	for _, c := range []struct {
		parks []*park.Park
		want  string
	}{
		{nil, `}`},
		{[]*park.Park{parked(11, due(0))}, `,"park":{"state":"expired","checkpointId":"cp_11","requestType":"tool_review","parkedAt":11,"deadlineAt":0}}`},
		{[]*park.Park{parked(0, answered(0))}, `,"park":{"state":"resolved","checkpointId":"cp_0","requestType":"tool_review","parkedAt":0,"resolvedAt":0}}`},
		{[]*park.Park{parked(1, func(p *park.Park) { p.Request = []byte(`{"type":7}`) })}, `,"park":{"state":"outstanding","checkpointId":"cp_1","requestType":"","parkedAt":1}}`},
		{[]*park.Park{parked(1, func(p *park.Park) { p.Request = []byte(`{"t`) })}, `,"park":{"state":"outstanding","checkpointId":"cp_1","requestType":"","parkedAt":1}}`},
	} {
		e, ok := listing.EntryOf(child, []listing.Checkpoint{{ID: "a", CreatedAt: 3}, {ID: "b", CreatedAt: 3}, {ID: "c", CreatedAt: -1}}, c.parks, 5)
		require.True(t, ok)
		require.Equal(t, `{"tenantId":"t1","projectId":"p1","sessionId":"s1","runId":"r2","parentRunId":"r1",`+
			`"checkpointCount":3,"latestCheckpointId":"b","latestCheckpointAt":3`+c.want, string(e.AppendJSON(nil)))
	}
	_, ok := listing.EntryOf(child, nil, []*park.Park{parked(1, nil)}, 5)
	require.False(t, ok, "R-401: no checkpoints, no row")
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

// a token that is damaged in any of its bytes, cut, or of another scope is
// refused, and never answered by page one.
func TestPageTokens(t *testing.T) {
	x := filled(t, run("r1"), run("r2"), run("r3"))
	page, err := x.Page(tenant, listing.Options{Limit: 1})
	require.NoError(t, err)
	token := page.Next
	require.NotEmpty(t, token)
	refused := func(s listing.Scope, token string) {
		t.Helper()
		page, err := x.Page(s, listing.Options{Page: token})
		require.ErrorIs(t, err, fault.BadPageToken, "%q", token)
		require.Empty(t, page)
	}
	for i := range token {
		refused(tenant, token[:i]+string(token[i]^1)+token[i+1:])
		refused(tenant, token[:i]+"\n"+token[i:])
		refused(tenant, token[i+1:]+"A")
		if i > 0 {
			refused(tenant, token[:i])
		}
	}
	refused(tenant, token+"=")
	refused(tenant, token+"\n")
	refused(tenant, "r1")
	for _, s := range []listing.Scope{{TenantID: "t2"}, {TenantID: "t1", ProjectID: "p1"}, {TenantID: "t1", ProjectID: "p1", SessionID: "s1"}} {
		refused(s, token)
	}
	got, err := x.Page(tenant, listing.Options{Page: token})
	require.NoError(t, err)
	require.Equal(t, []string{"r2", "r3"}, names(got))
	require.Empty(t, got.Next)
}

// Parts of a scope do not run into each other in its digest.
func TestTokenOfAScopeSpeltAlike(t *testing.T) {
	x := filled(t, listing.RunScope{TenantID: "ab", ProjectID: "c", SessionID: "s", RunID: "1"},
		listing.RunScope{TenantID: "ab", ProjectID: "c", SessionID: "s", RunID: "2"})
	page, err := x.Page(listing.Scope{TenantID: "ab", ProjectID: "c"}, listing.Options{Limit: 1})
	require.NoError(t, err)
	_, err = x.Page(listing.Scope{TenantID: "a", ProjectID: "bc"}, listing.Options{Page: page.Next})
	require.ErrorIs(t, err, fault.BadPageToken)
}

// the page behind a token has the rows after it also when its row is gone.
func TestRowAtThePositionIsGone(t *testing.T) {
	x := filled(t, run("r1"), run("r2"), run("r3"), run("r5"))
	page, err := x.Page(tenant, listing.Options{Limit: 2})
	require.NoError(t, err)
	x.Delete(run("r2"), cp.ID)
	require.NoError(t, x.Put(run("r1a"), cp)) // behind the position: missed
	require.NoError(t, x.Put(run("r4"), cp))
	page, err = x.Page(tenant, listing.Options{Page: page.Next})
	require.NoError(t, err)
	require.Equal(t, []string{"r3", "r4", "r5"}, names(page))
}

// 100 unless named, at least 1, fractions cut down.
func TestLimits(t *testing.T) {
	var runs []listing.RunScope
	for i := range 102 {
		runs = append(runs, run(fmt.Sprintf("r%03d", i)))
	}
	x := filled(t, runs...)
	for _, c := range []struct{ limit, want int }{
		{0, 100}, {-1, 1}, {math.MinInt, 1}, {1, 1}, {3, 3}, {102, 102}, {math.MaxInt, 102},
		{listing.LimitOf(2.9), 2}, {listing.LimitOf(1), 1}, {listing.LimitOf(0.9), 1}, {listing.LimitOf(0), 1}, {listing.LimitOf(-7), 1},
		{listing.LimitOf(math.NaN()), 1}, {listing.LimitOf(math.Inf(1)), 102}, {listing.LimitOf(math.Inf(-1)), 1}, {listing.LimitOf(1e300), 102},
	} {
		page, err := x.Page(tenant, listing.Options{Limit: c.limit})
		require.NoError(t, err)
		require.Len(t, page.Entries, c.want, "limit %d", c.limit)
		require.Equal(t, c.want < 102, page.Next != "", "limit %d", c.limit)
	}
}

// an empty filter keeps nothing, none at all keeps everything; rows that
// never parked appear only without one.
func TestParkFilter(t *testing.T) {
	x := filled(t, run("r1"), run("r2"), run("r3"), run("r4"))
	for id, p := range map[string]*park.Park{"r1": parked(1, nil), "r2": parked(1, due(50)), "r4": parked(1, answered(3))} {
		require.NoError(t, x.SetParks(run(id), []*park.Park{p}))
	}
	all := []string{"r1", "r2", "r3", "r4"}
	for _, c := range []struct {
		options listing.Options
		want    []string
	}{
		{listing.Options{}, all},
		{listing.Options{Park: []park.State{}}, nil},
		{listing.Options{HasPark: true}, nil},
		{listing.Options{Park: []park.State{park.Outstanding}}, []string{"r1", "r2"}},
		{listing.Options{Park: []park.State{park.Outstanding}, Now: 50}, []string{"r1"}},
		{listing.Options{Park: []park.State{park.Expired}, Now: 50}, []string{"r2"}},
		{listing.Options{Park: []park.State{park.Expired}, Now: 49}, nil},
		{listing.Options{Park: []park.State{park.Resolved, park.Outstanding}, HasPark: true}, []string{"r1", "r2", "r4"}},
		{listing.Options{Park: []park.State{9}}, nil},
	} {
		page, err := x.Page(tenant, c.options)
		require.NoError(t, err)
		require.Equal(t, c.want, names(page), "%+v", c.options)
		require.Empty(t, page.Next)
	}
	// Filter before position and limit, and no token when the rest does not match.
	o := listing.Options{Park: []park.State{park.Outstanding}, Limit: 1}
	require.Equal(t, [][]string{{"r1"}, {"r2"}}, walk(t, x, tenant, o))
	o.Now = 50
	require.Equal(t, [][]string{{"r1"}}, walk(t, x, tenant, o))
}

// TestFilterAgreesWithTheRow: what a filter goes by is the state that the row shows,
// for runs with any parks at any time.
func TestFilterAgreesWithTheRow(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 3))
	for range 3000 {
		parks := make([]*park.Park, dice.IntN(5))
		for i := range parks {
			parks[i] = parked(dice.Int64N(9), []func(*park.Park){nil, due(dice.Int64N(9)), answered(dice.Int64N(9))}[dice.IntN(3)])
		}
		x := filled(t, run("r"))
		require.NoError(t, x.SetParks(run("r"), parks))
		o := listing.Options{Now: dice.Int64N(10)}
		page, err := x.Page(tenant, o)
		require.NoError(t, err)
		for _, state := range []park.State{park.Outstanding, park.Expired, park.Resolved} {
			o.Park = []park.State{state}
			kept, err := x.Page(tenant, o)
			require.NoError(t, err)
			shown := page.Entries[0].Park
			require.Equal(t, shown != nil && shown.State == state, len(kept.Entries) == 1)
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

// one clock counts for all rows, and its zero is a time.
func TestClock(t *testing.T) {
	x := filled(t, run("r1"), run("r2"))
	require.NoError(t, x.SetParks(run("r1"), []*park.Park{parked(-5, due(0))}))
	require.NoError(t, x.SetParks(run("r2"), []*park.Park{parked(-5, due(1))}))
	for now, want := range map[int64][2]park.State{
		-1: {park.Outstanding, park.Outstanding}, 0: {park.Expired, park.Outstanding}, 1: {park.Expired, park.Expired},
	} {
		page, err := x.Page(tenant, listing.Options{Now: now})
		require.NoError(t, err)
		require.Equal(t, want, [2]park.State{page.Entries[0].Park.State, page.Entries[1].Park.State}, "now %d", now)
	}
}

func TestStates(t *testing.T) {
	got, err := listing.States("resolved", "outstanding", "expired")
	require.NoError(t, err)
	require.Equal(t, []park.State{park.Resolved, park.Outstanding, park.Expired}, got)
	got, err = listing.States()
	require.NoError(t, err)
	require.NotNil(t, got)
	_, err = listing.States("outstanding", "Expired")
	require.ErrorIs(t, err, fault.BadInput)
	require.ErrorContains(t, err, "Expired")
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

func TestPageAsJSON(t *testing.T) {
	require.Equal(t, `{"entries":[]}`, string(new(listing.Page).AppendJSON(nil)))
	page, err := filled(t, run("r1"), run("r2")).Page(tenant, listing.Options{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, `{"entries":[`+string(page.Entries[0].AppendJSON(nil))+`],"page":"`+page.Next+`"}`, string(page.AppendJSON(nil)))
	page, err = filled(t, run("r1"), run("r2")).Page(tenant, listing.Options{})
	require.NoError(t, err)
	require.Equal(t, 2, len(page.Entries))
	require.Contains(t, string(page.AppendJSON(nil)), `},{`)
}

// Select passes on what its rows fail with.
func TestRowsThatFail(t *testing.T) {
	_, err := listing.Select(tenant, listing.Options{}, func(_ listing.Key, yield func(*listing.Run) bool) error {
		require.True(t, yield(&listing.Run{RunScope: run("r"), Checkpoints: []listing.Checkpoint{cp}}))
		return fault.LogDamaged
	})
	require.ErrorIs(t, err, fault.LogDamaged)
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

// FuzzPageToken: no token makes a listing panic, and one that is not refused is
// one that was given out.
func FuzzPageToken(f *testing.F) {
	x := filled(f, run("r1"), run("r2"), run("r3"))
	page, err := x.Page(tenant, listing.Options{Limit: 1})
	require.NoError(f, err)
	f.Add(page.Next)
	f.Add("")
	f.Add(base64.RawURLEncoding.EncodeToString(make([]byte, 40)))
	f.Fuzz(func(t *testing.T, token string) {
		got, err := x.Page(tenant, listing.Options{Page: token})
		switch {
		case err != nil:
			require.ErrorIs(t, err, fault.BadPageToken)
		case token == "":
			require.Len(t, got.Entries, 3)
		default:
			require.Len(t, got.Entries, 2)
			require.Equal(t, page.Next, token)
		}
	})
}
