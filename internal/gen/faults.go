package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// faultFiles is docs/faults.md and the catalog as data for the npm package.
func faultFiles(root string) ([]File, error) {
	catalog, err := catalogJSON()
	if err != nil {
		return nil, err
	}
	sections, err := sections(root)
	if err != nil {
		return nil, err
	}
	return []File{
		{Path: fault.DocsPage, Data: faultPage(sections)},
		{Path: "web/src/gen/catalog.json", Data: catalog},
	}, nil
}

// faultPage links to the rules of the protocol by the sections that they stand in.
func faultPage(sections map[string]string) []byte {
	g := &page{}
	g.printf("%s", faultHead)
	g.codes()
	g.sides()
	g.glance()
	for _, part := range faultParts {
		g.printf("## %s\n\n%s\n\n", part.title, part.about)
		for r := range part.rules() {
			g.rule(&r, sections)
		}
	}
	return []byte(strings.TrimRight(g.text.String(), "\n") + "\n")
}

// faultParts cut the list of rules into chapters.
var faultParts = []faultPart{
	{"Refusals", refusalsAbout, func(r *fault.Rule) bool { return r.ID != 0 && r.ID < 200 }},
	{"Faults of the stream", faultsAbout, func(r *fault.Rule) bool { return r.ID >= 200 && r.ID < 300 }},
	{"Faults of durable state", durableAbout, func(r *fault.Rule) bool { return r.ID >= 300 }},
	{"Everything else", elseAbout, func(r *fault.Rule) bool { return r.ID == 0 }},
}

func (g *page) codes() {
	g.printf("## Codes\n\n%s\n\n| code | again? | meaning |\n|---|---|---|\n", codesAbout)
	for _, c := range fault.Codes() {
		g.printf("| `%s` | %s | %s |\n", c, yes(c.Retryable()), c.Meaning())
	}
	g.printf("\nTwo more codes can only be read, in the failure of a turn that failed:\n\n| code | meaning |\n|---|---|\n")
	for _, c := range fault.FailureOnlyCodes() {
		g.printf("| `%s` | %s |\n", c.Code, c.Meaning)
	}
}

func (g *page) sides() {
	g.printf("\n## Whose fault\n\n%s\n\n| side | who that is |\n|---|---|\n", sidesAbout)
	for s := fault.SideConsumer; s.String() != ""; s++ {
		g.printf("| %s | %s |\n", s, sideMeanings[s])
	}
}

// glance is the list of all rules in one table.
func (g *page) glance() {
	g.printf("\n## All rules\n\n| rule | whose fault | what happened |\n|---|---|---|\n")
	for _, part := range faultParts {
		for r := range part.rules() {
			g.printf("| [`%s`](#%s) | %s | %s |\n", r.Name, r.Anchor(), orDash(r.Side.String()), said(&r))
		}
	}
	g.printf("\n")
}

// rule is the section of one rule.
func (g *page) rule(r *fault.Rule, sections map[string]string) {
	g.printf("<a id=\"%s\"></a>\n\n### %s\n\n", r.Anchor(), r.Name)
	if r.ID != 0 {
		g.printf("*Whose fault: %s. Code `%s`, trying again %s. Number %d.*\n\n", r.Side, r.Code, helps(r.Retryable), r.ID)
		g.printf("**What happened.** %s\n\n**When.** %s %s\n\n", r.Message, occasions[r.ID].when, sources(r.ID, sections))
	} else {
		g.printf("**What happened.** %s\n\n**When.** %s\n\n", said(r), conditions(r))
	}
	if r.Hint != "" {
		g.printf("**What to do.** %s\n\n", r.Hint)
	}
}

// sources links to the numbered rules of the protocol.
func sources(id fault.ID, sections map[string]string) string {
	var links []string
	for _, number := range occasions[id].from {
		links = append(links, "["+number+"]("+sections[number]+")")
	}
	return "(" + strings.Join(links, ", ") + ")"
}

// said is the message of a rule, or where it takes one from.
func said(r *fault.Rule) string {
	if r.Match != nil && r.Match.Dynamic {
		return "The failure's own message, with the hint that was attached to it."
	}
	return r.Message
}

// conditions puts what a rule looks for into words.
func conditions(r *fault.Rule) string {
	var parts []string
	for _, c := range r.Match.Any {
		switch {
		case c.Hint:
			parts = append(parts, "a hint is attached, and is not empty")
		case c.Code != "":
			parts = append(parts, "the provider's code is `"+c.Code+"`")
		case c.Status != 0:
			parts = append(parts, "the status is "+strconv.Itoa(c.Status))
		default:
			parts = append(parts, "the status is "+strconv.Itoa(c.StatusMin)+" or above")
		}
	}
	text := strings.Join(parts, ", or ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func helps(b bool) string {
	if b {
		return "helps"
	}
	return "does not help"
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// catalogJSON is the whole catalog as data.
func catalogJSON() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(catalogData()); err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	return out.Bytes(), nil
}
