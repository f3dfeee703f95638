package listing_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

func parked(at int64, change func(p *park.Park)) *park.Park {
	p := &park.Park{DecisionID: "d", CheckpointID: fmt.Sprint("cp_", at), ParkedAt: at, Request: []byte(`{"type":"tool_review"}`)}
	if change != nil {
		change(p)
	}
	return p
}

func due(at int64) func(p *park.Park) {
	return func(p *park.Park) { p.HasDeadline, p.DeadlineAt = true, at }
}

func answered(at int64) func(p *park.Park) {
	return func(p *park.Park) { p.Resolved, p.ResolvedAt = true, at }
}

// the newest outstanding park, else the newest expired, else the newest
// resolved; R-363 for the boundary.
func TestParkSummary(t *testing.T) {
	open, open2 := parked(1, nil), parked(2, nil)
	late, late2 := parked(3, due(50)), parked(4, due(40))
	done, done2 := parked(5, answered(9)), parked(6, answered(8))
	for _, c := range []struct {
		parks []*park.Park
		now   int64
		want  *park.Park
		state park.State
	}{
		{[]*park.Park{open, open2, late, done}, 100, open2, park.Outstanding},
		{[]*park.Park{open, late2, late, done}, 100, open, park.Outstanding},
		{[]*park.Park{late, late2, done, done2}, 100, late2, park.Expired},
		{[]*park.Park{late, late2, done, done2}, 50, late2, park.Expired},
		{[]*park.Park{late, late2, done, done2}, 49, late, park.Outstanding},
		{[]*park.Park{done2, done}, 0, done, park.Resolved},
	} {
		e, ok := listing.EntryOf(run("r"), []listing.Checkpoint{cp}, c.parks, c.now)
		require.True(t, ok)
		require.Equal(t, c.want.CheckpointID, e.Park.CheckpointID)
		require.Equal(t, c.state, e.Park.State)
	}
}

func TestEntryAsJSON(t *testing.T) {
	child := run("r2")
	child.ParentRunID = "r1"
	for _, c := range []struct {
		parks []*park.Park
		want  string
	}{
		{nil, `}`},
		{[]*park.Park{parked(11, due(0))}, `,"park":{"state":"expired","checkpointId":"cp_11","requestType":"tool_review","parkedAt":11,"deadlineAt":0}}`},
		{[]*park.Park{parked(0, answered(0))}, `,"park":{"state":"resolved","checkpointId":"cp_0","requestType":"tool_review","parkedAt":0,"resolvedAt":0}}`},
		{[]*park.Park{parked(1, func(p *park.Park) { p.Request = []byte(`{"type":7}`) })}, `,"park":{"state":"outstanding","checkpointId":"cp_1","requestType":"","parkedAt":1}}`},
		{[]*park.Park{parked(1, func(p *park.Park) { p.Request = []byte(`{"t`) })}, `,"park":{"state":"outstanding","checkpointId":"cp_1","requestType":"","parkedAt":1}}`},
	} {
		e, ok := listing.EntryOf(child, []listing.Checkpoint{{ID: "a", CreatedAt: 3}, {ID: "b", CreatedAt: 3}, {ID: "c", CreatedAt: -1}}, c.parks, 5)
		require.True(t, ok)
		require.Equal(t, `{"tenantId":"t1","projectId":"p1","sessionId":"s1","runId":"r2","parentRunId":"r1",`+
			`"checkpointCount":3,"latestCheckpointId":"b","latestCheckpointAt":3`+c.want, string(e.AppendJSON(nil)))
	}
	_, ok := listing.EntryOf(child, nil, []*park.Park{parked(1, nil)}, 5)
	require.False(t, ok, "R-401: no checkpoints, no row")
}
