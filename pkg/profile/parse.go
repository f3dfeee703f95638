package profile

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// ours are our own profiles.
var ours = [...]*Profile{&Session, &Record, &Run}

// Names are the names of our own profiles.
func Names() (names []string) {
	for _, p := range ours {
		names = append(names, p.Name)
	}
	return names
}

// Named answers one of our own profiles: session, record or run.
func Named(name string) (*Profile, bool) {
	for _, p := range ours {
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
//	 "terminal": ["response.completed"], "ephemeral": [], "identity": ["item_id", "output_index", "delta"],
//	 "expired": [{"status": 400, "code": "expired"}]}
//
// In members an empty text says that the envelope has no such member. Anything
// else is a fault with the ID fault.InvalidProfile that names the member.
func Parse(text []byte) (*Profile, error) {
	p, f := Read(rawjson.Trim(text))
	if f != nil {
		return nil, f
	}
	return p, nil
}

// Read is [Parse] for text without white space around it, with the fault itself in
// place of an error. (A module that
// never makes an error of a fault carries none of the texts of errors.)
func Read(text []byte) (*Profile, *fault.Fault) {
	if name, ok := rawjson.Text(text); ok {
		if p, ok := Named(name); ok {
			return p, nil
		}
		return nil, invalid("session, record, run, or an object", "the name "+name)
	}
	p := new(Profile)
	*p = Session
	p.Name, p.Control, p.Tabled = "custom", false, false
	if u := rawjson.Read(text, events.MaxDepth, unsafe.Pointer(p), members); u != nil {
		return nil, unread(u)
	}
	if p.Position == InPayload && p.Members.Seq == "" { // what only the whole can tell
		return nil, invalid("members.seq, since position is payload", "none")
	}
	return p, nil
}

func unread(u *rawjson.Unread) *fault.Fault {
	switch u.Blame {
	case rawjson.BlameText:
		return invalid("JSON", u.Problem.String())
	case rawjson.BlameKind:
		return invalid("a name or an object", "another JSON value")
	case rawjson.BlameName:
		return invalid("a member of a profile", "the unknown member "+u.Name)
	}
	return invalid("a usable "+u.Name, fault.Clip(u.Raw))
}

func invalid(expected, found string) *fault.Fault {
	return fault.New(fault.InvalidProfile, expected, found)
}
