// Package seam is what the module of the command line does, in ordinary Go that
// is tested natively: arguments in, recordings in pieces, text and an exit code
// out. The host opens files and prints; it decides nothing.
//
// A [Module] takes Args first. Then, for each source, Open, Write as often as it
// takes, Close; or Trouble when the source cannot be read. Then Total and Exit.
// Arguments lie in the input room, answers at Output; the numbers that methods
// answer are lengths of them. Bad arguments and handles get an answer, no panic.
package seam

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/check"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/wasm/abi"
)

// Module is one call of the command. The zero Module is ready.
type Module struct {
	abi.Room
	command check.Command
	profile *profile.Profile
	reports map[int32]*check.Report
	last    int32 // handle that was given out last
	total   check.Total
	errors  bool // the last answer belongs on standard error
	told    bool // why the recording that broke off cannot be read was said already
}

// Streams that an answer belongs to.
const (
	Out = 1 // standard output
	Err = 2 // standard error
)

// ToNames are the names of these streams, by number; "" for one that is none.
var ToNames = []string{Out: "out", Err: "err"}

// To is the stream that the last answer belongs to.
func (m *Module) To() int32 {
	if m.errors {
		return Err
	}
	return Out
}

// asked is the members of every argument.
type asked struct {
	args          []string
	colour        bool
	width         uint64
	name, content string
	cause, detail string
	text          string
	hasText       bool
}

// read reads n bytes of arguments. Members that are not as they have to be are
// passed over, as the host is ours.
func (m *Module) read(n int) (a asked) {
	raw, err := m.Argument(n)
	if err != nil {
		return a
	}
	if p, _ := rawjson.Check(raw, events.MaxDepth); p != rawjson.OK {
		return a
	}
	texts := map[string]*string{
		"name": &a.name, "contentType": &a.content, "cause": &a.cause, "detail": &a.detail, "text": &a.text,
	}
	for name, value := range rawjson.Members(raw) {
		switch into, ok := texts[string(name)]; {
		case ok:
			*into, ok = rawjson.Text(value)
			a.hasText = a.hasText || ok && into == &a.text
		case string(name) == "args":
			a.args = list(value)
		case string(name) == "colour":
			a.colour = string(value) == "true"
		case string(name) == "width":
			a.width, _ = rawjson.Uint(value)
		}
	}
	return a
}

func list(raw []byte) (texts []string) {
	for value := range rawjson.Elements(raw) {
		if text, ok := rawjson.Text(value); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// Args reads {"args": [text…], "colour", "width"}. It answers one of
//
//	{"print": text}                                  the usage; exit 0
//	{"problem": text}                                for standard error; exit 2
//	{"sources": [text…], "millis", "json", "profileFile"?}
func (m *Module) Args(n int) int {
	a := m.read(n)
	command, problem := check.ParseArgs(a.args)
	command.Style.Colour, command.Style.Width = a.colour, int(a.width)
	m.command, m.total, m.errors, m.profile = command, check.Total{}, false, nil
	w := rawjson.Begin(nil)
	switch {
	case problem != "":
		w.Text("problem", check.Problem("check", problem))
	case command.Help:
		w.Text("print", check.Usage)
	default:
		m.plan(&w)
	}
	return m.Answer(w.End())
}

func (m *Module) plan(w *rawjson.Writer) {
	c := &m.command
	w.Name("sources")
	w.Append(func(dst []byte) []byte {
		dst = append(dst, '[')
		for i, s := range c.Sources {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = rawjson.AppendQuoted(dst, s)
		}
		return append(dst, ']')
	})
	w.Int("millis", c.Millis)
	w.Bool("json", c.Style.JSON)
	if p, ok := profile.Named(c.Profile); ok {
		m.profile = p
	} else if c.Profile != "" {
		w.Text("profileFile", c.Profile)
	}
}

// Profile reads {"text"?: the profile file, "detail"?: why it cannot be read}, and
// answers nothing, or a problem for standard error; exit 2.
func (m *Module) Profile(n int) int {
	a := m.read(n)
	m.errors = true
	why := a.detail
	if a.hasText {
		p, err := profile.Parse([]byte(a.text))
		if err == nil {
			m.profile = p
			return m.Answer(nil)
		}
		why = err.Error()
	}
	return m.Answer([]byte(check.Problem("check", check.ProfileProblem(m.command.Profile, why))))
}

// Open begins a recording: {"name", "contentType"?}. It answers a handle.
func (m *Module) Open(n int) int32 {
	a := m.read(n)
	o := check.Options{Name: a.name, Format: m.command.Format, Profile: m.profile}
	if o.Format == check.Auto {
		o.Format = check.FormatOfContent(a.content)
	}
	if m.reports == nil {
		m.reports = map[int32]*check.Report{}
	}
	m.last++
	m.reports[m.last] = check.NewReport(o, m.command.Style)
	return m.last
}

// Write reads n bytes of the recording from the input room, and answers what
// there is to print by now; -1 for a handle that is none.
func (m *Module) Write(h int32, n int) int {
	r, chunk := m.reports[h], []byte(nil)
	chunk, err := m.Argument(n)
	if r == nil || err != nil {
		return -1
	}
	m.errors = false
	return m.Answer(r.Write(chunk))
}

// Close ends the recording and answers the rest of its report; -1 for a handle
// that is none. stopped: it would have gone on. broken: reading it failed, and
// Trouble will say so.
func (m *Module) Close(h int32, stopped, broken bool) int {
	r := m.reports[h]
	if r == nil {
		return -1
	}
	delete(m.reports, h)
	text := r.Close(stopped || broken)
	m.errors = r.Fault() != nil && !m.command.Style.JSON
	m.told = broken && r.Fault() != nil
	if !broken || m.told {
		m.total.Add(r.Verdict())
	}
	return m.Answer(text)
}

// Trouble says that a source could not be read: {"name", "cause", "detail"?}.
func (m *Module) Trouble(n int) int {
	if m.told {
		m.told = false
		return m.Answer(nil)
	}
	a := m.read(n)
	m.errors = !m.command.Style.JSON
	m.total.Add(check.Unreadable)
	return m.Answer(check.AppendTrouble(nil, a.name, a.cause, a.detail, m.command.Style))
}

// Total answers the closing line, which may be nothing.
func (m *Module) Total() int {
	m.errors = false
	return m.Answer(m.total.AppendText(nil, m.command.Style))
}

// Exit is the exit code of the call.
func (m *Module) Exit() int32 { return int32(m.total.Exit(m.command.Style)) }

// Explain reads {"args", "colour", "width"} of "tidemark explain" and answers what
// to print: a problem belongs on standard error, with exit code 2.
func (m *Module) Explain(n int) int {
	a := m.read(n)
	text, problem := check.Explain(a.args, check.Style{Colour: a.colour, Width: int(a.width)})
	m.errors = problem != ""
	if m.errors {
		text = []byte(check.Problem("explain", problem))
	}
	return m.Answer(text)
}
