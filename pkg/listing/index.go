package listing

import (
	"slices"

	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Index holds runs in memory and lists them. The zero Index is empty and ready.
//
// Runs stand sorted in one list for each scope that somebody can ask for, so that
// a page is found by searching, whatever the scope. Putting a run in costs a
// search and moving at most some hundred pointers in each of the three.
type Index struct {
	runs  map[Key]*row
	lists map[Scope]*sorted
}

// Put adds a checkpoint to a run, in place of one of the same id. A run that lacks
// a level is refused with [fault.ScopeHole].
func (x *Index) Put(scope RunScope, c Checkpoint) error {
	if err := scope.Check(); err != nil {
		return err
	}
	r := x.run(scope)
	if r.ParentRunID = scope.ParentRunID; len(r.Checkpoints) == 0 {
		x.enlist(r)
	}
	if i := r.find(c.ID); i >= 0 {
		r.Checkpoints[i] = c
	} else {
		r.Checkpoints = append(r.Checkpoints, c)
	}
	return nil
}

// Delete takes a checkpoint away. A run without any has no row from then on. One
// that is not there changes nothing.
func (x *Index) Delete(scope RunScope, checkpointID string) {
	r := x.runs[scope.Key()]
	if r == nil {
		return
	}
	i := r.find(checkpointID)
	if i < 0 {
		return
	}
	r.Checkpoints = slices.Delete(r.Checkpoints, i, i+1)
	if len(r.Checkpoints) == 0 {
		x.delist(r)
		x.forget(r)
	}
}

// SetParks says what the parks of a run are, in place of what was said before, in
// the order of the fold. They are copied, so that a fold may go on; what they hold
// as JSON is kept and must not change. A run that has parks and no checkpoint yet
// is remembered without a row.
func (x *Index) SetParks(scope RunScope, parks []*park.Park) error {
	if err := scope.Check(); err != nil {
		return err
	}
	r := x.run(scope)
	r.Parks, r.standing = copied(parks), standingOf(parks)
	x.forget(r)
	return nil
}

// Page is a page of the runs within a scope, as [Select] says.
func (x *Index) Page(scope Scope, o Options) (Page, error) {
	return choose(scope, o, func(after Key, take func(*row) bool) error {
		if list := x.lists[scope]; list != nil {
			list.behind(after, take)
		}
		return nil
	})
}

// Len is how many runs have a row.
func (x *Index) Len() (n int) {
	for _, r := range x.runs {
		if len(r.Checkpoints) > 0 {
			n++
		}
	}
	return n
}

func (x *Index) run(scope RunScope) *row {
	r := x.runs[scope.Key()]
	if r == nil {
		if x.runs == nil {
			x.runs, x.lists = map[Key]*row{}, map[Scope]*sorted{}
		}
		r = &row{Run: Run{RunScope: scope}}
		x.runs[scope.Key()] = r
	}
	return r
}

// forget drops a run about which nothing is known.
func (x *Index) forget(r *row) {
	if len(r.Checkpoints) == 0 && len(r.Parks) == 0 {
		delete(x.runs, r.Key())
	}
}

func copied(parks []*park.Park) []*park.Park {
	own := make([]*park.Park, len(parks))
	for i, p := range parks {
		c := *p
		own[i] = &c
	}
	return own
}

func (r *Run) find(checkpointID string) int {
	return slices.IndexFunc(r.Checkpoints, func(c Checkpoint) bool { return c.ID == checkpointID })
}

// scopes are those that a listing with this run in it can be asked for by.
func (r *Run) scopes() [3]Scope {
	return [3]Scope{{TenantID: r.TenantID}, {TenantID: r.TenantID, ProjectID: r.ProjectID}, r.Scope()}
}

func (x *Index) enlist(r *row) {
	for _, s := range r.scopes() {
		if x.lists[s] == nil {
			x.lists[s] = &sorted{}
		}
		x.lists[s].insert(r)
	}
}

func (x *Index) delist(r *row) {
	for _, s := range r.scopes() {
		if x.lists[s].remove(r.Key()); x.lists[s].empty() {
			delete(x.lists, s)
		}
	}
}
