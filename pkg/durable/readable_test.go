package durable_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/durable/disk"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
)

var errDisk = errors.New("input/output error")

// worn is a store that cannot read one document any more.
type worn struct {
	durable.Store
	id string
}

func (s worn) Get(ctx context.Context, r listing.RunScope, id string) ([]byte, error) {
	if id == s.id {
		return nil, errDisk
	}
	return s.Store.Get(ctx, r, id)
}

// broken are the ways in which the document c2 of four cannot be read.
var broken = map[string]func(w *world){
	"no document": func(w *world) { write(w.t, "{}", w.dir, "runs", "t1", "c2.json") },
	"cut short": func(w *world) {
		write(w.t, read(w.t, w.dir, "runs", "t1", "c2.json")[:40], w.dir, "runs", "t1", "c2.json")
	},
	"another one":       func(w *world) { write(w.t, read(w.t, w.dir, "runs", "t1", "c1.json"), w.dir, "runs", "t1", "c2.json") },
	"one without bytes": func(w *world) { write(w.t, "", w.dir, "runs", "t1", "c2.json") },
	"a file that fails": func(w *world) {
		w.o.Store = worn{w.store, "c2"}
		w.anew()
	},
}

// a document that cannot be read is named apart, never pruned, reported and
// refused; the others are listed, counted and restored as ever.
func TestAnUnreadableDocument(t *testing.T) {
	for name, damage := range broken {
		t.Run(name, func(t *testing.T) {
			w := onDisk(t)
			w.add("session_started")
			for range 4 {
				w.commit(1)
			}
			damage(w)
			list, err := w.List(t.Context(), "t1")
			require.NoError(t, err)
			require.Equal(t, []string{"c1", "c3", "c4"}, idsOf(list))
			requireC2(t, list.Unreadable)

			pruned, err := w.Prune(t.Context(), "t1", 2)
			require.NoError(t, err)
			require.Equal(t, []string{"c1"}, pruned.Gone, "of three that count two stay")
			requireC2(t, pruned.Unreadable)
			require.FileExists(t, filepath.Join(w.dir, "runs", "t1", "c2.json"))

			_, err = w.Restore(t.Context(), "t1", "c2")
			require.Error(t, err)
			require.True(t, errors.Is(err, fault.BadDocument) || errors.Is(err, fault.DocumentAltered), err)
			_, err = w.Restore(t.Context(), "t1", "c3")
			require.NoError(t, err)
		})
	}
}

func idsOf(list durable.Listed) (ids []string) {
	for _, e := range list.Entries {
		ids = append(ids, e.ID)
	}
	return ids
}

func requireC2(t *testing.T, list []durable.Unreadable) {
	t.Helper()
	require.Len(t, list, 1)
	require.Equal(t, "c2", list[0].CheckpointID)
	requireFault(t, list[0].Fault, fault.BadDocument)
}

// the error of the store is the reason; a caller that has gone is none.
func TestWhyADocumentIsUnreadable(t *testing.T) {
	w := inMemory(t)
	w.add("session_started")
	w.commit(1)
	w.commit(1)
	w.o.Store = worn{w.store, "c2"}
	list, err := w.anew().List(t.Context(), "t1")
	require.NoError(t, err)
	require.ErrorIs(t, list.Unreadable[0].Fault, errDisk)
	_, err = w.Restore(t.Context(), "t1", "c2")
	requireFault(t, err, fault.BadDocument)
	require.ErrorIs(t, err, errDisk)

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = durable.ReadAll(gone, w.o.Store, run("t1"), []string{"c1", "c2"})
	require.ErrorIs(t, err, context.Canceled)
	_, err = durable.ReadAll(t.Context(), w.store, listing.RunScope{RunID: "t1"}, []string{"c1"})
	require.ErrorIs(t, err, fault.ScopeHole)
}

// a folder lists all runs but what cannot be read, of whichever run.
func TestAFolderWithUnreadableDocuments(t *testing.T) {
	w := onDisk(t)
	w.add("session_started")
	for range 3 {
		w.commit(1)
	}
	require.NoError(t, os.Mkdir(filepath.Join(w.dir, "runs", "t0"), 0o755))
	write(t, "{", w.dir, "runs", "t0", "cx.json")
	write(t, "{}", w.dir, "runs", "t1", "c3.json")
	store, err := disk.New(filepath.Join(w.dir, "runs"), disk.Options{Of: scope, Parks: durable.ParksOf(w.log)})
	require.NoError(t, err)
	page, err := store.List(t.Context(), scope, listing.Options{})
	require.NoError(t, err)
	require.Len(t, page.Entries, 1)
	require.Equal(t, 2, page.Entries[0].CheckpointCount)
	require.Equal(t, "c2", page.Entries[0].LatestCheckpointID)
	var named []string
	for _, u := range page.Unreadable {
		require.ErrorIs(t, u.Fault, fault.BadDocument)
		named = append(named, u.RunID+"/"+u.CheckpointID)
	}
	require.Equal(t, "t0/cx t1/c3", strings.Join(named, " "))
}
