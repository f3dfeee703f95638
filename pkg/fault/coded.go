package fault

// Error is a failure with one of the eight codes. Make one with [Coded], which
// sets the default verdict on trying again; a literal has the verdict that its
// Retryable says.
type Error struct {
	Code      Code
	Message   string  // what happened; may be empty
	Details   Details // facts for programs; "" when there are none, "{}" is kept
	Retryable bool    // whether the same call can succeed later
	Cause     error   // for unwrapping, never serialised; may be nil
}

// Coded makes an Error with the default verdict of its code. A code beyond the
// list becomes [CodeUnknown].
func Coded(code Code, message string) *Error {
	if code >= codeEnd {
		code = CodeUnknown
	}
	return &Error{Code: code, Message: message, Retryable: code.Retryable()}
}

// WithRetryable overrides the default of the code, in either direction, and answers e.
func (e *Error) WithRetryable(retryable bool) *Error {
	e.Retryable = retryable
	return e
}

// WithDetails sets the details and answers e.
func (e *Error) WithDetails(d Details) *Error {
	e.Details = d
	return e
}

// WithCause sets what is unwrapped and answers e.
func (e *Error) WithCause(cause error) *Error {
	e.Cause = cause
	return e
}

// Error is the message.
func (e *Error) Error() string {
	if e == nil {
		return noText
	}
	return e.Message
}

// Unwrap answers the cause, nil when there is none.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Cause
}

// Is reports whether target is the [Code] of e.
func (e *Error) Is(target error) bool {
	c, ok := target.(Code)
	return ok && e != nil && c == e.Code
}

// AsCoded answers the coded error that v is, or that it wraps when nothing
// outside of it classifies the failure otherwise. It is false for every other
// error and for values that are no errors.
func AsCoded(v any) (*Error, bool) {
	c := classify(v)
	return c.coded, c.coded != nil
}
