package listing

import (
	"github.com/tidemark-stream/tidemark/internal/codeunit"
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Checkpoint is what a row has to know of a checkpoint.
type Checkpoint struct {
	ID        string
	CreatedAt int64 // ms since 1970
}

// newer reports whether c is newer than o; of two at the same time the one with
// the higher id is.
func (c Checkpoint) newer(o Checkpoint) bool {
	if c.CreatedAt != o.CreatedAt {
		return c.CreatedAt > o.CreatedAt
	}
	return codeunit.Compare(c.ID, o.ID) > 0
}

// Run is what a store holds of one run. The checkpoints have any order, the parks
// that of their requests, newest last, as a fold of the log has them. What is
// handed out belongs to the store.
type Run struct {
	RunScope
	Checkpoints []Checkpoint
	Unreadable  []Unreadable // those of which nobody can tell what they are; not among Checkpoints
	Parks       []*park.Park
}

// Unreadable is a checkpoint whose document cannot be read.
type Unreadable struct {
	RunScope
	CheckpointID string
	Fault        *fault.Fault // what is wrong; never nil
}

// Entry is the row of a run that has checkpoints. Its RunScope is one.
type Entry struct {
	RunScope
	CheckpointCount    int
	LatestCheckpointID string
	LatestCheckpointAt int64        // ms since 1970
	Park               *ParkSummary // nil when the run never parked
}

// ParkSummary is the one park that a row shows: the newest outstanding, else the
// newest expired, else the newest resolved.
type ParkSummary struct {
	State        park.State
	CheckpointID string
	RequestType  string // the type of the request; "" when it is no text
	ParkedAt     int64  // ms since 1970
	DeadlineAt   int64  // ms since 1970, with HasDeadline
	ResolvedAt   int64  // ms since 1970, when State is Resolved
	HasDeadline  bool
}

// EntryOf is the row of a run at a time. False: it has no checkpoints, and so no
// row.
func EntryOf(scope RunScope, checkpoints []Checkpoint, parks []*park.Park, now int64) (Entry, bool) {
	if len(checkpoints) == 0 {
		return Entry{}, false
	}
	latest := checkpoints[0]
	for _, c := range checkpoints[1:] {
		if c.newer(latest) {
			latest = c
		}
	}
	return Entry{scope, len(checkpoints), latest.ID, latest.CreatedAt, summaryOf(shown(parks, now), now)}, true
}

// shown is the park that a row shows, nil when there is none. The states of
// package park stand in the order in which one is preferred to the next.
func shown(parks []*park.Park, now int64) (best *park.Park) {
	for _, p := range parks {
		if best == nil || p.State(now) <= best.State(now) {
			best = p
		}
	}
	return best
}

func summaryOf(p *park.Park, now int64) *ParkSummary {
	if p == nil {
		return nil
	}
	s := &ParkSummary{
		State: p.State(now), CheckpointID: p.CheckpointID, RequestType: p.RequestType(),
		ParkedAt: p.ParkedAt, DeadlineAt: p.DeadlineAt, HasDeadline: p.HasDeadline,
	}
	if s.State == park.Resolved {
		s.ResolvedAt = p.ResolvedAt
	}
	return s
}

// AppendJSON appends {"tenantId","projectId","sessionId","runId","parentRunId"?,
// "checkpointCount","latestCheckpointId","latestCheckpointAt","park"?:{"state",
// "checkpointId","requestType","parkedAt","deadlineAt"?,"resolvedAt"?}}; times are
// ms since 1970.
func (e *Entry) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	e.RunScope.write(&w)
	w.Int("checkpointCount", int64(e.CheckpointCount))
	w.Text("latestCheckpointId", e.LatestCheckpointID)
	w.Int("latestCheckpointAt", e.LatestCheckpointAt)
	if e.Park != nil {
		w.Open("park")
		e.Park.write(&w)
		w.Close()
	}
	return w.End()
}

func (r *RunScope) write(w *rawjson.Writer) {
	w.Text("tenantId", r.TenantID)
	w.Text("projectId", r.ProjectID)
	w.Text("sessionId", r.SessionID)
	w.Text("runId", r.RunID)
	w.Known("parentRunId", r.ParentRunID)
}

// AppendJSON appends {"tenantId","projectId","sessionId","runId","parentRunId"?,
// "checkpointId","code"}. What was expected and found is not in it: it shows parts
// of the document.
func (u *Unreadable) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	u.RunScope.write(&w)
	w.Text("checkpointId", u.CheckpointID)
	w.Text("code", u.Fault.ID.String())
	return w.End()
}

func (s *ParkSummary) write(w *rawjson.Writer) {
	w.Text("state", s.State.String())
	w.Text("checkpointId", s.CheckpointID)
	w.Text("requestType", s.RequestType)
	w.Int("parkedAt", s.ParkedAt)
	if s.HasDeadline {
		w.Int("deadlineAt", s.DeadlineAt)
	}
	if s.State == park.Resolved {
		w.Int("resolvedAt", s.ResolvedAt)
	}
}
