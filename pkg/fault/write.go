package fault

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// AppendJSON appends {"id","message","hint"}.
func (e Explanation) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Text("id", e.ID)
	w.Text("message", e.Message)
	w.Text("hint", e.Hint)
	return w.End()
}

// AppendJSON appends {"code","message","details"?,"retryable"}.
func (p PlatformError) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Text("code", p.Code)
	w.Text("message", p.Message)
	if p.Details.IsSet() {
		w.Raw("details", []byte(p.Details.sound()))
	}
	w.Bool("retryable", p.Retryable)
	return w.End()
}

// AppendJSON appends {"message","code"?,"status"?,"retryAfterMs"?,"name"?,"hint"?}.
func (f *Facts) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Text("message", f.Message)
	if f.HasCode() {
		w.Text("code", f.Code)
	}
	writeNumber(&w, "status", f.Status)
	writeNumber(&w, "retryAfterMs", f.RetryAfterMs)
	w.Known("name", f.Name)
	w.Known("hint", f.Hint)
	return w.End()
}

// AppendJSON appends {"id","rule","code","message","hint","href","retryable",
// "expected"?,"found"?,"session"?,"offset"?}; id is the number, rule its text.
func (f *Fault) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	f.Write(&w)
	return w.End()
}

// Write writes the members of [Fault.AppendJSON].
func (f *Fault) Write(w *rawjson.Writer) {
	rule := ruleOf(f.ID)
	w.Int("id", int64(f.ID))
	name := f.ID.String()
	w.Text("rule", name)
	w.Text("code", rule.Code.String())
	rule.writeWords(w, name)
	w.Bool("retryable", rule.Retryable)
	f.writeFacts(w)
}

// Write writes {"rule","message","hint","href"} of the rule as members.
func (id ID) Write(w *rawjson.Writer) {
	rule := ruleOf(id)
	name := id.String()
	w.Text("rule", name)
	rule.writeWords(w, name)
}

// writeWords writes what a person reads.
func (r *Rule) writeWords(w *rawjson.Writer, name string) {
	w.Text("message", r.Message)
	w.Text("hint", r.Hint)
	w.Text("href", href(name))
}

// writeFacts writes what is known beside the rule.
func (f *Fault) writeFacts(w *rawjson.Writer) {
	w.Known("expected", f.Expected)
	w.Known("found", f.Found)
	w.Known("session", f.Session)
	if f.Offset >= 0 {
		w.Int("offset", f.Offset)
	}
}

// writeNumber writes a number unless it is absent.
func writeNumber(w *rawjson.Writer, name string, n Number) {
	if n.IsSet() {
		w.Raw(name, []byte(n))
	}
}
