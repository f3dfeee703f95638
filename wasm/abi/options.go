package abi

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// settings is what an argument object can set. Cursor tokens are read last,
// because the profile says how.
type settings struct {
	link   link.Options
	tokens []string
	places []stand
	proofs []proven
	fault  *fault.Fault // of the profile
}

// stand is what a cursor row said of a lane, handed back.
type stand struct {
	session    string
	seq        int // on the wire; of a stream that numbers from 0, absent before the first event
	generation string
	proof      digest
}

// digest is a proof as the seam writes it.
type digest struct {
	bytes [16]byte
	given bool
}

// proven is a saved digest and whose it is.
type proven struct {
	_       [0]func() // not comparable, which saves a module the code of it
	session string
	proof   digest
}

var provenMembers = []rawjson.Member{
	{Name: "session", Offset: unsafe.Offsetof(proven{}.session), Read: rawjson.ReadText},
	{Name: "proof", Offset: unsafe.Offsetof(proven{}.proof), Read: readDigest},
}

// standMembers says how it is read.
var standMembers = []rawjson.Member{
	{Name: "session", Offset: unsafe.Offsetof(stand{}.session), Read: rawjson.ReadText},
	{Name: "seq", Offset: unsafe.Offsetof(stand{}.seq), Read: rawjson.ReadInt},
	{Name: "generation", Offset: unsafe.Offsetof(stand{}.generation), Read: rawjson.ReadText},
	{Name: "proof", Offset: unsafe.Offsetof(stand{}.proof), Read: readDigest},
}

// settingMembers says how settings are read.
var settingMembers = []rawjson.Member{
	{Name: "profile", Read: readProfile},
	{Name: "sessions", Offset: unsafe.Offsetof(settings{}.link) + unsafe.Offsetof(link.Options{}.Sessions), Read: rawjson.ReadTexts, Words: listOfTexts},
	{Name: "cursors", Offset: unsafe.Offsetof(settings{}.tokens), Read: rawjson.ReadTexts, Words: listOfTexts},
	{Name: "places", Offset: unsafe.Offsetof(settings{}.places), Read: readPlaces, Words: "a list of places"},
	{Name: "owes", Offset: unsafe.Offsetof(settings{}.link) + unsafe.Offsetof(link.Options{}.Owes), Read: rawjson.ReadTexts, Words: listOfTexts},
	{Name: "from", Read: readFrom, Words: fromWords},
	{Name: "mode", Offset: unsafe.Offsetof(settings{}.link) + unsafe.Offsetof(link.Options{}.Mode), Read: rawjson.ReadChoice, Words: modeWords},
	{Name: "load", Offset: unsafe.Offsetof(settings{}.link) + unsafe.Offsetof(link.Options{}.Load), Read: rawjson.ReadBool, Words: trueOrFalse},
	{Name: "single", Offset: unsafe.Offsetof(settings{}.link) + unsafe.Offsetof(link.Options{}.Single), Read: rawjson.ReadBool, Words: trueOrFalse},
	{Name: "frames", Offset: unsafe.Offsetof(settings{}.link) + unsafe.Offsetof(link.Options{}.Frames), Read: rawjson.ReadBool, Words: trueOrFalse},
	{Name: "decisions", Offset: unsafe.Offsetof(settings{}.link) + unsafe.Offsetof(link.Options{}.Report), Read: rawjson.ReadBool, Words: trueOrFalse},
	{Name: "maxFrame", Offset: unsafe.Offsetof(settings{}.link) + unsafe.Offsetof(link.Options{}.MaxFrame), Read: readLimit, Words: frameWords},
	{Name: "maxDepth", Offset: unsafe.Offsetof(settings{}.link) + unsafe.Offsetof(link.Options{}.MaxDepth), Read: readLimit, Words: depthWords},
	{Name: "states", Offset: unsafe.Offsetof(settings{}.link) + unsafe.Offsetof(link.Options{}.States), Read: rawjson.ReadBool, Words: trueOrFalse},
	{Name: "credentials", Offset: unsafe.Offsetof(settings{}.link) + unsafe.Offsetof(link.Options{}.Credentials), Read: rawjson.ReadBool, Words: trueOrFalse},
	{Name: "proof", Offset: unsafe.Offsetof(settings{}.link) + unsafe.Offsetof(link.Options{}.Proof), Read: readProof, Words: proofWords},
	{Name: "proofs", Offset: unsafe.Offsetof(settings{}.proofs), Read: readProofs, Words: "a list of proofs"},
}

const (
	listOfTexts = "a list of texts"
	trueOrFalse = "true or false"
)

func readProfile(into unsafe.Pointer, raw []byte, _ string) bool {
	s := (*settings)(into)
	s.link.Profile, s.fault = profile.Read(raw)
	return s.fault == nil
}

func readFrom(into unsafe.Pointer, raw []byte, words string) bool {
	o := &(*settings)(into).link
	o.Explicit = true
	return rawjson.ReadChoice(unsafe.Pointer(&o.From), raw, words)
}

// readLimit reads an integer from 1 to the number that its words end in.
func readLimit(into unsafe.Pointer, raw []byte, words string) bool {
	at := len(words)
	for at > 0 && words[at-1] != ' ' {
		at--
	}
	most, _ := rawjson.Uint([]byte(words[at:]))
	return rawjson.ReadInt(into, raw, "") && uint64(*(*int)(into)-1) < most
}

// readProof reads one of the words. That nothing was said is a choice of its own.
func readProof(into unsafe.Pointer, raw []byte, words string) bool {
	choice := (*link.Proof)(into)
	ok := rawjson.ReadChoice(into, raw, words)
	*choice++
	return ok
}

// readDigest reads 32 hexadecimal digits.
func readDigest(into unsafe.Pointer, raw []byte, _ string) bool {
	d := (*digest)(into)
	text, _ := rawjson.Text(raw)
	proof, ok := cursor.ReadProof(text)
	d.bytes, d.given = proof, ok
	return ok
}

// readProofs reads the digests that were saved with cursors.
func readProofs(into unsafe.Pointer, raw []byte, _ string) bool {
	list := (*[]proven)(into)
	return rawjson.Each(raw, func(element []byte) bool {
		*list = append(*list, proven{})
		p := &(*list)[len(*list)-1]
		return rawjson.ReadValue(element, unsafe.Pointer(p), provenMembers) == nil && p.proof.given
	})
}

// prove keeps a digest for the link, if there is one.
func (s *settings) prove(session string, d *digest) {
	if d.given {
		s.link.Proofs = append(s.link.Proofs, link.SavedProof{Session: session, Digest: d.bytes})
	}
}

func readPlaces(into unsafe.Pointer, raw []byte, _ string) bool {
	list := (*[]stand)(into)
	return rawjson.Each(raw, func(element []byte) bool {
		*list = append(*list, stand{seq: -1})
		return rawjson.ReadValue(element, unsafe.Pointer(&(*list)[len(*list)-1]), standMembers) == nil
	})
}

// readOptions reads the options of a link. An unknown member, or a value it
// cannot take, is a fault that names the member.
func readOptions(arg []byte) (*link.Options, *fault.Fault) {
	s := new(settings)
	s.link.Profile = &profile.Session
	if u := rawjson.Read(arg, events.MaxDepth, unsafe.Pointer(s), settingMembers); u != nil {
		if s.fault == nil {
			s.fault = unread(fault.InvalidOptions, u)
		}
		return nil, s.fault
	}
	return &s.link, s.resume()
}

// resume reads where to go on: tokens of the app, places of a link before.
func (s *settings) resume() *fault.Fault {
	base := s.link.Profile.Base
	cursors := make([]cursor.Cursor, len(s.tokens))
	places := make([]cursor.Cursor, len(s.places))
	for i, token := range s.tokens {
		if f := cursors[i].Read(token, base); f != nil {
			return f
		}
		for k := range s.proofs { // a place has its own, or none
			if p := &s.proofs[k]; p.session == cursors[i].Session {
				s.prove(p.session, &p.proof)
			}
		}
	}
	for i := range s.places {
		p, c := &s.places[i], &places[i]
		c.Session, c.Generation = p.session, events.Generation(p.generation)
		c.Seq = events.Seq(max(p.seq+1-int(base), 0))
		if !cursor.ValidSession(p.session) || p.seq < -1 || c.Seq > events.MaxSeq {
			return fault.New(fault.InvalidOptions, "places: a session and a seq from 0 to 9007199254740991, or none", fault.Clip([]byte(p.session)))
		}
		s.prove(p.session, &p.proof)
	}
	s.link.Cursors, s.link.Places = cursors, places
	return nil
}

// unread says what an argument object has wrong.
func unread(id fault.ID, u *rawjson.Unread) *fault.Fault {
	switch u.Blame {
	case rawjson.BlameText:
		f := fault.New(id, "a JSON object", u.Problem.String())
		f.Offset = int64(u.At)
		return f
	case rawjson.BlameKind:
		return fault.New(id, "a JSON object", "another JSON value")
	case rawjson.BlameName:
		return fault.New(id, "a known member", "the member "+u.Name)
	}
	return fault.New(id, u.Name+": "+u.Words, fault.Clip(u.Raw))
}
