package fault

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// MinID and MaxID bound the numbers of this version; not every number between
// them is in use.
const (
	MinID = CursorAhead
	MaxID = CannotList
)

const streamPrefix = "stream."

// String is the stable text of the rule, as in "stream.gap.hole". A number that
// this version does not know reads "stream.<number>", the zero ID "".
func (id ID) String() string {
	if r := find(id); r != nil {
		return r.Name
	}
	if id == 0 {
		return ""
	}
	return string(rawjson.AppendInt([]byte(streamPrefix), int64(id)))
}

// Error is the rule and its message.
func (id ID) Error() string {
	rule := RuleOf(id)
	return rule.Name + ": " + bare(rule.Message)
}

// ParseID reads the text of an ID. It knows the rules of this version, and any
// other number in the form that [ID.String] gives it.
func ParseID(name string) (ID, bool) {
	if r, ok := Lookup(name); ok {
		return r.ID, r.ID != 0
	}
	if len(name) < len(streamPrefix) {
		return 0, false
	}
	n, ok := rawjson.Uint([]byte(name[len(streamPrefix):]))
	id := ID(n)
	return id, ok && id != 0 && id.String() == name
}
