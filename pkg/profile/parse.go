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
		read, ok := members[string(name)]
		if !ok {
			return nil, invalid("a member of a profile", "the unknown member "+string(name))
		}
		if !read(&p, value) {
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

var members = map[string]func(*Profile, []byte) bool{
	"name":     func(p *Profile, raw []byte) bool { return text(&p.Name, raw) && p.Name != "" },
	"position": func(p *Profile, raw []byte) bool { return choice(&p.Position, raw, "payload", "id", "counted") },
	"scope": func(p *Profile, raw []byte) bool {
		return choice(&p.Scope, raw, "session", "run", "connection", "process")
	},
	"continuity": func(p *Profile, raw []byte) bool {
		return choice(&p.Continuity, raw, "contiguous", "monotonic", "counted", "opaque")
	},
	"control":   func(p *Profile, raw []byte) bool { return flag(&p.Control, raw) },
	"terminal":  func(p *Profile, raw []byte) bool { return texts(&p.Terminal, raw) },
	"ephemeral": func(p *Profile, raw []byte) bool { return texts(&p.Ephemeral, raw) },
	"expired":   readExpired,
	"members":   readMembers,
	"base": func(p *Profile, raw []byte) bool {
		n, ok := rawjson.Uint(raw)
		p.Base = events.Seq(n)
		return ok && n <= 1
	},
}

func readMembers(p *Profile, raw []byte) bool {
	if rawjson.KindOf(raw) != rawjson.Object {
		return false
	}
	names := map[string]*string{
		"type": &p.Members.Type, "session": &p.Members.Session, "turn": &p.Members.Turn,
		"seq": &p.Members.Seq, "generation": &p.Members.Generation,
	}
	for name, value := range rawjson.Members(raw) {
		into, ok := names[string(name)]
		if !ok || !text(into, value) {
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

func choice[E ~uint8](into *E, raw []byte, names ...string) bool {
	name, ok := rawjson.Text(raw)
	for i, n := range names {
		if ok && n == name {
			*into = E(i)
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
