package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
)

func run(id string) listing.RunScope {
	return listing.RunScope{TenantID: "acme", ProjectID: "web", SessionID: "s/1", RunID: id}
}

// document is one with this id; more tells two of the same id apart.
func document(id string, more int64) []byte {
	d := checkpoint.Document{
		CheckpointID: id, SessionID: "s/1", ThroughSeq: 1, CreatedAt: more,
		State: checkpoint.State{TurnID: "t1", Iteration: more, WorkingState: []byte(`[ 1.50, "\u0041" ]`)},
	}
	return d.AppendJSON(nil)
}

func put(t *testing.T, s durable.Store, r listing.RunScope, id string, more int64) []byte {
	text := document(id, more)
	receipt, err := s.Put(t.Context(), r, id, text)
	require.NoError(t, err)
	want, err := checkpoint.ReceiptOf(text)
	require.NoError(t, err)
	require.Equal(t, want, receipt)
	return text
}

func requireDocument(t *testing.T, s durable.Store, r listing.RunScope, id string, want []byte) {
	t.Helper()
	got, err := s.Get(t.Context(), r, id)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func requireIDs(t *testing.T, s durable.Store, r listing.RunScope, want ...string) {
	t.Helper()
	got, err := s.IDs(t.Context(), r)
	require.NoError(t, err)
	if len(want) == 0 {
		require.Empty(t, got)
		return
	}
	require.Equal(t, want, got)
}

// requireUnknown checks that the fault names what is missing.
func requireUnknown(t *testing.T, s durable.Store, r listing.RunScope, id string) {
	t.Helper()
	_, err := s.Get(t.Context(), r, id)
	require.ErrorIs(t, err, fault.UnknownCheckpoint)
	var coded *fault.Error
	require.True(t, errors.As(err, &coded))
	require.Equal(t, fault.CodeNotFound, coded.Code)
	for name, want := range map[string]string{"checkpointId": id, "sessionId": r.SessionID, "turnId": r.RunID} {
		got, ok := coded.Details.Text(name)
		require.True(t, ok)
		require.Equal(t, want, got)
	}
}

//
func comesBack(t *testing.T, s Subject) {
	store := s.New(t)
	requireDocument(t, store, run("t1"), "c1", put(t, store, run("t1"), "c1", 7))
}

func keepsCopies(t *testing.T, s Subject) {
	store := s.New(t)
	text := document("c1", 1)
	_, err := store.Put(t.Context(), run("t1"), "c1", text)
	require.NoError(t, err)
	clear(text)
	got, err := store.Get(t.Context(), run("t1"), "c1")
	require.NoError(t, err)
	clear(got)
	requireDocument(t, store, run("t1"), "c1", document("c1", 1))
}

func overwrites(t *testing.T, s Subject) {
	store := s.New(t)
	put(t, store, run("t1"), "c1", 1)
	requireDocument(t, store, run("t1"), "c1", put(t, store, run("t1"), "c1", 22))
	requireIDs(t, store, run("t1"), "c1")
}

func notThere(t *testing.T, s Subject) {
	store := s.New(t)
	for _, id := range []string{"c1", "", "..", "a/b", strings.Repeat("x", 2000)} {
		requireUnknown(t, store, run("t1"), id)
		require.NoError(t, store.Delete(t.Context(), run("t1"), id), "R-389: what is not there is no error")
	}
	requireIDs(t, store, run("t1"))
	put(t, store, run("t1"), "c1", 1)
	requireUnknown(t, store, run("t1"), "c2")
	requireUnknown(t, store, run("t2"), "c1")
}

func deletes(t *testing.T, s Subject) {
	store := s.New(t)
	put(t, store, run("t1"), "c1", 1)
	kept := put(t, store, run("t1"), "c2", 2)
	require.NoError(t, store.Delete(t.Context(), run("t1"), "c1"))
	require.NoError(t, store.Delete(t.Context(), run("t1"), "c1"))
	requireUnknown(t, store, run("t1"), "c1")
	requireDocument(t, store, run("t1"), "c2", kept)
	requireIDs(t, store, run("t1"), "c2")
	require.NoError(t, store.Delete(t.Context(), run("t1"), "c2"))
	requireIDs(t, store, run("t1"))
	requireDocument(t, store, run("t1"), "c1", put(t, store, run("t1"), "c1", 3))
}

func inOrder(t *testing.T, s Subject) {
	store := s.New(t)
	ids := []string{"b", "A", "a", "Z", "a.b", "10", "9", "é", "c-1", "c_1"}
	for _, id := range ids {
		put(t, store, run("t1"), id, 1)
	}
	slices.Sort(ids)
	requireIDs(t, store, run("t1"), ids...)
}

// awkwardIDs are apart, whatever they are written as.
var awkwardIDs = []string{
	".", "..", "...", ".hidden", "a.", "a", "a/b", "a%2Fb", "a\\b", "%", "%2F", "%2f", "%zz", "c:1", "c*?\"<>|", "tab\there", "line\nend",
	"children", "x.json", "x", ".tidemark-1.tmp", " ", "a ", "é", "e\u0301", "\U0001F600", "con", "nul.json", strings.Repeat("x", 200),
}

func awkward(t *testing.T, s Subject) {
	store := s.New(t)
	for i, id := range awkwardIDs {
		put(t, store, run("t1"), id, int64(i))
		put(t, store, run(id), "c1", int64(i))
	}
	for i, id := range awkwardIDs {
		requireDocument(t, store, run("t1"), id, document(id, int64(i)))
		requireDocument(t, store, run(id), "c1", document("c1", int64(i)))
	}
	requireIDs(t, store, run("t1"), slices.Sorted(slices.Values(awkwardIDs))...)
}

func apart(t *testing.T, s Subject) {
	store := s.New(t)
	one, two := put(t, store, run("t1"), "c1", 1), put(t, store, run("t2"), "c1", 2)
	requireDocument(t, store, run("t1"), "c1", one)
	requireDocument(t, store, run("t2"), "c1", two)
	require.NoError(t, store.Delete(t.Context(), run("t1"), "c1"))
	requireDocument(t, store, run("t2"), "c1", two)
}

func child(parent, id string) listing.RunScope {
	r := run(id)
	r.ParentRunID = parent
	return r
}

func childRuns(t *testing.T, s Subject) {
	store := s.New(t)
	parent := put(t, store, run("p"), "c1", 1)
	first := put(t, store, child("p", "k1"), "c1", 2)
	second := put(t, store, child("p", "children"), "c1", 3)
	below := put(t, store, child("k1", "g"), "c1", 4)
	requireDocument(t, store, run("p"), "c1", parent)
	requireDocument(t, store, child("p", "k1"), "c1", first)
	requireDocument(t, store, child("p", "children"), "c1", second)
	requireDocument(t, store, child("k1", "g"), "c1", below)
	requireIDs(t, store, run("p"), "c1")
	require.NoError(t, store.Delete(t.Context(), run("p"), "c1"))
	requireDocument(t, store, child("p", "k1"), "c1", first)
}

func refusals(t *testing.T, s Subject) {
	store := s.New(t)
	for _, text := range []string{"", "{}", `{"v":1,"kind":"checkpoint"}`, "\x00", string(document("c1", 1)) + "x"} {
		_, err := store.Put(t.Context(), run("t1"), "c1", []byte(text))
		require.ErrorIs(t, err, fault.BadDocument)
	}
	_, err := store.Put(t.Context(), run("t1"), "c2", document("c1", 1))
	require.ErrorIs(t, err, fault.BadInput)
	requireIDs(t, store, run("t1"))
}

// a run has all of its levels.
func holes(t *testing.T, s Subject) {
	store := s.New(t)
	for _, change := range []func(r *listing.RunScope){
		func(r *listing.RunScope) { r.TenantID = "" }, func(r *listing.RunScope) { r.ProjectID = "" },
		func(r *listing.RunScope) { r.SessionID = "" }, func(r *listing.RunScope) { r.RunID = "" },
	} {
		r := run("t1")
		change(&r)
		_, err := store.Put(t.Context(), r, "c1", document("c1", 1))
		require.ErrorIs(t, err, fault.ScopeHole)
		_, err = store.Get(t.Context(), r, "c1")
		require.ErrorIs(t, err, fault.ScopeHole)
		_, err = store.IDs(t.Context(), r)
		require.ErrorIs(t, err, fault.ScopeHole)
		require.ErrorIs(t, store.Delete(t.Context(), r, "c1"), fault.ScopeHole)
	}
}

func canceled(t *testing.T, s Subject) {
	store := s.New(t)
	kept := put(t, store, run("t1"), "c1", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := store.Put(ctx, run("t1"), "c1", document("c1", 2))
	require.ErrorIs(t, err, context.Canceled)
	_, err = store.Get(ctx, run("t1"), "c1")
	require.ErrorIs(t, err, context.Canceled)
	_, err = store.IDs(ctx, run("t1"))
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, store.Delete(ctx, run("t1"), "c1"), context.Canceled)
	requireDocument(t, store, run("t1"), "c1", kept)
}

// Writers, readers and deleters at once: whoever reads gets a whole document.
func atOnce(t *testing.T, s Subject) {
	store := s.New(t)
	whole := map[string]bool{}
	for i := range int64(8) {
		whole[string(document("c1", i))] = true
	}
	var all sync.WaitGroup
	for i := range int64(8) {
		all.Go(func() {
			for range 20 {
				if _, err := store.Put(t.Context(), run("t1"), "c1", document("c1", i)); err != nil {
					t.Errorf("put: %v", err)
				}
				text, err := store.Get(t.Context(), run("t1"), "c1")
				if err == nil && !whole[string(text)] || err != nil && !errors.Is(err, fault.UnknownCheckpoint) {
					t.Errorf("get: %q, %v", text, err)
				}
				if err := store.Delete(t.Context(), run(fmt.Sprint("t", 1+i%2)), "c1"); err != nil {
					t.Errorf("delete: %v", err)
				}
			}
		})
	}
	all.Wait()
}

func outlives(t *testing.T, s Subject) {
	store := s.New(t)
	one, two := put(t, store, run("t1"), "c/1", 1), put(t, store, child("t1", "k"), "c1", 2)
	store = s.Reopen(t, store)
	requireDocument(t, store, run("t1"), "c/1", one)
	requireDocument(t, store, child("t1", "k"), "c1", two)
	requireIDs(t, store, run("t1"), "c/1")
}

// two tenants may have a run of the same id.
func tenants(t *testing.T, s Subject) {
	store := s.New(t)
	other := run("t1")
	other.TenantID = "other"
	one := put(t, store, run("t1"), "c1", 1)
	requireUnknown(t, store, other, "c1")
	two := put(t, store, other, "c1", 2)
	requireDocument(t, store, run("t1"), "c1", one)
	requireDocument(t, store, other, "c1", two)
}
