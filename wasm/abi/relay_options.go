package abi

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/ask"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
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
	{Name: "mode", Offset: unsafe.Offsetof(relay.Options{}.Mode), Read: rawjson.ReadChoice, Words: modeWords},
	{Name: "verdicts", Offset: unsafe.Offsetof(relay.Options{}.Verdicts), Read: rawjson.ReadBool, Words: trueOrFalse},
	{Name: "maxFrame", Offset: unsafe.Offsetof(relay.Options{}.MaxFrame), Read: readLimit, Words: frameWords},
	{Name: "maxDepth", Offset: unsafe.Offsetof(relay.Options{}.MaxDepth), Read: readLimit, Words: depthWords},
	{Name: "pageSize", Offset: unsafe.Offsetof(relay.Options{}.PageSize), Read: readLimit, Words: pageWords},
	{Name: "midway", Offset: unsafe.Offsetof(relay.Options{}.Midway), Read: rawjson.ReadBool, Words: trueOrFalse},
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
	return &s.relay, s.relay.Ask(&s.query)
}
