package fault

// hinted carries a hint along with an error; message and type stay those of err.
type hinted struct {
	err  error
	hint string
}

// WithHint attaches advice for a person to an error, where it is raised. The
// error behind it stays visible to [errors.Is] and [errors.As], and its message
// is unchanged.
//
// Of several hints the outermost counts, so attaching again replaces the former
// one, and an empty text takes it away. A blank text is a hint. A nil error stays nil.
func WithHint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return &hinted{err, hint}
}

// Error is the message of the error that the hint is attached to.
func (h *hinted) Error() string { return h.err.Error() }

// Unwrap answers that error.
func (h *hinted) Unwrap() error { return h.err }

// HintOf answers the hint of a thrown value, "" when it has none.
func HintOf(v any) string {
	c := classify(v)
	return c.hint
}

// named carries the type name that an error had on the other side of a seam.
type named struct {
	err  error
	name string
}

// WithName attaches the name of the type that an error had in another language
// or process. No rule looks at it. A nil error stays nil.
func WithName(err error, name string) error {
	if err == nil {
		return nil
	}
	return &named{err, name}
}

// Error is the message of the error that the name is attached to.
func (n *named) Error() string { return n.err.Error() }

// Unwrap answers that error.
func (n *named) Unwrap() error { return n.err }
