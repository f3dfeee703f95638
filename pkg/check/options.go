package check

import (
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// Format is how a recording is written.
type Format uint8

// Formats. The zero Format is told from the first bytes.
const (
	Auto  Format = iota
	JSONL        // a session log, one record a line
	SSE          // the bytes of a text/event-stream
	HAR          // what a browser saved of its requests; every event stream in it
	formatEnd
)

var formatNames = [...]string{"auto", "jsonl", "sse", "har"}

// String is the name on the command line, "" for a number that is no format.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return ""
}

// ParseFormat reads such a name.
func ParseFormat(name string) (Format, bool) {
	for i, n := range formatNames {
		if n == name {
			return Format(i), true
		}
	}
	return Auto, false
}

// Options say what is read and by which promise. The zero Options are fine.
type Options struct {
	// Name of the file, or its address. Its ending helps to tell the format.
	Name string

	Format Format

	// Profile is what the events promise. nil: the record envelope for a JSONL
	// log (with generation read under either of its names), the session envelope
	// for streams.
	Profile *profile.Profile

	// MaxFrame is the largest frame or line in bytes. 0: [sse.DefaultMaxFrame].
	MaxFrame int

	// MaxSessions is how many sessions are kept track of at once. 0: 4096.
	MaxSessions int
}

// What a check keeps for one session at most.
const (
	defaultSessions = 4096
	mostHoles       = 1024 // ranges that are missing, so that a late event is told from a double
	mostTurns       = 256  // turns that are open at once
	mostUnknown     = 256  // names of unknown types, over all sessions
	mostUnordered   = 1024 // changes between generations that are only equal or different
)

func (o Options) filled() Options {
	if o.MaxFrame <= 0 {
		o.MaxFrame = sse.DefaultMaxFrame
	}
	if o.MaxSessions <= 0 {
		o.MaxSessions = defaultSessions
	}
	return o
}

// profileFor is the promise that events of a format make unless told otherwise.
func (o *Options) profileFor(f Format) *profile.Profile {
	switch {
	case o.Profile != nil:
		return o.Profile
	case f == JSONL:
		return &profile.Record
	}
	return &profile.Session
}

// ending is the format that the ending of a name hints at, Auto for none.
func ending(name string) Format {
	name = strings.ToLower(name)
	name, _, _ = strings.Cut(name, "?")
	name = strings.TrimSuffix(name, ".gz")
	for suffix, f := range map[string]Format{
		".jsonl": JSONL, ".ndjson": JSONL, ".har": HAR, ".sse": SSE, ".eventstream": SSE, ".event-stream": SSE,
	} {
		if strings.HasSuffix(name, suffix) {
			return f
		}
	}
	return Auto
}
