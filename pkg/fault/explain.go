package fault

// Explanation is what a person is told about a failure.
type Explanation struct {
	ID      string // text id of the rule, stable for good
	Message string // what happened
	Hint    string // what to do
}

// Explain answers the first rule that matches a thrown value. It is false when
// none does: there is no catch-all text. Without rules those of the catalog are
// tried in order; with some, only those, in the order given.
func Explain(v any, rules ...Rule) (Explanation, bool) {
	facts := FactsOf(v)
	if rules == nil {
		return facts.by(first(func(r *Rule) bool { return r.Matches(&facts) }))
	}
	for i := range rules {
		if rules[i].Matches(&facts) {
			return facts.by(&rules[i])
		}
	}
	return Explanation{}, false
}

// by is what a rule says about the facts, nothing when there is no rule.
func (f *Facts) by(r *Rule) (Explanation, bool) {
	switch {
	case r == nil:
		return Explanation{}, false
	case r.Match != nil && r.Match.Dynamic:
		return Explanation{r.Name, f.Message, f.Hint}, true
	}
	return Explanation{r.Name, r.Message, r.Hint}, true
}
