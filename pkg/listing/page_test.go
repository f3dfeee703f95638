package listing_test

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

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
		{listing.Options{Park: []park.State{park.Outstanding}}, []string{"r1", "r2"}},
		{listing.Options{Park: []park.State{park.Outstanding}, Now: 50}, []string{"r1"}},
		{listing.Options{Park: []park.State{park.Expired}, Now: 50}, []string{"r2"}},
		{listing.Options{Park: []park.State{park.Expired}, Now: 49}, nil},
		{listing.Options{Park: []park.State{park.Resolved, park.Outstanding}}, []string{"r1", "r2", "r4"}},
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
	for _, lists := range [][]string{{"resolved,outstanding", "expired"}, {",resolved", "outstanding,expired,"}} {
		got, err = listing.StatesIn(lists...)
		require.NoError(t, err)
		require.Equal(t, []park.State{park.Resolved, park.Outstanding, park.Expired}, got)
	}
	for _, nothing := range [][]string{nil, {""}, {",", ""}} {
		got, err = listing.StatesIn(nothing...)
		require.NoError(t, err)
		require.Equal(t, []park.State{}, got, "which keeps nothing (R-404)")
	}
	_, err = listing.States("outstanding", "Expired")
	require.ErrorIs(t, err, fault.BadInput)
	require.ErrorContains(t, err, "Expired")
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
