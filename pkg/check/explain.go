package check

import (
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// ExplainUsage explains the command "tidemark explain".
const ExplainUsage = `usage: tidemark explain [--json] [RULE]

Prints a rule of the catalog: what happened, whose fault it is, what to do.
Without a rule it lists all of them. RULE is a name like stream.gap.hole, or the
part of one that no other rule has.
`

// Explain answers the arguments behind "tidemark explain". A problem is one
// sentence for standard error; the exit code is then [ExitUsage].
func Explain(args []string, s Style) (text []byte, problem string) {
	var name string
	for _, arg := range args {
		switch {
		case arg == "--help" || arg == "-help" || arg == "-h":
			return []byte(ExplainUsage), ""
		case arg == "--json" || arg == "-json":
			s.JSON = true
		case strings.HasPrefix(arg, "-"):
			return nil, "there is no flag " + clip(arg, mostName)
		case name != "":
			return nil, "takes one rule, got another: " + clip(arg, mostName)
		default:
			name = arg
		}
	}
	if name == "" {
		return listRules(s), ""
	}
	rule, problem := findRule(name)
	if problem != "" {
		return nil, problem
	}
	p := &page{style: s}
	p.rule(&rule)
	return p.text, ""
}

// findRule finds a rule by its name, or by a part that only one has.
func findRule(name string) (found fault.Rule, problem string) {
	if r, ok := fault.Lookup(name); ok {
		return r, ""
	}
	var near []string
	for r := range fault.All() {
		if strings.Contains(r.Name, name) {
			near = append(near, r.Name)
			found = r
		}
	}
	switch {
	case len(near) == 1:
		return found, ""
	case len(near) > 1:
		return found, "more than one rule has that in its name: " + strings.Join(near, ", ")
	}
	return found, "there is no rule “" + clip(name, mostName) + "”; without one, all are listed"
}

func listRules(s Style) []byte {
	p := &page{style: s}
	for r := range fault.All() {
		if s.JSON {
			p.rule(&r)
			continue
		}
		p.paint(bold, r.Name)
		p.add("\n")
		p.wrap("  ", "", message(&r))
	}
	return p.text
}

// rule writes one rule, as text or as one JSON line.
func (p *page) rule(r *fault.Rule) {
	if p.style.JSON {
		p.text = append(appendRule(p.text, r), '\n')
		return
	}
	p.paint(bold, r.Name)
	p.add("\n")
	p.wrap("  ", "", message(r))
	if r.ID != 0 {
		p.add("  ")
		again := "does not help"
		if r.Retryable {
			again = "helps"
		}
		p.paint(dim, "whose fault: "+r.Side.String()+", code "+r.Code.String()+", trying again "+again)
		p.add("\n")
	}
	if r.Hint != "" {
		p.wrap("  ", "→ ", r.Hint)
	}
	p.add("  ")
	p.paint(dim, r.Href())
	p.add("\n")
}

// message is what a rule says, or where it takes its words from.
func message(r *fault.Rule) string {
	if r.Message == "" {
		return "The failure's own message, with the hint that was attached to it."
	}
	return r.Message
}

func appendRule(dst []byte, r *fault.Rule) []byte {
	w := rawjson.Begin(dst)
	w.Text("rule", r.Name)
	if r.ID != 0 {
		w.Int("id", int64(r.ID))
		w.Text("side", r.Side.String())
		w.Text("code", r.Code.String())
		w.Bool("retryable", r.Retryable)
	}
	w.Known("message", r.Message)
	w.Known("hint", r.Hint)
	w.Text("href", r.Href())
	return w.End()
}
