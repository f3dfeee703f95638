package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// List answers a page of the runs that have documents. It reads the names
// of all runs and the documents of those on the page, and makes nothing. Checked in
// this order: the scope, whose runs these are (fault.NoAttribution), whether the two
// meet, the page token, and then that the store was told how questions stand
// (fault.CannotList). A document that cannot be read is named apart.
func (s *Store) List(ctx context.Context, scope listing.Scope, o listing.Options) (listing.Page, error) {
	var parks map[string][]*park.Park // by turn
	folder := listing.Folder{
		Of: s.of,
		Runs: func(parent string) (ids []string, err error) {
			if parks == nil {
				parks, err = s.byTurn(ctx)
			}
			if err = errors.Join(err, ctx.Err()); err == nil {
				ids, err = s.runs(parent)
			}
			return ids, err
		},
		Load: func(run listing.RunScope) (*listing.Run, error) {
			r, err := s.load(ctx, run)
			if err == nil {
				r.Parks = parks[run.RunID]
			}
			return r, err
		},
	}
	return folder.Page(scope, o)
}

// byTurn are the questions of the session by turn, which here is the run.
func (s *Store) byTurn(ctx context.Context) (map[string][]*park.Park, error) {
	if s.parks == nil {
		return nil, fault.New(fault.CannotList, "a folder that was told how the questions of its session stand", "one that was not")
	}
	all, err := s.parks(ctx)
	turns := map[string][]*park.Park{}
	for _, p := range all {
		turns[p.TurnID] = append(turns[p.TurnID], p)
	}
	return turns, err
}

// load reads the documents of a run.
func (s *Store) load(ctx context.Context, run listing.RunScope) (*listing.Run, error) {
	ids, err := s.IDs(ctx, run)
	if err != nil {
		return nil, err
	}
	all, err := durable.ReadAll(ctx, s, run, ids)
	r := &listing.Run{RunScope: run}
	for _, e := range all.Entries {
		r.Checkpoints = append(r.Checkpoints, listing.Checkpoint{ID: e.ID, CreatedAt: e.CreatedAt})
	}
	for _, u := range all.Unreadable {
		r.Unreadable = append(r.Unreadable, listing.Unreadable{RunScope: run, CheckpointID: u.CheckpointID, Fault: u.Fault})
	}
	return r, err
}

// runs answers the ids of the runs that have a folder: those at the top with
// parent "", else those that the parent started. It makes nothing, and a folder
// that is not there has none.
func (s *Store) runs(parent string) ([]string, error) {
	dir := s.base
	if parent != "" {
		name, err := escape(parent)
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(dir, name, children)
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, nil
	}
	return names(dir, func(e fs.DirEntry) (string, bool) { return e.Name(), isFolder(dir, e) })
}

// isFolder reports whether an entry is a folder, or leads to one: documents are put
// and read through a link, so its run is listed as well.
func isFolder(dir string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(filepath.Join(dir, e.Name()))
	return err == nil && info.IsDir()
}
