package vectors

import (
	"fmt"
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Parks: records of a log, and what waits for a human at a time.

var (
	parkKeys = keys("decisionId", "turnId", "checkpointId").with(shape{
		"pending": keys("request", "parkedAt", "deadlineAt", "resolvedAt", "decision")})
	waitingKeys = keys("pending", "expired").with(shape{"parks": parkKeys})
	parksKeys   = titleKeys.with(shape{
		"records": nil, "query": keys("now", "turnId"),
		"expect": waitingKeys, "basic_expect": waitingKeys, "strict_expect": waitingKeys})
)

// runParks folds the records, and asks what waits and what is past its deadline.
func runParks(v vector) (any, error) {
	query := v.object("query")
	now, err := strconv.ParseInt(string(bare(query["now"])), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("query.now: %w", err)
	}
	turn, _ := textOf(query["turnId"])
	var f park.Fold
	f.Reset(turn)
	for _, record := range v.list("records") {
		f.Add(bare(record))
	}
	return waiting(&f, now)
}

// nested is a park with those members apart that expectations have under pending.
func nested(one map[string]any) map[string]any {
	park, pending := map[string]any{}, map[string]any{}
	for name, value := range one {
		switch name {
		case "decisionId", "turnId", "checkpointId":
			park[name] = value
		case "request", "parkedAt", "deadlineAt", "resolvedAt", "decision":
			pending[name] = value
		}
	}
	park["pending"] = pending
	return park
}

// waiting is a fold at a time, in the members that expectations use.
func waiting(f *park.Fold, now int64) (any, error) {
	parks, expired := []any{}, []any{}
	for _, p := range f.Parks() {
		one, err := decode(p.AppendJSON(nil, now))
		if err != nil {
			return nil, err
		}
		parks = append(parks, nested(one.(map[string]any)))
	}
	for _, p := range f.Expired(now) {
		expired = append(expired, p.DecisionID)
	}
	outcome := map[string]any{"parks": parks, "pending": nil, "expired": expired}
	if p := f.Pending(now); p != nil {
		outcome["pending"] = p.DecisionID
	}
	return outcome, nil
}
