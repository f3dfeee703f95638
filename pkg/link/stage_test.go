package link_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// stage is where a story plays: a link, the time, and the number that stands
// for chance.
type stage struct {
	t      *testing.T
	link   *link.Link
	now    link.Millis
	random float64
	base   func(string) cursor.Cursor
	seen   func(from, input, to, trace string) // told of every input
}

// scene is one command: its words, its key=value words, and the text below it.
type scene struct {
	words  []string
	values map[string][]string
	text   []string
}

// commands of a story. Those that are inputs of the link are followed by all
// actions that the link has in answer.
var commands = map[string]func(*stage, *scene){
	// new [profile=NAME|JSON] [session=ID]… [cursor=TOKEN]… [place=TOKEN]… [from=now] [mode=observe] [proof=prefer|require|off] [saved=WORD]… [owes=ID]… [load] [report] [explicit] [states] [credentials] [single] [maxFrame=N] [maxDepth=N]
	"new":   (*stage).open,
	"start": func(s *stage, _ *scene) { s.link.Start(s.moment()) },
	// opened [STATUS] [type=CONTENT-TYPE] [retry-after=MS]; the body is the text below
	"opened": (*stage).opened,
	// feed: the text below, each line with its line end
	"feed": func(s *stage, c *scene) { s.feed(strings.Join(c.text, "\n") + "\n") },
	// bytes TEXT: fed as it is, \n for a line end, times=N for more of it
	"bytes": (*stage).bytes,
	// event TOKEN [TYPE] [text=WORD]: a recorded event with its id, which can be proven when it has a text; draft SESSION TYPE: one that is not recorded
	"event": (*stage).event,
	"draft": func(s *stage, c *scene) {
		s.feed(fmt.Sprintf("data: {\"type\":%q,\"sessionId\":%q}\n\n", c.words[1], c.words[0]))
	},
	// head TOKEN [oldest=N], live TOKEN, end SESSION: frames of the protocol
	"head": (*stage).head,
	"live": func(s *stage, c *scene) {
		at := s.cursor(c.words[0])
		s.control("live", fmt.Sprintf(`{"sessionId":%q,"lastSeq":%d}`, at.Session, at.Seq))
	},
	"end": func(s *stage, c *scene) {
		s.control("end", fmt.Sprintf(`{"sessionId":%q,"reason":"done"}`, c.words[0]))
	},
	// closed [broken]: the body ended, or the network failed
	"closed": func(s *stage, c *scene) { s.link.Closed(s.moment(), len(c.words) > 0) },
	"tick":   func(s *stage, _ *scene) { s.link.Tick(s.moment()) },
	// loaded LANE TOKEN, loadfailed LANE WORD
	"loaded":     func(s *stage, c *scene) { s.link.Loaded(s.moment(), s.number(c.words[0]), s.cursor(c.words[1])) },
	"loadfailed": func(s *stage, c *scene) { s.link.LoadFailed(s.moment(), s.number(c.words[0]), c.words[1]) },
	"stop":       func(s *stage, _ *scene) { s.link.Stop() },
	// offline, online, hidden, visible: what the surroundings of the link say
	"offline": func(s *stage, _ *scene) { s.link.Offline(s.moment()) },
	"online":  func(s *stage, _ *scene) { s.link.Online(s.moment()) },
	"hidden":  func(s *stage, _ *scene) { s.link.Hidden(s.moment()) },
	"visible": func(s *stage, _ *scene) { s.link.Visible(s.moment()) },
	// credentials [none]: the app has brought new ones
	"credentials": func(s *stage, c *scene) { s.link.Renewed(s.moment(), c.says("none")) },
	// reset LANE TOKEN, applied LANE SEQ (counted from 1) [text=WORD]
	"reset":   func(s *stage, c *scene) { s.link.Reset(s.moment(), s.number(c.words[0]), s.cursor(c.words[1])) },
	"applied": (*stage).applied,
	// wait MS: time passes; random X: what chance says from now on. The link does not see either by itself.
	"wait":   func(s *stage, c *scene) { s.now += link.Millis(s.number(c.words[0])) },
	"random": func(s *stage, c *scene) { s.random, _ = strconv.ParseFloat(c.words[0], 64) },
	// cursors: where the link stands
	"cursors": func(*stage, *scene) {},
}

// perform plays one command and answers what came of it.
func (s *stage) perform(line string, text []string) (trace []string) {
	name, rest, _ := strings.Cut(line, " ")
	command, ok := commands[name]
	require.True(s.t, ok, "no command %q", name)
	from := ""
	if s.link != nil {
		from = s.link.StateName()
	}
	command(s, newScene(rest, text))
	if name == "cursors" {
		return s.cursors()
	}
	if s.link == nil {
		return nil
	}
	for a := s.link.Next(); a != nil; a = s.link.Next() {
		trace = append(trace, s.describe(a))
	}
	if in := inputOf(name); s.seen != nil && in != "" {
		s.seen(from, in, s.link.StateName(), strings.Join(trace, "\n"))
	}
	return trace
}

// inputOf is the input that a command is, "" for none.
func inputOf(command string) string {
	switch command {
	case "new", "wait", "random", "cursors":
		return ""
	case "feed", "bytes", "event", "draft", "head", "live", "end":
		return "bytes"
	case "loadfailed":
		return "loadFailed"
	}
	return command
}

func newScene(rest string, text []string) *scene {
	c := &scene{values: map[string][]string{}, text: text}
	for _, word := range strings.Fields(rest) {
		if key, value, ok := strings.Cut(word, "="); ok {
			c.values[key] = append(c.values[key], value)
		} else {
			c.words = append(c.words, word)
		}
	}
	return c
}

// value is the last value of a key, "" without one.
func (c *scene) value(key string) string {
	if all := c.values[key]; len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// says reports whether a word stands in the command.
func (c *scene) says(word string) bool {
	for _, w := range c.words {
		if w == word {
			return true
		}
	}
	return false
}

func (s *stage) moment() link.Moment { return link.Moment{Now: s.now, Random: s.random} }

func (s *stage) number(text string) int {
	n, err := strconv.Atoi(text)
	require.NoError(s.t, err)
	return n
}

func (s *stage) open(c *scene) {
	o := link.Options{
		Sessions: c.values["session"], Owes: c.values["owes"], Load: c.says("load"), Report: c.says("report"), Explicit: c.says("explicit"),
		States: c.says("states"), Credentials: c.says("credentials"), Single: c.says("single"),
	}
	if text := c.value("profile"); text != "" {
		o.Profile = s.profile(text)
	}
	if o.Profile != nil {
		base := o.Profile.Base
		s.base = func(token string) cursor.Cursor { return s.parse(token, base) }
	}
	for _, token := range c.values["cursor"] {
		o.Cursors = append(o.Cursors, s.cursor(token))
	}
	for _, token := range c.values["place"] {
		o.Places = append(o.Places, s.cursor(token))
	}
	s.proofs(&o, c)
	if c.value("from") == "now" {
		o.From = link.FromNow
	}
	if c.value("mode") == "observe" {
		o.Mode = link.Observe
	}
	if n := c.value("maxFrame"); n != "" {
		o.MaxFrame = s.number(n)
	}
	if n := c.value("maxDepth"); n != "" {
		o.MaxDepth = s.number(n)
	}
	var err error
	s.link, err = link.New(o)
	require.NoError(s.t, err)
}

func (s *stage) profile(text string) *profile.Profile {
	if p, ok := profile.Named(text); ok {
		return p
	}
	p, err := profile.Parse([]byte(text))
	require.NoError(s.t, err)
	return p
}

func (s *stage) cursor(token string) cursor.Cursor {
	if s.base != nil {
		return s.base(token)
	}
	return s.parse(token, 1)
}

func (s *stage) opened(c *scene) {
	r := link.Response{Status: 200, ContentType: "text/event-stream", Body: []byte(strings.Join(c.text, "\n"))}
	if len(c.words) > 0 {
		r.Status = s.number(c.words[0])
	}
	if all, ok := c.values["type"]; ok {
		r.ContentType = strings.ReplaceAll(all[0], "_", " ")
	}
	if ms := c.value("retry-after"); ms != "" {
		r.RetryAfter = link.Millis(s.number(ms))
	}
	s.link.Opened(s.moment(), r)
}

func (s *stage) feed(text string) { s.link.Feed(s.moment(), []byte(text)) }

func (s *stage) bytes(c *scene) {
	times := 1
	if n := c.value("times"); n != "" {
		times = s.number(n)
	}
	text := strings.ReplaceAll(strings.Join(c.words, " "), `\n`, "\n")
	s.feed(strings.Repeat(text, times))
}

func (s *stage) event(c *scene) {
	token, typeName := c.words[0], "message"
	if len(c.words) > 1 {
		typeName = c.words[1]
	}
	at := s.parse(token, 1) // as the wire writes it
	generation := ""
	if at.Generation.IsSet() {
		generation = fmt.Sprintf(`,"generation":%q`, string(at.Generation))
	}
	what := ""
	if text := c.value("text"); text != "" {
		what = fmt.Sprintf(`,"text":%q`, text)
	}
	s.feed(fmt.Sprintf("id: %s\ndata: {\"type\":%q,\"sessionId\":%q,\"seq\":%d%s%s}\n\n", token, typeName, at.Session, at.Seq, generation, what))
}

func (s *stage) head(c *scene) {
	at := s.parse(c.words[0], 1)
	data := fmt.Sprintf(`{"sessionId":%q,"lastSeq":%d`, at.Session, at.Seq)
	if at.Generation.IsSet() {
		data += fmt.Sprintf(`,"generation":%q`, string(at.Generation))
	}
	if oldest := c.value("oldest"); oldest != "" {
		data += `,"oldestSeq":` + oldest
	}
	s.control("head", data+"}")
}

func (s *stage) control(name, data string) {
	s.feed("event: tidemark." + name + "\ndata: " + data + "\n\n")
}
