package fault

// Facts are what rules see of a thrown value: its structure, never the meaning
// of its wording.
type Facts struct {
	Kind         Kind
	Message      string // never a hint
	Code         string // valid when HasCode; a provider's may be empty
	Status       Number // HTTP status; "" when not known
	RetryAfterMs Number // milliseconds; "" when not known
	Name         string // type name; "" when not known. No rule looks at it
	Hint         string // attached hint; "" when there is none
	Rule         ID     // rule of a stream fault; 0 for everything else

	// ProviderCode is the code that provider rules compare: the code of a
	// provider error, or details.providerCode of a coded provider_error.
	ProviderCode string
}

// HasCode reports whether a code is known; the empty text can be one.
func (f *Facts) HasCode() bool { return f.Kind >= KindCoded }

// ProviderFailure reports whether it was a model provider that failed: a
// provider error, or an error with the code provider_error. Provider rules
// apply to nothing else.
func (f *Facts) ProviderFailure() bool {
	return f.Kind == KindProvider || f.Kind == KindCoded && f.Code == CodeProviderError.String()
}

// FactsOf takes the facts of a thrown value, whatever it is. Of a chain of
// errors, the outermost whose type is known decides.
func FactsOf(v any) Facts {
	c := classify(v)
	f := Facts{Kind: c.kind, Name: c.name, Hint: c.hint}
	switch {
	case c.coded != nil:
		f.coded(c.coded.Code.String(), c.coded.Message, c.coded.Details)
	case c.normal != nil:
		f.coded(c.normal.Code, c.normal.Message, c.normal.Details)
	case c.provider != nil:
		f.provider(c.provider)
	case c.stream != nil:
		f.stream(c.stream)
	default:
		f.Message = textOf(v)
	}
	return f
}

func (f *Facts) coded(code, message string, d Details) {
	f.Code, f.Message = code, message
	f.Status, _ = d.Number("status")
	if f.ProviderFailure() {
		f.ProviderCode, _ = d.Text("providerCode")
	}
}

func (f *Facts) provider(p *ProviderError) {
	f.Code, f.ProviderCode, f.Message = p.Code, p.Code, p.Message
	f.Status, f.RetryAfterMs = known(p.Status), known(p.RetryAfterMs)
}

func (f *Facts) stream(s *Fault) {
	rule := s.Rule()
	f.Code, f.Rule, f.Message = rule.Code.String(), s.ID, s.Error()
}

// known turns text that is no number into an absent one.
func known(n Number) Number {
	if n.IsSet() {
		return n
	}
	return ""
}
