package vectors

import (
	"encoding/json"
	"errors"

	catalog "github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Vectors about listings of runs. Each names what is done in "op".

var (
	listingKeys    = titleKeys.with(keys("op", "basis"))
	scopeKeys      = keys("tenantId", "projectId", "sessionId")
	runKeys        = scopeKeys.with(keys("runId", "parentRunId"))
	checkpointKeys = keys("id", "createdAt").with(shape{"pending": {
		"request": nil, "parkedAt": nil, "deadlineAt": nil, "resolvedAt": nil}})
	entryKeys = runKeys.with(keys("checkpointCount", "latestCheckpointId", "latestCheckpointAt"), shape{
		"park": keys("state", "checkpointId", "requestType", "parkedAt", "deadlineAt", "resolvedAt")})
	rowKeys         = keys("runId").with(shape{"park": keys("state")})
	optionKeys      = keys("park", "limit", "now")
	listingPageKeys = keys("more", "refused").with(shape{"entries": entryKeys})

	listingScopeKeys = listingKeys.with(shape{"scope": scopeKeys, "expect": nil})
	listingEntryKeys = listingKeys.with(keys("now"), shape{
		"scope": runKeys, "checkpoints": checkpointKeys, "expect": entryKeys})
	listingWalkKeys = listingKeys.with(shape{"entries": rowKeys, "options": optionKeys, "expect": keys("pages"),
		"changes": keys("afterPage", "remove").with(shape{"add": rowKeys})})
	listingMemoryKeys = listingKeys.with(shape{
		"writes":  {"scope": runKeys, "checkpoints": checkpointKeys},
		"deletes": keys("checkpointId").with(shape{"scope": runKeys}),
		"scope":   scopeKeys, "options": optionKeys, "expect": listingPageKeys})
	listingDiskKeys = listingKeys.with(keys("tree"), shape{
		"attribution": scopeKeys, "scope": scopeKeys, "options": optionKeys, "expect": listingPageKeys})
)

// lists fits vectors about listings that do op.
func lists(op string) func(vector) bool {
	members := has("op", "basis")
	return func(v vector) bool {
		text, ok := textOf(v["op"])
		return ok && text == op && members(v)
	}
}

func runListingScope(v vector) (any, error) {
	switch err := listing.Check(scopeOf(v.object("scope"))); {
	case err == nil:
		return "ok", nil
	case errors.Is(err, catalog.ScopeHole):
		return "refused", nil
	default:
		return nil, err
	}
}

func runListingEntry(v vector) (any, error) {
	checkpoints, parks := checkpointsOf(v.list("checkpoints"))
	entry, ok := listing.EntryOf(runOf(v.object("scope")), checkpoints, parks, intOf(v["now"]))
	if !ok {
		return nil, nil
	}
	return decode(entry.AppendJSON(nil))
}

// runListingWalk follows the page tokens. The rows of such a vector have run ids
// and states alone, so they all are of one session.
func runListingWalk(v vector) (any, error) {
	scope := listing.Scope{TenantID: "t", ProjectID: "p", SessionID: "s"}
	var x listing.Index
	if err := addRows(&x, scope, v.list("entries")); err != nil {
		return nil, err
	}
	o, err := optionsOf(v.object("options"))
	if err != nil {
		return nil, err
	}
	var pages []any
	for {
		page, err := x.Page(scope, o)
		if err != nil {
			return nil, err
		}
		pages = append(pages, runsOf(page))
		if o.Page = page.Next; o.Page == "" {
			return map[string]any{"pages": pages}, nil
		}
		if err := change(&x, scope, v.list("changes"), len(pages)); err != nil {
			return nil, err
		}
	}
}

func runsOf(page listing.Page) []any {
	ids := make([]any, len(page.Entries))
	for i, e := range page.Entries {
		ids[i] = e.RunID
	}
	return ids
}

// change does what a vector wants done behind a page.
func change(x *listing.Index, scope listing.Scope, changes []json.RawMessage, page int) error {
	for _, c := range objects(changes) {
		if intOf(c["afterPage"]) != int64(page) {
			continue
		}
		for _, id := range c.list("remove") {
			x.Delete(within(scope, runOf(members{"runId": id})), rowCheckpoint.ID)
		}
		if err := addRows(x, scope, c.list("add")); err != nil {
			return err
		}
	}
	return nil
}

// rowCheckpoint is the one checkpoint of a row that a vector gives without any.
var rowCheckpoint = listing.Checkpoint{ID: "cp"}

func addRows(x *listing.Index, scope listing.Scope, rows []json.RawMessage) error {
	for _, row := range objects(rows) {
		r := within(scope, runOf(row))
		if err := x.Put(r, rowCheckpoint); err != nil {
			return err
		}
		parks, err := inState(row.object("park"))
		if err != nil {
			return err
		}
		if err := x.SetParks(r, parks); err != nil {
			return err
		}
	}
	return nil
}

// inState answers a park that is in the state a row names, and none when it names
// none. The clock of such vectors stands at 0.
func inState(row members) ([]*park.Park, error) {
	if row["state"] == nil {
		return nil, nil
	}
	word, _ := textOf(row["state"])
	state, ok := park.ParseState(word)
	if !ok {
		return nil, errors.New("a park in a state that is none: " + word)
	}
	return []*park.Park{{HasDeadline: state == park.Expired, Resolved: state == park.Resolved}}, nil
}
