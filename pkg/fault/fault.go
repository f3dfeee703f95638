package fault

// Fault is a stream fault: what went wrong, whose fault it is (by its rule),
// what was expected and what was found instead. It never carries payload.
//
// The words come from the catalog by ID; two faults with the same ID are the
// same to [errors.Is].
type Fault struct {
	ID       ID
	Session  string // session concerned; "" when none or not known
	Expected string // what would have been right, in the terms of the caller; may be ""
	Found    string // what was there instead, shortened, never payload; may be ""
	Offset   int64  // byte position in the input it was found at; -1 when it has none
	Err      error  // cause, for unwrapping; may be nil
}

// New makes a fault without a position.
func New(id ID, expected, found string) *Fault {
	return &Fault{ID: id, Expected: expected, Found: found, Offset: -1}
}

// Error is one sentence for a log.
func (f *Fault) Error() string { return f.ID.Error() }

// Unwrap answers the cause, nil when there is none.
func (f *Fault) Unwrap() error { return f.Err }

// Is reports whether target is the same rule: an [ID], or a Fault with that ID.
func (f *Fault) Is(target error) bool {
	switch t := target.(type) {
	case ID:
		return t == f.ID
	case *Fault:
		return t.ID == f.ID
	}
	return false
}
