package profile

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// members says how a [Profile] is read.
var members = []rawjson.Member{
	{Name: "name", Offset: unsafe.Offsetof(Profile{}.Name), Read: readName},
	{Name: "position", Offset: unsafe.Offsetof(Profile{}.Position), Read: rawjson.ReadChoice, Words: "payload or id or counted"},
	{Name: "members", Offset: unsafe.Offsetof(Profile{}.Members), Read: readEnvelope},
	{Name: "base", Offset: unsafe.Offsetof(Profile{}.Base), Read: readBase},
	{Name: "scope", Offset: unsafe.Offsetof(Profile{}.Scope), Read: rawjson.ReadChoice, Words: "session or run or connection or process"},
	{Name: "continuity", Offset: unsafe.Offsetof(Profile{}.Continuity), Read: rawjson.ReadChoice, Words: "contiguous or monotonic or counted or opaque"},
	{Name: "control", Offset: unsafe.Offsetof(Profile{}.Control), Read: rawjson.ReadBool},
	{Name: "terminal", Offset: unsafe.Offsetof(Profile{}.Terminal), Read: rawjson.ReadTexts},
	{Name: "ephemeral", Offset: unsafe.Offsetof(Profile{}.Ephemeral), Read: rawjson.ReadTexts},
	{Name: "identity", Offset: unsafe.Offsetof(Profile{}.Identity), Read: readIdentity},
	{Name: "expired", Offset: unsafe.Offsetof(Profile{}.Expired), Read: readExpired},
}

// envelope says how the names of an envelope's members are read.
var envelope = []rawjson.Member{
	{Name: "type", Offset: unsafe.Offsetof(events.Members{}.Type), Read: rawjson.ReadText},
	{Name: "session", Offset: unsafe.Offsetof(events.Members{}.Session), Read: rawjson.ReadText},
	{Name: "turn", Offset: unsafe.Offsetof(events.Members{}.Turn), Read: rawjson.ReadText},
	{Name: "seq", Offset: unsafe.Offsetof(events.Members{}.Seq), Read: rawjson.ReadText},
	{Name: "generation", Offset: unsafe.Offsetof(events.Members{}.Generation), Read: rawjson.ReadText},
}

// expired says how one [Expired] is read.
var expired = []rawjson.Member{
	{Name: "status", Offset: unsafe.Offsetof(Expired{}.Status), Read: rawjson.ReadInt},
	{Name: "code", Offset: unsafe.Offsetof(Expired{}.Code), Read: rawjson.ReadText},
}

func readName(into unsafe.Pointer, raw []byte, _ string) bool {
	return rawjson.ReadText(into, raw, "") && *(*string)(into) != ""
}

func readBase(into unsafe.Pointer, raw []byte, _ string) bool {
	n, ok := rawjson.Uint(raw)
	*(*events.Seq)(into) = events.Seq(n)
	return ok && n <= 1
}

func readEnvelope(into unsafe.Pointer, raw []byte, _ string) bool {
	return rawjson.ReadValue(raw, into, envelope) == nil
}

// readIdentity reads the names of at least one member.
func readIdentity(into unsafe.Pointer, raw []byte, _ string) bool {
	return rawjson.ReadTexts(into, raw, "") && len(*(*[]string)(into)) > 0
}

func readExpired(into unsafe.Pointer, raw []byte, _ string) bool {
	var list []Expired
	ok := rawjson.Each(raw, func(element []byte) bool {
		x := new(Expired)
		ok := rawjson.ReadValue(element, unsafe.Pointer(x), expired) == nil
		list = append(list, *x)
		return ok && x.Status >= 100 && x.Status <= 599
	})
	*(*[]Expired)(into) = list
	return ok
}
