package disk_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/durable/disk"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

func ids(t *testing.T, s *disk.Store) (ids []string) {
	t.Helper()
	page, err := s.List(t.Context(), scope, listing.Options{})
	require.NoError(t, err)
	for _, e := range page.Entries {
		ids = append(ids, e.ParentRunID+">"+e.RunID)
	}
	return ids
}

// two levels reach a grandchild; shells, files and what nobody can have
// named are no runs; nothing is made.
func TestListWalksTwoLevels(t *testing.T) {
	base := filepath.Join(t.TempDir(), "runs")
	s := opened(t, base)
	require.Empty(t, ids(t, s))
	require.NoDirExists(t, base, "listing makes nothing")
	put(t, s, run("t1", ""), "c1")
	put(t, s, run("k/1", "t1"), "c1")
	put(t, s, run("g", "k/1"), "c1")
	require.NoError(t, os.Mkdir(filepath.Join(base, "empty"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(base, "%zz", "children", "x"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(base, "file"), nil, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(base, "empty", "children"), nil, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(base, "t1", "notes.txt"), nil, 0o644))
	before := files(t, base)
	require.Equal(t, []string{"k/1>g", "t1>k/1", ">t1"}, ids(t, s))
	require.Equal(t, before, files(t, base))
}

// scope, attribution, whether the two meet, and only then the folder; a
// store that was not told how questions stand does not guess.
func TestListChecksInOrder(t *testing.T) {
	base := t.TempDir()
	put(t, opened(t, base), run("t1", ""), "c1")
	half := listing.Scope{TenantID: "acme", ProjectID: "web"}
	for name, c := range map[string]struct {
		of, asked listing.Scope
		parks     func(context.Context) ([]*park.Park, error)
		refused   error
	}{
		"a hole before all":          {listing.Scope{}, listing.Scope{TenantID: "other", SessionID: "s/1"}, nil, fault.ScopeHole},
		"no attribution":             {listing.Scope{}, scope, noParks, fault.NoAttribution},
		"half an attribution":        {half, listing.Scope{TenantID: "other"}, noParks, fault.NoAttribution},
		"another tenant is empty":    {scope, listing.Scope{TenantID: "other"}, nil, nil},
		"another project is empty":   {scope, listing.Scope{TenantID: "acme", ProjectID: "other"}, nil, nil},
		"nobody said how they stand": {scope, scope, nil, fault.CannotList},
	} {
		s, err := disk.New(base, disk.Options{Of: c.of, Parks: c.parks})
		require.NoError(t, err)
		page, err := s.List(t.Context(), c.asked, listing.Options{})
		require.ErrorIs(t, err, c.refused, name)
		require.Empty(t, page, name)
	}
}

// What cannot be read is an error and no empty page.
func TestListThatFails(t *testing.T) {
	base := t.TempDir()
	s := opened(t, base)
	put(t, s, run("t1", ""), "c1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.List(ctx, scope, listing.Options{})
	require.ErrorIs(t, err, context.Canceled)

	gone := errors.New("the log is gone")
	s, err = disk.New(base, disk.Options{Of: scope, Parks: func(context.Context) ([]*park.Park, error) { return nil, gone }})
	require.NoError(t, err)
	_, err = s.List(t.Context(), scope, listing.Options{})
	require.ErrorIs(t, err, gone)
}
