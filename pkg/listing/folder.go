package listing

import (
	"slices"

	"github.com/tidemark-stream/tidemark/internal/codeunit"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Folder lists the runs of one session from a store that keeps a folder for each:
// those that nothing started at the top, and below each run the ones that it
// started itself. A run that was started by a child stands below that child at
// the top, so two levels reach all of them.
//
// It does no I/O of its own: its functions read, and must not create anything.
// What they fail with comes back as it is; a folder that is not there is no
// failure but an empty one.
type Folder struct {
	// Of is whose runs these are. Nothing in a folder says so, and it is never
	// guessed: without all three levels nothing is listed.
	Of Scope

	// Runs answers the ids of the runs at the top with parent "", else of those
	// that the parent started. Their order does not matter.
	Runs func(parent string) ([]string, error)

	// Load answers what is held of one run; none or no checkpoints is no row. What
	// it cannot read of them is no failure but Unreadable.
	Load func(RunScope) (*Run, error)
}

// Page is a page of the runs within a scope. It checks in this order: that the
// scope has no hole ([fault.ScopeHole]), that the folder is told whose it is
// ([fault.NoAttribution]), that the two meet (else the page is empty), and only
// then it reads, from the page token on. It loads no more runs than the page needs.
func (f *Folder) Page(scope Scope, o Options) (Page, error) {
	if err := Check(scope); err != nil {
		return Page{}, err
	}
	if f.Of.TenantID == "" || f.Of.ProjectID == "" || f.Of.SessionID == "" {
		return Page{}, fault.New(fault.NoAttribution, "a folder with tenant, project and session", "one that was not told")
	}
	if !scope.Meets(f.Of) {
		return Page{}, nil
	}
	return Select(scope, o, f.rows)
}

func (f *Folder) rows(after Key, yield func(*Run) bool) error {
	runs, err := f.scopes()
	if err != nil {
		return err
	}
	shown := after
	for _, scope := range runs {
		if scope.Key().Compare(shown) <= 0 {
			continue // before the position, or a second folder of the same run
		}
		r, err := f.Load(scope)
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		if len(r.Checkpoints) > 0 {
			shown = scope.Key()
		}
		if !yield(r) {
			return nil
		}
	}
	return nil
}

// scopes are all runs that have a folder, in order; of a run that has two, the one
// at the top comes first.
func (f *Folder) scopes() ([]RunScope, error) {
	top, err := f.Runs("")
	if err != nil {
		return nil, err
	}
	all := f.named(nil, top, "")
	for _, parent := range top {
		children, err := f.Runs(parent)
		if err != nil {
			return nil, err
		}
		all = f.named(all, children, parent)
	}
	slices.SortFunc(all, func(a, b RunScope) int {
		if c := a.Key().Compare(b.Key()); c != 0 {
			return c
		}
		return codeunit.Compare(a.ParentRunID, b.ParentRunID)
	})
	return all, nil
}

func (f *Folder) named(all []RunScope, ids []string, parent string) []RunScope {
	for _, id := range ids {
		all = append(all, RunScope{f.Of.TenantID, f.Of.ProjectID, f.Of.SessionID, id, parent})
	}
	return all
}
