package abi

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/ask"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/relay"
)

// relaySettings is what the options of a relay can set: what the consumer's request
// said, and what the relay is to do.
type relaySettings struct {
	relay relay.Options
	query ask.Query
	fault *fault.Fault // of the profile
}

// relayMembers says how they are read.
var relayMembers = []rawjson.Member{
	{Name: "profile", Read: readRelayProfile},
	{Name: "sessions", Offset: queryAt + unsafe.Offsetof(ask.Query{}.Sessions), Read: rawjson.ReadTexts, Words: listOfTexts},
	{Name: "cursors", Offset: queryAt + unsafe.Offsetof(ask.Query{}.Cursors), Read: rawjson.ReadTexts, Words: listOfTexts},
	{Name: "from", Offset: queryAt + unsafe.Offsetof(ask.Query{}.From), Read: rawjson.ReadTexts, Words: listOfTexts},
	{Name: "lastEventId", Offset: queryAt + unsafe.Offsetof(ask.Query{}.LastEventID), Read: rawjson.ReadText, Words: "text"},
	{Name: "mode", Offset: unsafe.Offsetof(relay.Options{}.Mode), Read: rawjson.ReadChoice, Words: "enforce or observe"},
	{Name: "verdicts", Offset: unsafe.Offsetof(relay.Options{}.Verdicts), Read: rawjson.ReadBool, Words: trueOrFalse},
	{Name: "maxFrame", Offset: unsafe.Offsetof(relay.Options{}.MaxFrame), Read: readLimit, Words: maxFrameBytes},
	{Name: "maxDepth", Offset: unsafe.Offsetof(relay.Options{}.MaxDepth), Read: readLimit, Words: "levels from 1 to 1073741824"},
	{Name: "pageSize", Offset: unsafe.Offsetof(relay.Options{}.PageSize), Read: readLimit, Words: "events from 1 to 1073741824"},
	{Name: "places", Offset: unsafe.Offsetof(relay.Options{}.Places), Read: readRelayPlaces, Words: "a list of places as they were kept"},
}

const queryAt = unsafe.Offsetof(relaySettings{}.query)

func readRelayProfile(into unsafe.Pointer, raw []byte, _ string) bool {
	s := (*relaySettings)(into)
	s.relay.Profile, s.fault = profile.Read(raw)
	return s.fault == nil
}

func readRelayPlaces(into unsafe.Pointer, raw []byte, _ string) bool {
	list := (*[]relay.Place)(into)
	return rawjson.Each(raw, func(element []byte) bool {
		p, ok := relay.ReadPlace(element)
		*list = append(*list, p)
		return ok
	})
}

// relayOptions reads the options of a relay.
func (m *Relays) relayOptions(n int) (*relay.Options, *fault.Fault) {
	arg, f := m.argument(n)
	if f != nil {
		return nil, f
	}
	s := new(relaySettings)
	s.relay.Profile = &profile.Session
	if u := rawjson.Read(arg, events.MaxDepth, unsafe.Pointer(s), relayMembers); u != nil {
		if s.fault == nil {
			s.fault = unread(fault.InvalidOptions, u)
		}
		return nil, s.fault
	}
	return &s.relay, s.start()
}

// start reads where each session starts, as its server would. Without sessions, those
// of the cursors are asked for.
func (s *relaySettings) start() *fault.Fault {
	q := &s.query
	q.Base = s.relay.Profile.Base
	if len(q.Sessions) == 0 {
		for _, token := range append(q.Cursors, q.LastEventID) {
			s.name(token)
		}
	}
	if len(q.Sessions) == 0 { // the server names it
		return s.unnamed()
	}
	asks, f := ask.Read(q)
	if f != nil {
		return f
	}
	s.relay.Sessions = q.Sessions
	for i := range asks {
		if asks[i].Now {
			s.relay.From = link.FromNow
		}
		if asks[i].Known && len(s.relay.Places) == 0 {
			s.relay.Cursors = append(s.relay.Cursors, asks[i].Cursor)
		}
	}
	return nil
}

// unnamed reads where a session starts that only the server can name.
func (s *relaySettings) unnamed() *fault.Fault {
	q := &s.query
	q.Sessions = []string{"?"}
	asks, f := ask.Read(q)
	if f == nil && asks[0].Now {
		s.relay.From = link.FromNow
	}
	return f
}

// name adds the session of a token; what is none is named by whoever reads it.
func (s *relaySettings) name(token string) {
	var c cursor.Cursor
	if token == "" || c.Read(token, s.query.Base) != nil {
		return
	}
	for _, known := range s.query.Sessions {
		if known == c.Session {
			return
		}
	}
	s.query.Sessions = append(s.query.Sessions, c.Session)
}
