package cursor

// purposes of a hash.
const (
	ofText   = 's'
	ofScalar = 'n' // a number, true, false or null, by its text
	ofList   = 'a'
	ofMember = 'm'
	ofObject = 'o'
	ofEvent  = 'e'
)

func hashText(b []byte) sum { return hashBytes(ofText, b) }

func hashBytes(purpose byte, b []byte) sum {
	var h sip
	h.start(purpose)
	return h.text(b)
}

// members hashes members so that their order does not matter: it adds up the
// hashes of all. Of a name that stands twice, both count.
type members sum

func (o *members) add(name, value sum) {
	var h sip
	h.start(ofMember)
	h.sum(name)
	h.sum(value)
	m := h.end(0, 0)
	o[0] += m[0]
	o[1] += m[1]
}

func (o *members) end() sum {
	var h sip
	h.start(ofObject)
	h.sum(sum(*o))
	return h.end(0, 0)
}
