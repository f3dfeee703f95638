package profile

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Named answers one of our own profiles: session, record or run.
func Named(name string) (*Profile, bool) {
	for _, p := range []*Profile{&Session, &Record, &Run} {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}

// Parse reads a profile from JSON: the name of one of ours as text, or an object
// that starts from our session profile and changes what it names:
//
//	{"name": "plain", "position": "payload", "members": {"seq": "sequence_number"},
//	 "base": 0, "scope": "session", "continuity": "contiguous", "control": false,
//	 "terminal": ["response.completed"], "ephemeral": [],
//	 "expired": [{"status": 400, "code": "expired"}]}
//
// In members an empty text says that the envelope has no such member. Anything
// else is a fault with the ID fault.InvalidProfile that names the member.
func Parse(text []byte) (*Profile, error) {
	if p, _ := rawjson.Check(text, events.MaxDepth); p != rawjson.OK {
		return nil, invalid("JSON", p.String())
	}
	if name, ok := rawjson.Text(text); ok {
		if p, ok := Named(name); ok {
			return p, nil
		}
		return nil, invalid("session, record, run, or an object", "the name "+name)
	}
	if rawjson.KindOf(text) != rawjson.Object {
		return nil, invalid("a name or an object", "another JSON value")
	}
	p := Session
	p.Name, p.Control = "custom", false
	for name, value := range rawjson.Members(text) {
		if known, usable := p.member(string(name), value); !known {
			return nil, invalid("a member of a profile", "the unknown member "+string(name))
		} else if !usable {
			return nil, invalid("a usable "+string(name), clip(value))
		}
	}
	return &p, p.check()
}

// check looks at what only the whole can tell.
func (p *Profile) check() error {
	if p.Position == InPayload && p.Members.Seq == "" {
		return invalid("members.seq, since position is payload", "none")
	}
	return nil
}

func invalid(expected, found string) *fault.Fault {
	return fault.New(fault.InvalidProfile, expected, found)
}

// clip keeps a message readable.
func clip(value []byte) string {
	const most = 60
	if len(value) > most {
		return string(value[:most]) + "…"
	}
	return string(value)
}

// member reads one member of a profile.
func (p *Profile) member(name string, raw []byte) (known, usable bool) {
	switch name {
	case "name":
		usable = text(&p.Name, raw) && p.Name != ""
	case "position":
		usable = choice((*uint8)(&p.Position), raw, "payload", "id", "counted")
	case "scope":
		usable = choice((*uint8)(&p.Scope), raw, "session", "run", "connection", "process")
	case "continuity":
		usable = choice((*uint8)(&p.Continuity), raw, "contiguous", "monotonic", "counted", "opaque")
	case "control":
		usable = flag(&p.Control, raw)
	case "terminal":
		usable = texts(&p.Terminal, raw)
	case "ephemeral":
		usable = texts(&p.Ephemeral, raw)
	case "expired":
		usable = readExpired(p, raw)
	case "members":
		usable = readMembers(p, raw)
	case "base":
		n, ok := rawjson.Uint(raw)
		p.Base, usable = events.Seq(n), ok && n <= 1
	default:
		return false, false
	}
	return true, usable
}

func readMembers(p *Profile, raw []byte) bool {
	if rawjson.KindOf(raw) != rawjson.Object {
		return false
	}
	for name, value := range rawjson.Members(raw) {
		into := memberName(&p.Members, string(name))
		if into == nil || !text(into, value) {
			return false
		}
	}
	return true
}

func readExpired(p *Profile, raw []byte) bool {
	if rawjson.KindOf(raw) != rawjson.Array {
		return false
	}
	p.Expired = nil
	for element := range rawjson.Elements(raw) {
		var x Expired
		if !x.read(element) {
			return false
		}
		p.Expired = append(p.Expired, x)
	}
	return true
}

func (x *Expired) read(raw []byte) bool {
	if rawjson.KindOf(raw) != rawjson.Object {
		return false
	}
	for name, value := range rawjson.Members(raw) {
		ok := false
		switch string(name) {
		case "status":
			var n uint64
			n, ok = rawjson.Uint(value)
			x.Status = int(n)
		case "code":
			ok = text(&x.Code, value)
		}
		if !ok {
			return false
		}
	}
	return x.Status >= 100 && x.Status <= 599
}

func text(into *string, raw []byte) (ok bool) {
	*into, ok = rawjson.Text(raw)
	return ok
}

func flag(into *bool, raw []byte) bool {
	*into = string(raw) == "true"
	return *into || string(raw) == "false"
}

// choice reads one of the names as the number of its place.
func choice(into *uint8, raw []byte, names ...string) bool {
	name, ok := rawjson.Text(raw)
	for i, n := range names {
		if ok && n == name {
			*into = uint8(i)
			return true
		}
	}
	return false
}

// texts reads a list of texts; an empty list is a list, not absence.
func texts(into *[]string, raw []byte) bool {
	if rawjson.KindOf(raw) != rawjson.Array {
		return false
	}
	*into = []string{}
	for element := range rawjson.Elements(raw) {
		name, ok := rawjson.Text(element)
		if !ok {
			return false
		}
		*into = append(*into, name)
	}
	return true
}
