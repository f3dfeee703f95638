package cursor

// purpose is what a hash is of.
type purpose uint8

// Purposes.
const (
	ofText   purpose = 's'
	ofScalar purpose = 'n' // a number, true, false or null, by its text
	ofList   purpose = 'a' // of a list and one element more; the empty list is the zero sum
	ofMember purpose = 'm' // of a name and a value
	ofObject purpose = 'o' // of the sum of all members
	ofEvent  purpose = 'e' // of a type and an object
)

// text hashes bytes.
func (p purpose) text(b []byte) sum {
	var h sip
	h.key(sipKey0, sipKey1^uint64(p))
	return h.text(b)
}

// pair hashes two hashes.
//
//go:noinline
func (p purpose) pair(a, b sum) sum {
	var h sip
	h.key(sipKey0, sipKey1^uint64(p))
	h.word(a.low)
	h.word(a.high)
	h.word(b.low)
	h.word(b.high)
	return h.text(nil)
}

// plus adds two sums up, in whatever order: so that of members does not matter. Of
// a name that stands twice, both count.
func (a sum) plus(b sum) sum { return sum{a.low + b.low, a.high + b.high} }
