package disk_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/durable/disk"
	"github.com/tidemark-stream/tidemark/pkg/durable/storetest"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

var scope = listing.Scope{TenantID: "acme", ProjectID: "web", SessionID: "s/1"}

func noParks(context.Context) ([]*park.Park, error) { return nil, nil }

func opened(t *testing.T, base string) *disk.Store {
	store, err := disk.New(base, disk.Options{Of: scope, Parks: noParks})
	require.NoError(t, err)
	return store
}

func TestStore(t *testing.T) {
	var base string
	storetest.Run(t, storetest.Subject{
		New: func(t *testing.T) durable.Store {
			base = filepath.Join(t.TempDir(), "runs", "s1")
			return opened(t, base)
		},
		Reopen: func(t *testing.T, _ durable.Store) durable.Store { return opened(t, base) },
	})
}

func run(id, parent string) listing.RunScope {
	return listing.RunScope{TenantID: "acme", ProjectID: "web", SessionID: "s/1", RunID: id, ParentRunID: parent}
}

func document(id string) []byte {
	d := checkpoint.Document{CheckpointID: id, SessionID: "s/1", ThroughSeq: 1, State: checkpoint.State{TurnID: "t1"}}
	return d.AppendJSON(nil)
}

func put(t *testing.T, s *disk.Store, r listing.RunScope, id string) {
	_, err := s.Put(t.Context(), r, id, document(id))
	require.NoError(t, err)
}

// files are the paths below a folder, with / between.
func files(t *testing.T, base string) (paths []string) {
	require.NoError(t, filepath.WalkDir(base, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			path, err = filepath.Rel(base, path)
			paths = append(paths, filepath.ToSlash(path))
		}
		return err
	}))
	return paths
}

func TestLayout(t *testing.T) {
	base := t.TempDir()
	s := opened(t, base)
	put(t, s, run("t1", ""), "c1")
	put(t, s, run("k", "t1"), "c/1")
	put(t, s, run("g", "k"), "c1")
	put(t, s, run("Ü.", ""), "..")
	require.Equal(t, []string{"%C3%9C%2E/%2E%2E.json", "k/children/g/c1.json", "t1/c1.json", "t1/children/k/c%2F1.json"}, files(t, base))
	text, err := os.ReadFile(filepath.Join(base, "t1", "c1.json"))
	require.NoError(t, err)
	require.Equal(t, document("c1"), text, "the bytes and nothing else")
}

func TestFoldersGoWithTheirLastDocument(t *testing.T) {
	base := t.TempDir()
	s := opened(t, base)
	put(t, s, run("t1", ""), "c1")
	put(t, s, run("k", "t1"), "c1")
	require.NoError(t, s.Delete(t.Context(), run("t1", ""), "c1"))
	require.Equal(t, []string{"t1/children/k/c1.json"}, files(t, base))
	require.NoError(t, s.Delete(t.Context(), run("k", "t1"), "c1"))
	require.NoDirExists(t, filepath.Join(base, "t1", "children", "k"))
}

// Reading makes nothing, and a folder that is not there is empty.
func TestReadingMakesNothing(t *testing.T) {
	base := filepath.Join(t.TempDir(), "none")
	s := opened(t, base)
	ids, err := s.IDs(t.Context(), run("t1", ""))
	require.NoError(t, err)
	require.Empty(t, ids)
	_, err = s.Get(t.Context(), run("t1", ""), "c1")
	require.ErrorIs(t, err, fault.UnknownCheckpoint)
	require.NoError(t, s.Delete(t.Context(), run("t1", ""), "c1"))
	require.NoDirExists(t, base)
}

// What a crash between write and rename leaves is no document.
func TestALeftOverIsNoDocument(t *testing.T) {
	base := t.TempDir()
	s := opened(t, base)
	put(t, s, run("t1", ""), "c1")
	dir := filepath.Join(base, "t1")
	for _, name := range []string{".tidemark-7.tmp", "notes.txt", "%zz.json", "%2f.json", "%41.json", ".json", "a.json.bak"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), document("c1")[:40], 0o644))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "d.json"), 0o755))
	ids, err := s.IDs(t.Context(), run("t1", ""))
	require.NoError(t, err)
	require.Equal(t, []string{"c1"}, ids)
}

// The first document that is put sweeps the folders of all runs, and no reading does.
func TestLeftOversGo(t *testing.T) {
	base := t.TempDir()
	put(t, opened(t, base), run("t1", ""), "c1")
	put(t, opened(t, base), run("k", "t1"), "c1")
	var left []string
	for _, dir := range []string{"t1", "t1/children/k"} {
		for name, age := range map[string]time.Duration{".tidemark-1.tmp": 25 * time.Hour, ".tidemark-2.tmp": time.Hour} {
			path := filepath.Join(base, filepath.FromSlash(dir), name)
			require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
			require.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(-age)))
			left = append(left, path)
		}
	}
	s := opened(t, base)
	_, err := s.IDs(t.Context(), run("t1", ""))
	require.NoError(t, err)
	require.NoError(t, s.Delete(t.Context(), run("t1", ""), "c9"))
	for _, path := range left {
		require.FileExists(t, path)
	}
	put(t, s, run("t2", ""), "c1")
	require.Equal(t, []string{"t1/.tidemark-2.tmp", "t1/c1.json", "t1/children/k/.tidemark-2.tmp", "t1/children/k/c1.json", "t2/c1.json"}, files(t, base))
}

// A write that fails before the rename leaves what was there, and nothing beside
// it: the name of the document is taken by a folder here, so the rename fails.
func TestAFailedRename(t *testing.T) {
	base := t.TempDir()
	s := opened(t, base)
	require.NoError(t, os.MkdirAll(filepath.Join(base, "t1", "c1.json", "x"), 0o755))
	_, err := s.Put(t.Context(), run("t1", ""), "c1", document("c1"))
	require.Error(t, err)
	require.Empty(t, files(t, base))
}

// A folder may go away with the last document of its run, deleted by another process,
// at any time while a document of a child is put into it. A try fails once for each
// time that it goes, so there are fewer of those than tries.
func TestAFolderThatGoesAwayIsMadeAgain(t *testing.T) {
	base := t.TempDir()
	s := opened(t, base)
	for i := range 20 {
		parent := fmt.Sprint("t", i)
		var other sync.WaitGroup
		other.Go(func() {
			for range 50 {
				_ = os.Mkdir(filepath.Join(base, parent), 0o755)
				_ = os.Remove(filepath.Join(base, parent)) // fails while something is in it
			}
		})
		_, err := s.Put(t.Context(), run("k", parent), "c1", document("c1"))
		assert.NoError(t, err)
		other.Wait()
	}
}

func TestRunsOfAnotherSession(t *testing.T) {
	s := opened(t, t.TempDir())
	for _, change := range []func(*listing.RunScope){
		func(r *listing.RunScope) { r.TenantID = "other" },
		func(r *listing.RunScope) { r.ProjectID = "other" },
		func(r *listing.RunScope) { r.SessionID = "other" },
	} {
		r := run("t1", "")
		change(&r)
		_, err := s.Put(t.Context(), r, "c1", document("c1"))
		require.ErrorIs(t, err, fault.BadInput)
		_, err = s.Get(t.Context(), r, "c1")
		require.ErrorIs(t, err, fault.BadInput)
	}
}

func TestBadNames(t *testing.T) {
	base := t.TempDir()
	s := opened(t, base)
	long := strings.Repeat("x", 241)
	_, err := s.Put(t.Context(), run("t1", ""), long, document(long))
	require.ErrorIs(t, err, fault.BadInput)
	_, err = s.Put(t.Context(), run(long, ""), "c1", document("c1"))
	require.ErrorIs(t, err, fault.BadInput)
	_, err = s.Put(t.Context(), run("k", long), "c1", document("c1"))
	require.ErrorIs(t, err, fault.BadInput)
	require.Empty(t, files(t, base))
	ids, err := s.IDs(t.Context(), run(long, ""))
	require.NoError(t, err, "nothing can be there")
	require.Empty(t, ids)
	require.NoError(t, os.WriteFile(filepath.Join(base, "file"), nil, 0o644))
	_, err = disk.New(filepath.Join(base, "file"), disk.Options{})
	require.ErrorIs(t, err, fault.BadInput)
}
