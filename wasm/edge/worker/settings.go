package worker

import (
	"strconv"
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/edge"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// setting is one variable of the environment. It is read when it is there and not empty.
type setting struct {
	name  string
	words string // what it has to be
	read  func(o *edge.Options, text string) bool
}

var settings = []setting{
	{"TIDEMARK_UPSTREAM", "the address of the server", func(o *edge.Options, text string) bool {
		o.Upstream = text
		return true
	}},
	{"TIDEMARK_MODE", link.Enforce.String() + " or " + link.Observe.String(), readMode},
	{"TIDEMARK_MAX_FRAME", "bytes, from 1 to " + strconv.Itoa(link.MostFrame), readMaxFrame},
	{"TIDEMARK_PROFILE", strings.Join(profile.Names(), ", ") + ", or a profile as JSON", readProfile},
}

// Options reads the environment of a worker. A value that is none of its variable is
// fault.InvalidOptions; what is not there is left to its default, the address to edge.New.
func Options(getenv func(name string) string) (o edge.Options, err error) {
	o.Profile = &profile.Session
	for _, s := range settings {
		if text := getenv(s.name); text != "" && !s.read(&o, text) {
			return o, fault.New(fault.InvalidOptions, s.name+" that is "+s.words, string(rawjson.AppendQuoted(nil, fault.Clip([]byte(text)))))
		}
	}
	return o, nil
}

func readMode(o *edge.Options, text string) (ok bool) {
	o.Mode, ok = map[string]link.Mode{link.Enforce.String(): link.Enforce, link.Observe.String(): link.Observe}[text]
	return ok
}

func readMaxFrame(o *edge.Options, text string) bool {
	n, err := strconv.Atoi(text)
	o.MaxFrame = n
	return err == nil && n >= 1 && n <= link.MostFrame
}

func readProfile(o *edge.Options, text string) (ok bool) {
	if o.Profile, ok = profile.Named(text); ok {
		return true
	}
	p, err := profile.Parse([]byte(text))
	o.Profile = p
	return err == nil
}
