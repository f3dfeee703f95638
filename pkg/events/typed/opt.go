package typed

// Opt is a member that may be absent. The zero Opt is absent. Null can be read
// and survives in the text of its event, but there is no way to set it: the
// contract never writes it.
type Opt[T any] struct {
	value T
	state presence
}

type presence uint8

const (
	absent presence = iota
	null
	set
)

// Some is a member that is there, zero values included.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, state: set} }

// Get is the value, and whether there is one; null has none.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == set }

// Or is the value, or instead when there is none.
func (o Opt[T]) Or(instead T) T {
	if o.state == set {
		return o.value
	}
	return instead
}

// IsSet reports whether there is a value.
func (o Opt[T]) IsSet() bool { return o.state == set }

// IsNull reports whether null was read.
func (o Opt[T]) IsNull() bool { return o.state == null }
