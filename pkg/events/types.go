package events

// TurnRule says whether an event of a type has to name its turn.
type TurnRule uint8

// Turn rules. An optional turn that is absent says that no turn was running.
const (
	TurnUnknown  TurnRule = iota // a type that is not in the table
	TurnRequired                 // such an event only occurs inside a turn
	TurnOptional
)

// Type is what a stream has to know about one event type. The zero Type stands
// for a type that is not in the table. What an event of the type says, member
// by member, is in the catalog package, which this row is generated from.
type Type struct {
	Name     string // on the wire; exact and case-sensitive
	Class    Class
	Turn     TurnRule
	Terminal bool // closes its turn; says nothing about success
}

// TypeIndex finds a type by its decoded name, -1 when the table does not have
// it. It allocates nothing: one multiplication, one lookup, one comparison.
//
// The match is exact. An index is good for one version of the module,
// never for storing.
func TypeIndex(name []byte) int {
	n := len(name)
	if n < minTypeLen || n > maxTypeLen {
		return -1
	}
	key := uint32(n) | uint32(name[0])<<8 | uint32(name[tapFront])<<16 | uint32(name[n-tapBack])<<24
	i := int(typeSlots[key*typeFactor>>typeShift]) - 1
	if i < 0 || types[i].Name != string(name) {
		return -1
	}
	return i
}

// TypeAt is the row at an index from [TypeIndex]; the zero Type for any number
// that is no index, so that "unknown" needs no branch at the caller.
func TypeAt(i int) Type {
	if uint(i) >= TypeCount {
		return Type{}
	}
	return types[i]
}

// IsEphemeral reports whether events of this type are only ever live. The match
// is exact: every other text, known or not, is not ephemeral.
func IsEphemeral(name []byte) bool {
	return TypeAt(TypeIndex(name)).Class == ClassEphemeral
}

var classNames = [...]string{"unknown", "log", "ephemeral", "listener-only"}

// String is the name of the class in the catalog, "unknown" for the zero value
// and for numbers that are no class.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return classNames[ClassUnknown]
}

var turnRuleNames = [...]string{"unknown", "required", "optional"}

// String is the name of the rule in the catalog, "unknown" for the zero value
// and for numbers that are no rule.
func (r TurnRule) String() string {
	if int(r) < len(turnRuleNames) {
		return turnRuleNames[r]
	}
	return turnRuleNames[TurnUnknown]
}
