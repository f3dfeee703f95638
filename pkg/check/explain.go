package check

import (
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// ExplainUsage explains the command "tidemark explain".
const ExplainUsage = `usage: tidemark explain [--json] [RULE]

Prints a rule of the catalog: what happened, whose fault it is, what to do.
RULE is a name like stream.gap.hole, or a part of one; when several rules have it,
as with durable., they are listed. Without RULE all are.

  --json   one JSON object a line, with all that is known of each rule

examples:
  tidemark explain stream.gap.hole
  tidemark explain durable.

exit codes: 0 printed, 2 wrong usage, or there is no such rule
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
	rules := rulesLike(name)
	if len(rules) == 0 {
		return nil, "there is no rule “" + clip(name, mostName) + "”; without one, all are listed"
	}
	return printRules(rules, s), ""
}

// rulesLike are the rule of that name, or all that have it as a part of theirs.
func rulesLike(name string) (found []fault.Rule) {
	if r, ok := fault.Lookup(name); ok {
		return []fault.Rule{r}
	}
	part := strings.TrimSuffix(name, "*")
	for r := range fault.All() {
		if strings.Contains(r.Name, part) {
			found = append(found, r)
		}
	}
	return found
}

// printRules says all about a single rule, of several what happened.
func printRules(rules []fault.Rule, s Style) []byte {
	p := &page{style: s}
	for i := range rules {
		r := &rules[i]
		if s.JSON || len(rules) == 1 {
			p.rule(r)
			continue
		}
		p.paint(bold, r.Name)
		p.add("\n")
		p.wrap("  ", "", message(r))
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
