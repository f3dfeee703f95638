package listing_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
)

// tree is a folder in memory: run ids below each parent, and how often each was
// loaded.
type tree struct {
	below  map[string][]string
	shells []string // run ids without checkpoints
	loaded []string
	fails  string // "" or what reading a parent or loading a run of this id fails at
	reads  int
}

var errDisk = errors.New("the disk is gone")

func (f *tree) folder() *listing.Folder {
	return &listing.Folder{Of: run("").Scope(), Runs: f.runs, Load: f.load}
}

func (f *tree) runs(parent string) ([]string, error) {
	f.reads++
	if parent == f.fails && parent != "" {
		return nil, errDisk
	}
	return f.below[parent], nil
}

func (f *tree) load(s listing.RunScope) (*listing.Run, error) {
	f.loaded = append(f.loaded, s.ParentRunID+"/"+s.RunID)
	for _, shell := range f.shells {
		if shell == s.ParentRunID+"/"+s.RunID {
			return nil, nil
		}
	}
	if s.RunID == f.fails {
		return nil, errDisk
	}
	return &listing.Run{RunScope: s, Checkpoints: []listing.Checkpoint{cp}}, nil
}

// a run that was started by a child stands below that child at the top, in
// a folder that is only a shell.
func TestFolderReachesGrandchildren(t *testing.T) {
	f := &tree{below: map[string][]string{"": {"r2", "r1"}, "r1": {"r2"}, "r2": {"r3"}}, shells: []string{"/r2"}}
	page, err := f.folder().Page(tenant, listing.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"r1", "r2", "r3"}, names(page))
	for i, parent := range []string{"", "r1", "r2"} {
		require.Equal(t, parent, page.Entries[i].ParentRunID)
		require.NoError(t, page.Entries[i].Check())
	}
}

// a run that has two folders with checkpoints has one row.
func TestRunWithTwoFolders(t *testing.T) {
	f := &tree{below: map[string][]string{"": {"r1", "r2"}, "r1": {"r2"}}}
	page, err := f.folder().Page(tenant, listing.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"r1", "r2"}, names(page))
	require.Empty(t, page.Entries[1].ParentRunID)
}

// first the scope, then the attribution, then whether they meet, and only
// then is anything read, the page token included.
func TestFolderChecksInOrder(t *testing.T) {
	hole := listing.Scope{TenantID: "t2", SessionID: "s1"}
	for _, c := range []struct {
		name   string
		of     listing.Scope
		scope  listing.Scope
		token  string
		refuse error
	}{
		{"the scope first", listing.Scope{}, hole, "x", fault.ScopeHole},
		{"also before a mismatch", run("").Scope(), hole, "x", fault.ScopeHole},
		{"no attribution", listing.Scope{}, tenant, "x", fault.NoAttribution},
		{"half an attribution", listing.Scope{TenantID: "t1", ProjectID: "p1"}, tenant, "", fault.NoAttribution},
		{"not for another tenant either", listing.Scope{}, listing.Scope{TenantID: "t2"}, "", fault.NoAttribution},
		{"another tenant is empty", run("").Scope(), listing.Scope{TenantID: "t2"}, "x", nil},
		{"another session is empty", run("").Scope(), listing.Scope{TenantID: "t1", ProjectID: "p1", SessionID: "s2"}, "", nil},
		{"the token last", run("").Scope(), tenant, "x", fault.BadPageToken},
	} {
		f := &tree{below: map[string][]string{"": {"r1"}}}
		folder := f.folder()
		folder.Of = c.of
		page, err := folder.Page(c.scope, listing.Options{Page: c.token})
		require.ErrorIs(t, err, c.refuse, c.name)
		require.Empty(t, page, c.name)
		require.Zero(t, f.reads, c.name)
	}
}

// pages of a folder, each loading only what it needs.
func TestFolderByPages(t *testing.T) {
	f := &tree{below: map[string][]string{"": {"r5", "r1", "r3"}, "r3": {"r4", "r2"}}}
	page, err := f.folder().Page(tenant, listing.Options{Limit: 2})
	require.NoError(t, err)
	require.Equal(t, []string{"r1", "r2"}, names(page))
	require.Equal(t, []string{"/r1", "r3/r2", "/r3"}, f.loaded)
	f.loaded = nil
	page, err = f.folder().Page(tenant, listing.Options{Limit: 3, Page: page.Next})
	require.NoError(t, err)
	require.Equal(t, []string{"r3", "r4", "r5"}, names(page))
	require.Empty(t, page.Next)
	require.Equal(t, []string{"/r3", "r3/r4", "/r5"}, f.loaded)
}

// errors of reading surface, they are no empty page.
func TestFolderThatCannotBeRead(t *testing.T) {
	for _, broken := range []string{"r1", "r2"} {
		f := &tree{below: map[string][]string{"": {"r1"}, "r1": {"r2"}}, fails: broken}
		page, err := f.folder().Page(tenant, listing.Options{})
		require.ErrorIs(t, err, errDisk)
		require.Empty(t, page)
	}
	f := &listing.Folder{Of: run("").Scope(), Runs: func(string) ([]string, error) { return nil, errDisk }}
	_, err := f.Page(tenant, listing.Options{})
	require.ErrorIs(t, err, errDisk)
}
