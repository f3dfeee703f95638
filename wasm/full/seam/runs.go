package seam

import (
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// pager is a set of runs that can be listed.
type pager interface {
	Page(listing.Scope, listing.Options) (listing.Page, error)
}

// Run is the row of a run.
type Run struct {
	TenantID           string  `js:"tenantId"`
	ProjectID          string  `js:"projectId"`
	SessionID          string  `js:"sessionId"`
	RunID              string  `js:"runId"`
	ParentRunID        *string `js:"parentRunId"`
	CheckpointCount    int64   `js:"checkpointCount"`
	LatestCheckpointID string  `js:"latestCheckpointId"`
	LatestCheckpointAt int64   `js:"latestCheckpointAt"`
	Park               *Park   `js:"park"`
}

// Park is the one park that a row shows.
type Park struct {
	State        string `js:"state"`
	CheckpointID string `js:"checkpointId"`
	RequestType  string `js:"requestType"`
	ParkedAt     int64  `js:"parkedAt"`
	DeadlineAt   *int64 `js:"deadlineAt"`
	ResolvedAt   *int64 `js:"resolvedAt"`
}

// Page is a part of a listing.
type Page struct {
	Entries []Run   `js:"entries"`
	Page    *string `js:"page"`
}

// OpenRuns takes runs to list and answers a handle.
func (m *Module) OpenRuns(runs []listing.Run) (int32, error) {
	x := new(listing.Index)
	for _, r := range runs {
		if err := put(x, r); err != nil {
			return 0, err
		}
	}
	return m.keep(x), nil
}

// put adds a run. One without checkpoints has no row.
func put(x *listing.Index, r listing.Run) error {
	for _, c := range r.Checkpoints {
		if err := x.Put(r.RunScope, c); err != nil {
			return err
		}
	}
	return x.SetParks(r.RunScope, r.Parks)
}

// OpenFolder takes the runs of a folder, which says of a run whose child it is but
// not whose session, and answers a handle.
func (m *Module) OpenFolder(of listing.Scope, runs []listing.Run) int32 {
	children, held := map[string][]string{}, map[[2]string]*listing.Run{}
	for i, r := range runs {
		children[r.ParentRunID] = append(children[r.ParentRunID], r.RunID)
		held[[2]string{r.ParentRunID, r.RunID}] = &runs[i]
	}
	return m.keep(&listing.Folder{
		Of:   of,
		Runs: func(parent string) ([]string, error) { return children[parent], nil },
		Load: func(s listing.RunScope) (*listing.Run, error) {
			found := *held[[2]string{s.ParentRunID, s.RunID}]
			found.RunScope = s
			return &found, nil
		},
	})
}

func (m *Module) keep(p pager) int32 {
	if m.runs == nil {
		m.runs = map[int32]pager{}
	}
	h := m.handle()
	m.runs[h] = p
	return h
}

// Page is a page of runs.
func (m *Module) Page(h int32, scope listing.Scope, o listing.Options) (*Page, error) {
	p := m.runs[h]
	if p == nil {
		return nil, badHandle("listing")
	}
	found, err := p.Page(scope, o)
	if err != nil {
		return nil, err
	}
	page := &Page{Entries: make([]Run, len(found.Entries)), Page: known(found.Next)}
	for i := range found.Entries {
		page.Entries[i] = runOf(&found.Entries[i])
	}
	return page, nil
}

// CloseRuns forgets a listing.
func (m *Module) CloseRuns(h int32) { delete(m.runs, h) }

func runOf(e *listing.Entry) Run {
	r := Run{
		e.TenantID, e.ProjectID, e.SessionID, e.RunID, known(e.ParentRunID),
		int64(e.CheckpointCount), e.LatestCheckpointID, e.LatestCheckpointAt, nil,
	}
	if s := e.Park; s != nil {
		r.Park = &Park{s.State.String(), s.CheckpointID, s.RequestType, s.ParkedAt, nil, nil}
		if s.HasDeadline {
			r.Park.DeadlineAt = &s.DeadlineAt
		}
		if s.State == park.Resolved {
			r.Park.ResolvedAt = &s.ResolvedAt
		}
	}
	return r
}
