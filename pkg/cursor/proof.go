package cursor

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Proof is a digest of the event that a cursor stands on. When the log answers
// that event again and its proof is the same, it still holds what was received
// . It guards against accidents, not against forgery. The zero Proof is
// none.
//
// The first two bytes name what was compared; the others are the digest.
type Proof [16]byte

// IsSet reports whether there is a proof at all.
func (p Proof) IsSet() bool { return p != Proof{} }

// doubted is turned in the second byte of a proof that goes with a doubt.
const doubted = 0x80

// Doubt marks a proof, and takes the mark away again: the event is as good as any
// to tell this log from another, but what its cursor was continued from is not shown
// to be of it. Where the mark is not known, the proof is as good as none.
func (p *Proof) Doubt() {
	if p.IsSet() {
		p[1] ^= doubted
	}
}

// String is the proof as 32 hexadecimal digits, as the seam and saved records
// have it; "" for none.
func (p Proof) String() string {
	if !p.IsSet() {
		return ""
	}
	const digits = "0123456789abcdef"
	var text [2 * len(p)]byte
	for i, b := range p {
		text[2*i], text[2*i+1] = digits[b>>4], digits[b&0xf]
	}
	return string(text[:])
}

// ReadProof reads what String wrote. False: it is something else.
func ReadProof(text string) (p Proof, ok bool) {
	if len(text) != 2*len(p) {
		return p, false
	}
	for i := range len(text) {
		if !rawjson.IsHex(text[i]) {
			return Proof{}, false
		}
		p[i/2] = p[i/2]<<4 | rawjson.Hex(text[i])
	}
	return p, true
}

// Prover makes proofs of the events of one stream. It keeps scratch space
// between events, allocates nothing once that has grown, and belongs to one
// goroutine.
type Prover struct {
	_        [0]func()     // not comparable, which saves a module the code of it
	typeName rawjson.Names // member that holds the type
	names    []string      // the members that count; nil: those of the event table
	scheme   uint16
	digest   digest
}

// NewProver makes a prover for the events of a profile, nil when the profile
// does not say what identifies them.
func NewProver(p *profile.Profile) *Prover {
	v := &Prover{names: p.Identity, scheme: events.IdentityScheme}
	v.typeName.Add(p.Members.Type)
	if p.Identity != nil {
		v.scheme = schemeOf(p.Identity)
	} else if !p.Tabled {
		return nil
	}
	return v
}

// schemeOf numbers a list of members, which may be given in any order. It is even,
// as that of the table never is, and never 0.
func schemeOf(names []string) uint16 {
	var all sum
	for _, name := range names {
		all = all.plus(ofText.text([]byte(name)))
	}
	return uint16(all.low)&^1 | 2
}

// Makes reports whether a proof is one that the prover could have made: of others
// nothing follows.
func (v *Prover) Makes(p Proof) bool {
	return v != nil && p.IsSet() && uint16(p[0])|uint16(p[1])<<8 == v.scheme
}

// Of is the proof of one event, given as the JSON text that a scanner has
// accepted. It covers the type and the members that identify an event of it
// whatever else the event holds, in whatever order and spelling.
//
// False: there is none, because the event has no member to compare, what is
// compared nests deeper than [events.MaxDepth] levels, or the text is no event.
func (v *Prover) Of(text []byte) (Proof, bool) {
	d := &v.digest
	c := choice{names: v.names, known: -1}
	typeName, ok := v.findType(text, &c)
	if !ok {
		return Proof{}, false
	}
	d.start(text)
	what, ok := d.object(1, &c)
	if !ok || c.taken == 0 {
		return Proof{}, false
	}
	return v.seal(typeName, what), true
}

// choice is which members of an event are compared.
type choice struct {
	names []string // nil: those of the event table
	known int      // the type's index in it
	taken int      // members taken so far
}

// counts reports whether a member of this name is compared, and counts it then.
// Inside of a member everything is.
func (c *choice) counts(name []byte) bool {
	if c == nil {
		return true
	}
	if !c.holds(name) {
		return false
	}
	c.taken++
	return true
}

func (c *choice) holds(name []byte) bool {
	if c.names == nil {
		return events.Identifies(c.known, name)
	}
	for _, n := range c.names {
		if n == string(name) {
			return true
		}
	}
	return false
}

// findType looks for the type of an event: its index in the table, and the hash
// of its name. False: it is no text, or the event is none.
func (v *Prover) findType(text []byte, c *choice) (name sum, ok bool) {
	var found rawjson.Fields
	d := &v.digest
	if d.start(text); !d.walker.Fields(&v.typeName, &found) {
		return sum{}, false
	}
	at := found.Field[0]
	if at.To == 0 {
		return sum{}, true
	}
	typeName, ok := d.decode(text[at.From:at.To])
	c.known = events.TypeIndex(typeName)
	return ofText.text(typeName), ok
}

// seal makes a proof of what was found.
func (v *Prover) seal(typeName, members sum) (p Proof) {
	s := ofEvent.pair(typeName, members)
	for i := range 8 {
		p[i], p[8+i] = byte(s.low>>(8*i)), byte(s.high>>(8*i))
	}
	p[0], p[1] = byte(v.scheme), byte(v.scheme>>8)
	return p
}
