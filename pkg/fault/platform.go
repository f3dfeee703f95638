package fault

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// PlatformError is the normal form of a failure, as it travels on the wire.
// Its code is open: besides the eight, another version may have put one there,
// and a failed turn may have one of [FailureOnlyCodes].
type PlatformError struct {
	Code      string
	Message   string
	Details   Details // "" when there are none
	Retryable bool
}

// Error is the message. A normal form that was read from the wire can be
// thrown, explained and normalised again, to itself.
func (p PlatformError) Error() string { return p.Message }

// Normalize turns whatever was thrown into its normal form: a coded error keeps
// its code, message, verdict and details; a provider error becomes
// provider_error with what it said in the details; a stream fault takes the code
// and verdict of its rule; any other error or value is unknown, with its text.
// Hints stay out.
func Normalize(v any) PlatformError {
	switch c := classify(v); {
	case c.coded != nil:
		e := c.coded
		return PlatformError{e.Code.String(), e.Message, e.Details.sound(), e.Retryable}
	case c.normal != nil:
		e := *c.normal
		e.Details = e.Details.sound()
		return e
	case c.provider != nil:
		p := c.provider
		return PlatformError{CodeProviderError.String(), p.Message, p.details(), p.Retryable}
	case c.stream != nil:
		return c.stream.normal()
	}
	return PlatformError{Code: CodeUnknown.String(), Message: textOf(v)}
}

func (f *Fault) normal() PlatformError {
	rule := f.Rule()
	w := rawjson.Begin(nil)
	w.Text("rule", rule.Name)
	f.writeFacts(&w)
	return PlatformError{rule.Code.String(), f.Error(), Details(w.End()), rule.Retryable}
}
