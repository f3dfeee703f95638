package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// Command is what "tidemark check" was asked to do.
type Command struct {
	Sources []string // files, "-" for standard input, addresses
	Format  Format
	Profile string // a name or the path of a JSON file; "" for the usual ones
	Millis  int64  // how long to read an address at most; 0: until it ends
	Style   Style  // without colour and width, which are the terminal's
	Help    bool   // print [Usage] and be done
}

// Usage explains the command.
const Usage = `usage: tidemark check [flags] FILE… | URL | -

Reads recordings of session streams from end to end, and says what is missing,
doubled, out of order, malformed or unfinished in them, with place, time, rule
and advice. A recording is a JSONL session log, the bytes of an event stream, or
a HAR file saved by a browser; any size, gzip too. "-" is standard input.

  --profile NAME|FILE  what the events promise: session, record, run, or a JSON file
  --format NAME        auto, jsonl, sse or har
  --for TIME           stop reading after that long, as in 30s or 5m
  --max N              findings to show of each kind in a session (10; 0 for all)
  --json               one JSON object a line: findings as they come, then a summary
  --quiet              one line for each recording, no findings
  --strict             warnings count as errors
  --help               print this

Exit codes: 0 nothing wrong, 1 findings that are errors, 2 not called as it can
be, 3 a recording could not be read. "tidemark explain RULE" has more on a rule.
`

// defaultMax is how many findings of a kind are shown unless asked otherwise.
const defaultMax = 10

// flags are all there are. take gets the value, "" for one without.
var flags = []struct {
	name  string
	value bool
	take  func(c *Command, value string) (wanted string)
}{
	{"profile", true, func(c *Command, v string) string { c.Profile = v; return emptyWants(v, "a name or a file") }},
	{"format", true, func(c *Command, v string) (wanted string) {
		format, ok := ParseFormat(v)
		c.Format = format
		return unless(ok, "auto, jsonl, sse or har")
	}},
	{"for", true, func(c *Command, v string) string {
		ms, ok := parseDuration(v)
		c.Millis = ms
		return unless(ok, "a time above 0, as in 30s or 5m")
	}},
	{"max", true, func(c *Command, v string) string {
		n, err := strconv.ParseUint(v, 10, 31)
		c.Style.Max = int(n)
		return unless(err == nil, "a number from 0 on")
	}},
	{"json", false, func(c *Command, _ string) string { c.Style.JSON = true; return "" }},
	{"quiet", false, func(c *Command, _ string) string { c.Style.Quiet = true; return "" }},
	{"strict", false, func(c *Command, _ string) string { c.Style.Strict = true; return "" }},
	{"help", false, func(c *Command, _ string) string { c.Help = true; return "" }},
	{"h", false, func(c *Command, _ string) string { c.Help = true; return "" }},
}

func unless(ok bool, wanted string) string {
	if ok {
		return ""
	}
	return wanted
}

func emptyWants(v, wanted string) string { return unless(v != "", wanted) }

// ParseArgs reads the arguments behind "tidemark check". problem is one sentence
// about the first that cannot be read, "" when all can. Flags may stand anywhere,
// with one dash or two, and "--" ends them.
func ParseArgs(args []string) (c Command, problem string) {
	c.Style.Max = defaultMax
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			c.Sources = append(c.Sources, args[i+1:]...)
			break
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			c.Sources = append(c.Sources, arg)
			continue
		}
		used, problem := c.flag(arg, args[i+1:])
		if problem != "" {
			return c, problem
		}
		i += used
	}
	return c, c.check()
}

// Problem is what a command prints about arguments that it cannot read.
func Problem(command, problem string) string {
	return "tidemark " + command + ": " + problem + "\n  tidemark " + command + " --help says how to call it\n"
}

// ProfileProblem is the problem with a profile that is no name and no usable file;
// why is "" when there is no such file.
func ProfileProblem(name, why string) string {
	if why == "" {
		why = "it is neither session, record or run, nor a file"
	}
	return "--profile " + clip(name, mostURL) + ": " + why
}

// flag reads one flag; used is how many of the arguments behind it belong to it.
func (c *Command) flag(arg string, rest []string) (used int, problem string) {
	name, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	for _, f := range flags {
		if f.name != name {
			continue
		}
		switch {
		case f.value && !given && len(rest) == 0:
			return 0, "--" + name + " needs " + f.take(&Command{}, "")
		case f.value && !given:
			value, used = rest[0], 1
		case !f.value && given:
			return 0, "--" + name + " takes no value"
		}
		if wanted := f.take(c, value); wanted != "" {
			return used, "--" + name + " needs " + wanted + ", not " + strconv.Quote(clip(value, mostName))
		}
		return used, ""
	}
	return 0, "there is no flag " + clip(arg, mostName)
}

func (c *Command) check() string {
	switch {
	case c.Help:
	case len(c.Sources) == 0:
		return "name at least one recording: a file, an address, or - for standard input"
	case slices.Index(c.Sources, "-") != lastIndex(c.Sources, "-"):
		return "standard input can be read once only"
	}
	return ""
}

func lastIndex(list []string, s string) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == s {
			return i
		}
	}
	return -1
}

// IsAddress reports whether a source is fetched rather than opened.
func IsAddress(source string) bool {
	return strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://")
}

// FormatOfContent is the format that an answer of this content type is in, Auto
// when the type does not say.
func FormatOfContent(contentType string) Format {
	switch sse.MediaType(contentType) {
	case sse.ContentType:
		return SSE
	case "application/x-ndjson", "application/jsonl", "application/jsonlines", "application/x-jsonlines":
		return JSONL
	}
	return Auto
}

// parseDuration reads a time: a number and ms, s, m or h, as often as it takes. A
// bare number is seconds.
func parseDuration(text string) (ms int64, ok bool) {
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return int64(n) * 1000, n > 0
	}
	for text != "" {
		end := 0
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		n, err := strconv.ParseUint(text[:end], 10, 31)
		unit, length := unitOf(text[end:])
		if err != nil || length == 0 {
			return 0, false
		}
		ms += int64(n) * unit
		text = text[end+length:]
	}
	return ms, ms > 0
}

func unitOf(text string) (ms int64, length int) {
	for _, u := range []struct {
		name string
		ms   int64
	}{{"ms", 1}, {"s", 1000}, {"m", 60_000}, {"h", 3_600_000}} {
		if strings.HasPrefix(text, u.name) {
			return u.ms, len(u.name)
		}
	}
	return 0, 0
}
