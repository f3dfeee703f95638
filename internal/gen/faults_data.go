package gen

import (
	"iter"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// The catalog as it stands in the npm package. Members are never taken away or
// given another meaning; a change that has to do so raises Version.
type catalogFile struct {
	Version       int            `json:"version"`
	Docs          string         `json:"docs"`
	Codes         []codeData     `json:"codes"`
	FailureOnly   []codeData     `json:"failureOnlyCodes"`
	ProviderCodes []providerData `json:"providerCodes"`
	Sides         []sideData     `json:"sides"`
	Refusals      []refusalData  `json:"refusals"`
	Rules         []ruleData     `json:"rules"`
}

type codeData struct {
	Code      string `json:"code"`
	Retryable *bool  `json:"retryable,omitempty"`
	Meaning   string `json:"meaning"`
}

type providerData struct {
	Code      string `json:"code"`
	Retryable *bool  `json:"retryable,omitempty"` // absent: the code alone does not say
}

type sideData struct {
	Side    string `json:"side"`
	Meaning string `json:"meaning"`
}

type refusalData struct {
	Reason string `json:"reason"`
	Detail string `json:"detail,omitempty"`
	Rule   string `json:"rule"`
}

type ruleData struct {
	ID           string          `json:"id"`
	Number       int             `json:"number,omitempty"`
	Side         string          `json:"side,omitempty"`
	Code         string          `json:"code,omitempty"`
	Retryable    *bool           `json:"retryable,omitempty"`
	Any          []conditionData `json:"any,omitempty"`
	ProviderOnly bool            `json:"providerOnly,omitempty"`
	Dynamic      bool            `json:"dynamic,omitempty"`
	Message      string          `json:"message"`
	Hint         string          `json:"hint"`
	When         string          `json:"when,omitempty"`
	Protocol     []string        `json:"protocol,omitempty"`
	Href         string          `json:"href"`
}

type conditionData struct {
	Hint   string         `json:"hint,omitempty"`
	Code   string         `json:"code,omitempty"`
	Status map[string]int `json:"status,omitempty"`
}

func catalogData() catalogFile {
	c := catalogFile{Version: 1, Docs: fault.DocsPage, Refusals: refusals()}
	for _, code := range fault.Codes() {
		c.Codes = append(c.Codes, codeData{code.String(), new(code.Retryable()), code.Meaning()})
	}
	for _, code := range fault.FailureOnlyCodes() {
		c.FailureOnly = append(c.FailureOnly, codeData{code.Code, nil, code.Meaning})
	}
	for _, code := range fault.ProviderCodes() {
		row := providerData{Code: code}
		if retryable, known := fault.ProviderRetryable(code); known {
			row.Retryable = &retryable
		}
		c.ProviderCodes = append(c.ProviderCodes, row)
	}
	for s := fault.SideConsumer; s.String() != ""; s++ {
		c.Sides = append(c.Sides, sideData{s.String(), sideMeanings[s]})
	}
	for r := range fault.All() {
		c.Rules = append(c.Rules, ruleRow(&r))
	}
	return c
}

// refusals pairs every reason with each of its details.
func refusals() (rows []refusalData) {
	for r := fault.ReasonCursorAhead; r.String() != ""; r++ {
		rows = append(rows, refusalData{r.String(), "", fault.RefusalID(r, fault.NoDetail).String()})
		for d := fault.DetailHole; d.String() != ""; d++ {
			if d.Reason() == r {
				rows = append(rows, refusalData{r.String(), d.String(), fault.RefusalID(r, d).String()})
			}
		}
	}
	return rows
}

func ruleRow(r *fault.Rule) ruleData {
	row := ruleData{
		ID: r.Name, Number: int(r.ID), Side: r.Side.String(), Message: r.Message, Hint: r.Hint,
		When: occasions[r.ID].when, Protocol: occasions[r.ID].from, Href: r.Href(),
	}
	if r.ID != 0 {
		row.Code, row.Retryable = r.Code.String(), &r.Retryable
	}
	if r.Match != nil {
		row.ProviderOnly, row.Dynamic = r.Match.ProviderOnly, r.Match.Dynamic
		for _, c := range r.Match.Any {
			row.Any = append(row.Any, conditionRow(c))
		}
	}
	return row
}

func conditionRow(c fault.Condition) conditionData {
	switch {
	case c.Hint:
		return conditionData{Hint: "present"}
	case c.Code != "":
		return conditionData{Code: c.Code}
	case c.Status != 0:
		return conditionData{Status: map[string]int{"eq": c.Status}}
	}
	return conditionData{Status: map[string]int{"gte": c.StatusMin}}
}

// faultPart is one chapter of the page.
type faultPart struct {
	title, about string
	holds        func(*fault.Rule) bool
}

// rules are those of the chapter, in the order of the catalog.
func (p *faultPart) rules() iter.Seq[fault.Rule] {
	return func(yield func(fault.Rule) bool) {
		for r := range fault.All() {
			if p.holds(&r) && !yield(r) {
				return
			}
		}
	}
}
