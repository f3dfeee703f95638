package vectors

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	catalog "github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// refusals are the words of vectors for what a listing refuses.
var refusals = map[catalog.ID]string{catalog.ScopeHole: "scope", catalog.NoAttribution: "attribution"}

// pageOf lists once, as a vector asks for it.
func pageOf(v vector, list func(context.Context, listing.Scope, listing.Options) (listing.Page, error)) (any, error) {
	o, err := optionsOf(v.object("options"))
	if err != nil {
		return nil, err
	}
	page, err := list(context.Background(), scopeOf(v.object("scope")), o)
	var f *catalog.Fault
	if errors.As(err, &f) && refusals[f.ID] != "" {
		return map[string]any{"refused": refusals[f.ID]}, nil
	}
	if err != nil {
		return nil, err
	}
	got, err := decode(page.AppendJSON(nil))
	return map[string]any{"entries": field(got, "entries"), "more": page.Next != ""}, err
}

func optionsOf(o members) (listing.Options, error) {
	options := listing.Options{Now: intOf(o["now"])}
	if limit := o["limit"]; limit != nil {
		var n float64
		if err := json.Unmarshal(limit, &n); err != nil {
			return options, err
		}
		options.Limit = listing.LimitOf(n)
	}
	if o["park"] == nil {
		return options, nil
	}
	var words []string
	if err := json.Unmarshal(o["park"], &words); err != nil {
		return options, err
	}
	states, err := listing.States(words...)
	options.Park = states
	return options, err
}

// checkpointsOf reads checkpoints with the parks that a vector attaches to them,
// the latter in the order in which they were asked.
func checkpointsOf(list []json.RawMessage) (checkpoints []listing.Checkpoint, parks []*park.Park) {
	for _, c := range objects(list) {
		id, _ := textOf(c["id"])
		checkpoints = append(checkpoints, listing.Checkpoint{ID: id, CreatedAt: intOf(c["createdAt"])})
		if pending := c.object("pending"); pending != nil {
			parks = append(parks, parkOf(id, pending))
		}
	}
	return checkpoints, inOrder(parks)
}

func parkOf(checkpointID string, pending members) *park.Park {
	return &park.Park{
		DecisionID: checkpointID, CheckpointID: checkpointID, Request: pending["request"],
		ParkedAt: intOf(pending["parkedAt"]), DeadlineAt: intOf(pending["deadlineAt"]), HasDeadline: pending["deadlineAt"] != nil,
		ResolvedAt: intOf(pending["resolvedAt"]), Resolved: pending["resolvedAt"] != nil,
	}
}

func inOrder(parks []*park.Park) []*park.Park {
	slices.SortFunc(parks, func(a, b *park.Park) int { return int(a.ParkedAt - b.ParkedAt) })
	return parks
}

func scopeOf(s members) listing.Scope { return runOf(s).Scope() }

func runOf(s members) (r listing.RunScope) {
	r.TenantID, _ = textOf(s["tenantId"])
	r.ProjectID, _ = textOf(s["projectId"])
	r.SessionID, _ = textOf(s["sessionId"])
	r.RunID, _ = textOf(s["runId"])
	r.ParentRunID, _ = textOf(s["parentRunId"])
	return r
}

func within(s listing.Scope, r listing.RunScope) listing.RunScope {
	r.TenantID, r.ProjectID, r.SessionID = s.TenantID, s.ProjectID, s.SessionID
	return r
}

// intOf reads an integer; 0 for anything else, and for none.
func intOf(raw json.RawMessage) int64 {
	var n int64
	if json.Unmarshal(raw, &n) != nil {
		return 0
	}
	return n
}

func objects(list []json.RawMessage) []members {
	all := make([]members, len(list))
	for i, raw := range list {
		all[i] = members{"": raw}.object("")
	}
	return all
}
