package fault

import (
	"strconv"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// AppendJSON appends {"id","message","hint"}.
func (e Explanation) AppendJSON(dst []byte) []byte {
	dst = appendText(append(dst, '{'), "id", e.ID)
	dst = appendText(dst, "message", e.Message)
	return append(appendText(dst, "hint", e.Hint), '}')
}

// AppendJSON appends {"code","message","details"?,"retryable"}.
func (p PlatformError) AppendJSON(dst []byte) []byte {
	dst = appendText(append(dst, '{'), "code", p.Code)
	dst = appendText(dst, "message", p.Message)
	if p.Details.IsSet() {
		dst = append(appendName(dst, "details"), p.Details.sound()...)
	}
	return append(appendBool(dst, "retryable", p.Retryable), '}')
}

// AppendJSON appends {"message","code"?,"status"?,"retryAfterMs"?,"name"?,"hint"?}.
func (f *Facts) AppendJSON(dst []byte) []byte {
	dst = appendText(append(dst, '{'), "message", f.Message)
	if f.HasCode() {
		dst = appendText(dst, "code", f.Code)
	}
	dst = appendNumber(dst, "status", f.Status)
	dst = appendNumber(dst, "retryAfterMs", f.RetryAfterMs)
	dst = appendSet(dst, "name", f.Name)
	return append(appendSet(dst, "hint", f.Hint), '}')
}

// AppendJSON appends {"id","rule","message","hint","href","expected"?,"found"?,
// "session"?,"offset"?}; id is the number, rule its text.
func (f *Fault) AppendJSON(dst []byte) []byte {
	rule := f.Rule()
	dst = appendNumber(append(dst, '{'), "id", Int(int64(f.ID)))
	dst = appendText(dst, "rule", rule.Name)
	dst = appendText(dst, "message", rule.Message)
	dst = appendText(dst, "hint", rule.Hint)
	dst = appendText(dst, "href", rule.Href())
	return append(f.appendFacts(dst), '}')
}

// appendFacts appends what is known beside the rule, as members of an open object.
func (f *Fault) appendFacts(dst []byte) []byte {
	dst = appendSet(dst, "expected", f.Expected)
	dst = appendSet(dst, "found", f.Found)
	dst = appendSet(dst, "session", f.Session)
	if f.Offset >= 0 {
		dst = appendNumber(dst, "offset", Int(f.Offset))
	}
	return dst
}

// AppendJSON appends the row as the catalog has it: {"id","number"?,"side"?,"code"?,
// "retryable"?,"any"?,"providerOnly"?,"dynamic"?,"message","hint","href"}; code and
// retryable are left out where the failure's own count.
func (r *Rule) AppendJSON(dst []byte) []byte {
	dst = appendText(append(dst, '{'), "id", r.Name)
	if r.ID != 0 {
		dst = appendNumber(dst, "number", Int(int64(r.ID)))
	}
	dst = appendSet(dst, "side", r.Side.String())
	if r.ID != 0 {
		dst = appendText(dst, "code", r.Code.String())
		dst = appendBool(dst, "retryable", r.Retryable)
	}
	if r.Match != nil {
		dst = r.Match.append(dst)
	}
	dst = appendText(dst, "message", r.Message)
	dst = appendText(dst, "hint", r.Hint)
	return append(appendText(dst, "href", r.Href()), '}')
}

func (m *Match) append(dst []byte) []byte {
	dst = append(appendName(dst, "any"), '[')
	for i := range m.Any {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = m.Any[i].append(dst)
	}
	dst = append(dst, ']')
	if m.ProviderOnly {
		dst = appendBool(dst, "providerOnly", true)
	}
	if m.Dynamic {
		dst = appendBool(dst, "dynamic", true)
	}
	return dst
}

func (c *Condition) append(dst []byte) []byte {
	dst = append(dst, '{')
	switch {
	case c.Hint:
		dst = appendText(dst, "hint", "present")
	case c.Code != "":
		dst = appendText(dst, "code", c.Code)
	case c.Status != 0:
		dst = appendStatus(dst, "eq", c.Status)
	case c.StatusMin != 0:
		dst = appendStatus(dst, "gte", c.StatusMin)
	}
	return append(dst, '}')
}

func appendStatus(dst []byte, operator string, status int) []byte {
	dst = append(appendName(dst, "status"), '{')
	return append(appendNumber(dst, operator, Int(int64(status))), '}')
}

// appendSet appends a text member unless the text is empty.
func appendSet(dst []byte, name, text string) []byte {
	if text == "" {
		return dst
	}
	return appendText(dst, name, text)
}

// appendNumber appends a number member unless it is absent.
func appendNumber(dst []byte, name string, n Number) []byte {
	if !n.IsSet() {
		return dst
	}
	return append(appendName(dst, name), n...)
}

// appendText appends a text member to an object that has been opened.
func appendText(dst []byte, name, text string) []byte {
	return rawjson.AppendQuoted(appendName(dst, name), text)
}

func appendBool(dst []byte, name string, b bool) []byte {
	return strconv.AppendBool(appendName(dst, name), b)
}

func appendName(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(rawjson.AppendQuoted(dst, name), ':')
}
