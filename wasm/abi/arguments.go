package abi

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// readObject checks that arg is one object and shows its members in order. read
// answers a fault for a value it cannot take, and unknown(name) for a name.
func readObject(arg []byte, id fault.ID, read func(name string, raw []byte) error) error {
	if problem, at := rawjson.Check(arg, events.MaxDepth); problem != rawjson.OK {
		return unread(id, &rawjson.Unread{Problem: problem, At: at})
	}
	if rawjson.KindOf(arg) != rawjson.Object {
		return unread(id, &rawjson.Unread{Blame: rawjson.BlameKind})
	}
	for name, value := range rawjson.Members(arg) {
		if err := read(string(name), value); err != nil {
			return err
		}
	}
	return nil
}

func unknown(id fault.ID, name string) error {
	return unread(id, &rawjson.Unread{Blame: rawjson.BlameName, Name: name})
}

func unusable(name, words string, raw []byte) error {
	return unread(fault.InvalidOptions, &rawjson.Unread{Blame: rawjson.BlameValue, Name: name, Words: words, Raw: raw})
}

func readText(into *string, name string, raw []byte) error {
	if !rawjson.ReadText(unsafe.Pointer(into), raw, "") {
		return unusable(name, "text", raw)
	}
	return nil
}

func readBool(into *bool, name string, raw []byte) error {
	if !rawjson.ReadBool(unsafe.Pointer(into), raw, "") {
		return unusable(name, trueOrFalse, raw)
	}
	return nil
}

// clip keeps what a message quotes short.
func clip(raw []byte) string { return fault.Clip(raw) }
