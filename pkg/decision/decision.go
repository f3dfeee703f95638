package decision

// The actions that are known. There are more in the field; see [Decision].
const (
	Continue     = "continue"      // go on
	ApprovePlan  = "approve_plan"  // with Feedback, maybe
	RejectPlan   = "reject_plan"   // with Feedback
	ApproveTools = "approve_tools" // with Remember, maybe
	ModifyTools  = "modify_tools"  // with Modifications
	RejectTools  = "reject_tools"  // with Feedback
	Pause        = "pause"         // with Reason, maybe: it stays parked; also what an expiry leaves
	Abort        = "abort"         // somebody refused, and the turn ends
)

// Decision is an answer to a question. Pointers are nil for members that
// are absent or null; members that do not belong to the action are only in Raw.
type Decision struct {
	Action        string
	Feedback      *string
	Reason        *string
	Remember      []string // keys of calls not to ask about again; see Keys
	Modifications [][]byte // JSON values, as they stand in Raw
	Raw           []byte   // all of it, byte for byte as it was sent
	Known         bool     // the action is one of the constants above
}

// Approves reports whether the answer allows what was asked: the plan, the calls as
// they were shown, or, with ModifyTools, as Modifications have them and in no other
// way. Everything else does not, above all actions that are not known.
// Continue lets a turn go on that waited for nothing but that; it allows no plan and
// no call.
func (d *Decision) Approves() bool {
	return d.Action == ApprovePlan || d.Action == ApproveTools || d.Action == ModifyTools
}

// need says whether an action can do without a member.
type need uint8

const (
	maybe need = iota
	must
)

// variants has the members of each known action.
var variants = map[string]map[string]need{
	Continue:     {},
	ApprovePlan:  {"feedback": maybe},
	RejectPlan:   {"feedback": must},
	ApproveTools: {"remember": maybe},
	ModifyTools:  {"modifications": must},
	RejectTools:  {"feedback": must},
	Pause:        {"reason": maybe},
	Abort:        {},
}

// forms has the form of each member, in words and as what reads it. False: the
// value has another form.
var forms = map[string]struct {
	words string
	read  func(d *Decision, raw []byte) bool
}{
	"feedback":      {"text", func(d *Decision, raw []byte) bool { return readText(&d.Feedback, raw) }},
	"reason":        {"text", func(d *Decision, raw []byte) bool { return readText(&d.Reason, raw) }},
	"remember":      {"a list of texts", readRemember},
	"modifications": {"a list", readModifications},
}
