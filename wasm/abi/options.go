package abi

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// settings is what an argument object can set. Cursor tokens are read last,
// because the profile says how.
type settings struct {
	link   link.Options
	tokens []string
	url    string
}

// readOptions reads the options of a link. An unknown member, or a value it
// cannot take, is a fault that names the member.
func readOptions(arg []byte) (link.Options, error) {
	s := settings{link: link.Options{Profile: &profile.Session}}
	if err := readObject(arg, fault.InvalidOptions, s.member); err != nil {
		return link.Options{}, err
	}
	for _, t := range s.tokens {
		c, err := cursor.Parse(t, s.link.Profile.Base)
		if err != nil {
			return link.Options{}, err
		}
		s.link.Cursors = append(s.link.Cursors, c)
	}
	if id, ok := sessionInPath(s.url); ok && len(s.link.Sessions) == 0 && len(s.link.Cursors) == 0 {
		s.link.Sessions = []string{id}
	}
	return s.link, nil
}

func (s *settings) member(name string, raw []byte) (err error) {
	switch name {
	case "profile":
		s.link.Profile, err = profile.Parse(raw)
	case "sessions":
		err = readTexts(&s.link.Sessions, name, raw)
	case "cursors":
		err = readTexts(&s.tokens, name, raw)
	case "url":
		err = readText(&s.url, name, raw)
	case "from":
		s.link.Explicit = true
		err = readChoice(&s.link.From, name, raw, "beginning", "now")
	case "mode":
		err = readChoice(&s.link.Mode, name, raw, "enforce", "observe")
	case "load":
		err = readBool(&s.link.Load, name, raw)
	case "decisions":
		err = readBool(&s.link.Report, name, raw)
	case "maxFrame":
		err = readMaxFrame(&s.link.MaxFrame, raw)
	default:
		err = unknown(fault.InvalidOptions, name)
	}
	return err
}

func readMaxFrame(into *int, raw []byte) error {
	n, ok := rawjson.Uint(raw)
	if !ok || n == 0 || n > 1<<30 {
		return unusable("maxFrame", "bytes from 1 to 1073741824", raw)
	}
	*into = int(n)
	return nil
}

func readText(into *string, name string, raw []byte) error {
	text, ok := rawjson.Text(raw)
	if !ok {
		return unusable(name, "text", raw)
	}
	*into = text
	return nil
}

func readBool(into *bool, name string, raw []byte) error {
	*into = string(raw) == "true"
	if !*into && string(raw) != "false" {
		return unusable(name, "true or false", raw)
	}
	return nil
}

func readTexts(into *[]string, name string, raw []byte) error {
	if rawjson.KindOf(raw) != rawjson.Array {
		return unusable(name, "a list of texts", raw)
	}
	for element := range rawjson.Elements(raw) {
		text, ok := rawjson.Text(element)
		if !ok {
			return unusable(name, "a list of texts", raw)
		}
		*into = append(*into, text)
	}
	return nil
}

// readChoice reads one of two names as the number of its place.
func readChoice[T ~uint8](into *T, name string, raw []byte, zero, one string) error {
	switch text, _ := rawjson.Text(raw); text {
	case zero:
		*into = 0
	case one:
		*into = 1
	default:
		return unusable(name, zero+" or "+one, raw)
	}
	return nil
}

func unusable(name, expected string, raw []byte) error {
	return fault.New(fault.InvalidOptions, name+": "+expected, clip(raw))
}

// clip keeps what a message quotes short.
func clip(raw []byte) string {
	const most = 60
	if len(raw) > most {
		return string(raw[:most]) + "…"
	}
	return string(raw)
}
