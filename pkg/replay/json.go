package replay

import (
	"strconv"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// AppendJSON appends the refusal as it travels to apps, logs and other hops:
// positions, and the catalog's words for them. base is the first seq on the
// wire, 0 or 1; numbers are shown as the wire writes them.
func (r *Refusal) AppendJSON(dst []byte, base events.Seq) []byte {
	rule := fault.RuleOf(r.ID())
	dst = append(dst, `{"session":`...)
	dst = rawjson.AppendQuoted(dst, r.Session)
	dst = appendText(dst, "reason", r.Reason.String())
	if r.Detail != fault.NoDetail {
		dst = appendText(dst, "detail", r.Detail.String())
	}
	dst = append(dst, `,"evidence":`...)
	dst = r.Evidence.appendJSON(dst, base)
	dst = appendText(dst, "rule", rule.Name)
	dst = appendText(dst, "message", rule.Message)
	dst = appendText(dst, "hint", rule.Hint)
	dst = appendText(dst, "href", rule.Href())
	return append(dst, '}')
}

func appendText(dst []byte, name, text string) []byte {
	dst = append(dst, ',', '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return rawjson.AppendQuoted(dst, text)
}

// appendJSON writes the members that are known, in a fixed order.
func (e *Evidence) appendJSON(dst []byte, base events.Seq) []byte {
	start := len(dst)
	dst = appendSeq(dst, "expectedSeq", e.ExpectedSeq, base)
	dst = appendSeq(dst, "receivedSeq", e.ReceivedSeq, base)
	dst = appendNumber(dst, "savedSeq", int(e.SavedSeq)-int(1-base), e.SavedSeq > 0 || base == 1)
	dst = appendKnown(dst, "savedGeneration", string(e.SavedGeneration))
	dst = appendKnown(dst, "observedGeneration", string(e.ObservedGeneration))
	dst = appendNumber(dst, "lastSeq", int(e.LastSeq)-int(1-base), e.HasHead)
	dst = appendSeq(dst, "oldestSeq", e.OldestSeq, base)
	dst = appendNumber(dst, "index", e.Index, e.Index >= 0)
	dst = appendNumber(dst, "status", e.Status, e.Status != 0)
	dst = appendKnown(dst, "problem", e.Problem.String())
	if len(dst) == start {
		return append(dst, '{', '}')
	}
	dst[start] = '{'
	return append(dst, '}')
}

func appendSeq(dst []byte, name string, seq, base events.Seq) []byte {
	return appendNumber(dst, name, int(cursor.ToWire(seq, base)), seq > 0)
}

func appendNumber(dst []byte, name string, n int, known bool) []byte {
	if !known {
		return dst
	}
	dst = append(dst, ',', '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return strconv.AppendInt(dst, int64(n), 10)
}

func appendKnown(dst []byte, name, text string) []byte {
	if text == "" {
		return dst
	}
	return appendText(dst, name, text)
}
