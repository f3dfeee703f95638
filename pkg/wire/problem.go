package wire

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// BeginProblem begins a problem document (RFC 9457) with the members that all have: the
// status that it goes with, a code, and what the catalog says of a rule.
func BeginProblem(status int, code string, rule fault.Rule) rawjson.Writer {
	w := rawjson.Begin(nil)
	w.Text("type", rule.Href())
	w.Text("title", rule.Message)
	w.Int("status", int64(status))
	w.Text("code", code)
	w.Text("rule", rule.Name)
	w.Text("hint", rule.Hint)
	w.Text("class", rule.Code.String())
	w.Bool("retryable", rule.Retryable)
	return w
}

// BeginFault begins the problem document of a fault.
func BeginFault(status int, f *fault.Fault) rawjson.Writer {
	w := BeginProblem(status, f.ID.String(), f.Rule())
	w.Known("session", f.Session)
	w.Known("expected", f.Expected)
	w.Known("found", f.Found)
	return w
}

// AppendProblem appends the problem document of a fault.
func AppendProblem(dst []byte, status int, f *fault.Fault) []byte {
	w := BeginFault(status, f)
	return append(dst, w.End()...)
}
