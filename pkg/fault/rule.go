package fault

// Side is whose fault something is: where to look first.
type Side uint8

// Sides. The zero Side is for rules that blame nobody.
const (
	NoSide       Side = iota
	SideConsumer      // the code that asks: its options, cursors, load, page
	SideServer        // what answered
	SideNetwork       // what lies between
	SideLog           // the recorded log itself, or the store that keeps it
	SideOurs          // Tidemark
	SideProvider      // the provider of a model
	sideEnd
)

var sideNames = [sideEnd]string{"", "consumer", "server", "network", "log", "ours", "provider"}

// String is the name in the catalog, "" for NoSide.
func (s Side) String() string {
	if s < sideEnd {
		return sideNames[s]
	}
	return ""
}

// Rule is one row of the catalog: what happened and what to do, for failures
// that it matches. A rule with an ID matches stream faults of that ID, any other
// what its Match says.
type Rule struct {
	ID        ID     // stream rules; 0 for others
	Side      Side   // whose fault it is
	Code      Code   // what a stream fault normalises to
	Retryable bool   // whether the same call can succeed later
	Name      string // stable text id, as in "stream.gap.hole"
	Message   string
	Hint      string // what to do about it
	Match     *Match // nil for stream rules
}

// Match says which failures a rule is about: those for which any of the
// conditions holds, or Where does.
type Match struct {
	Any          []Condition
	Where        func(*Facts) bool // for rules of an application; nil: only Any counts
	ProviderOnly bool              // looks at failures of a provider only
	Dynamic      bool              // answers with the failure's own message and its attached hint
}

// Condition is one thing to look for; the first member that is set decides.
type Condition struct {
	Hint      bool   // a hint is attached
	Code      string // equal to the code, or with ProviderOnly to the provider's code
	Status    int    // equal to the status
	StatusMin int    // at or below the status
}

// DocsPage is where rules are explained, relative to the root of the repository
// and of the npm package.
const DocsPage = "docs/faults.md"

// Anchor is the fragment of the rule on its page, as in "stream-gap-hole".
func (r *Rule) Anchor() string { return href(r.Name)[len(DocsPage+"#"):] }

// Href is the place of the rule in the docs, as in "docs/faults.md#stream-gap-hole".
func (r *Rule) Href() string { return href(r.Name) }

func href(name string) string {
	const page = DocsPage + "#"
	place := append([]byte(page), name...)
	for i := len(page); i < len(place); i++ {
		if c := place[i]; c == '.' || c == '_' {
			place[i] = '-'
		}
	}
	return string(place)
}

// Matches reports whether the rule applies to the facts.
func (r *Rule) Matches(f *Facts) bool {
	if r.ID != 0 {
		return f.Rule == r.ID
	}
	return r.Match != nil && r.Match.holds(f)
}

func (m *Match) holds(f *Facts) bool {
	if m.ProviderOnly && !f.ProviderFailure() {
		return false
	}
	for i := range m.Any {
		if m.Any[i].holds(f, m.ProviderOnly) {
			return true
		}
	}
	return m.Where != nil && m.Where(f)
}

func (c *Condition) holds(f *Facts, provider bool) bool {
	switch {
	case c.Hint:
		return f.Hint != ""
	case c.Code != "" && provider:
		return f.ProviderCode == c.Code
	case c.Code != "":
		return f.HasCode() && f.Code == c.Code
	case c.Status != 0:
		order, ok := f.Status.Compare(c.Status)
		return ok && order == 0
	case c.StatusMin != 0:
		order, ok := f.Status.Compare(c.StatusMin)
		return ok && order >= 0
	}
	return false
}

// tables are all rules in the order in which they are tried.
var tables = [...][]Rule{providerRules, refusalRules, faultRules, relayRules, durableRules}

// first is the first rule of the catalog that is wanted, nil when none is.
func first(wanted func(*Rule) bool) *Rule {
	for _, table := range tables {
		for i := range table {
			if r := &table[i]; wanted(r) {
				return r
			}
		}
	}
	return nil
}

// find is the row of an ID, nil when there is none. It looks at the tables of
// the stream alone, so that a page carries no others.
func find(id ID) *Rule {
	for _, table := range [...][]Rule{refusalRules, faultRules, relayRules, durableRules} {
		for i := range table {
			if r := &table[i]; r.ID == id {
				return r
			}
		}
	}
	return nil
}

// ruleOf is [RuleOf] without a copy.
func ruleOf(id ID) *Rule {
	if r := find(id); r != nil {
		return r
	}
	return &unknownRule
}

// unknownRule stands for numbers that this version does not know. Its name is made
// of the number by [ID.String].
var unknownRule = Rule{Message: unknownMessage, Hint: unknownHint}

// RuleOf answers the rule of a stream fault. It is total: an ID that this
// version does not know gets a row of its own that says so and keeps the number.
func RuleOf(id ID) Rule {
	r := *ruleOf(id)
	r.ID, r.Name = id, id.String()
	return r
}

// Lookup finds a rule of the catalog by its text id.
func Lookup[T ~string | ~[]byte](name T) (Rule, bool) {
	if r := first(func(r *Rule) bool { return r.Name == string(name) }); r != nil {
		return *r, true
	}
	return Rule{}, false
}

// All yields every rule in the order in which they are tried: hint, provider,
// stream; the latter by number. What their Match points to belongs to the catalog.
func All() func(yield func(Rule) bool) {
	return func(yield func(Rule) bool) {
		first(func(r *Rule) bool { return !yield(*r) })
	}
}

// DefaultRules is a fresh copy of the whole list, to be extended or reordered.
func DefaultRules() []Rule {
	var rules []Rule
	for r := range All() {
		rules = append(rules, r.clone())
	}
	return rules
}

func (r Rule) clone() Rule {
	if r.Match != nil {
		match := *r.Match
		match.Any = append([]Condition(nil), match.Any...)
		r.Match = &match
	}
	return r
}
