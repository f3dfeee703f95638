package park

import (
	"github.com/tidemark-stream/tidemark/internal/datetime"
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// By is who settled a park.
type By struct{ Kind, Role, TenantID string }

// System is a turn that carries out a decision itself, by a policy.
func System(tenantID string) By {
	return By{Kind: "system", Role: "sys_approval_policy", TenantID: tenantID}
}

// AppendJSON writes kind, role and tenantId.
func (b By) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Text("kind", b.Kind)
	w.Text("role", b.Role)
	w.Text("tenantId", b.TenantID)
	return w.End()
}

// Deadline is when a question that is put now expires. Only a time to live above
// zero gives a deadline.
func Deadline(now, ttl int64) (at int64, ok bool) {
	if ttl <= 0 {
		return 0, false
	}
	ttl = min(ttl, datetime.Max)
	return min(now, datetime.Max-ttl) + ttl, true
}

// CheckRequest refuses what cannot be put as a question (fault.BadRequest): it has to
// be one JSON object with a type, as text that is not empty.
func CheckRequest(request []byte) error {
	if problem, _ := rawjson.Check(request, len(request)); problem != rawjson.OK {
		return fault.New(fault.BadRequest, "a JSON object", problem.String())
	}
	request = rawjson.Trim(request)
	if rawjson.KindOf(request) != rawjson.Object {
		return fault.New(fault.BadRequest, "a JSON object", fault.Clip(request))
	}
	if RequestType(request) == "" {
		return fault.New(fault.BadRequest, "a type, as text that is not empty", "none")
	}
	return nil
}

// AppendRequested writes the event that puts a question, without a stamp: that is
// the log's to give. Of the park it takes the ids, the request, which has to have
// passed [CheckRequest], and the deadline; a turn or checkpoint of "" is left out.
func AppendRequested(dst []byte, p *Park) []byte {
	w := begin(dst, requested, p.TurnID, p.DecisionID)
	w.Known("checkpointId", p.CheckpointID)
	w.Raw("request", p.Request)
	if p.HasDeadline {
		w.Name("deadlineAt")
		w.Append(func(dst []byte) []byte { return append(datetime.Append(append(dst, '"'), p.DeadlineAt), '"') })
	}
	return w.End()
}

// AppendResolved writes the event that settles a question by an answer, without a
// stamp. decision and by are JSON.
func AppendResolved(dst []byte, turnID, decisionID string, decision, by []byte) []byte {
	w := begin(dst, resolved, turnID, decisionID)
	w.Raw("decision", decision)
	w.Raw("resolvedBy", by)
	return w.End()
}

// AppendExpired writes the event that settles a question for which nobody came,
// without a stamp.
func AppendExpired(dst []byte, turnID, decisionID string) []byte {
	w := begin(dst, expired, turnID, decisionID)
	return w.End()
}

func begin(dst []byte, k kind, turnID, decisionID string) rawjson.Writer {
	w := rawjson.Begin(dst)
	w.Text("type", kindNames[k])
	w.Known("turnId", turnID)
	w.Text("decisionId", decisionID)
	return w
}
