package check_test

import (
	"encoding/json"
	"testing"

	"github.com/tidemark-stream/tidemark/pkg/check"
)

// FuzzCheck: no input panics, how it is cut changes nothing, every line of the
// report is JSON, and the summary counts what was found.
func FuzzCheck(f *testing.F) {
	for name, text := range recordings(f) {
		o := optionsFor(f, name)
		f.Add(uint8(o.Format), []byte(text), uint16(17))
		f.Add(uint8(1+len(name)%3), []byte(text), uint16(len(text)/2))
	}
	f.Add(uint8(check.HAR), []byte(`{"log":{"entries":[{"_eventSourceMessages":[{"data":"{}"}],"response":{"content":{"text":"\ud800"}}}]}}`), uint16(3))
	f.Fuzz(func(t *testing.T, format uint8, data []byte, at uint16) {
		o := check.Options{Format: check.Format(format % 4), MaxFrame: 1 << 16, MaxSessions: 8}
		style := check.Style{JSON: true}
		whole := report(o, style, string(data), whole)
		parts := report(o, style, string(data), func(left int) int { return min(left, 1+int(at)) })
		if whole != parts {
			t.Fatalf("cut at %d:\n%s\nwhole:\n%s", at, parts, whole)
		}
		lines := splitLines(whole)
		for _, line := range lines {
			if !json.Valid([]byte(line)) {
				t.Fatalf("not JSON: %s", line)
			}
		}
		found, s := run(o, string(data), 0)
		total := s.Findings(check.Error) + s.Findings(check.Warning) + s.Findings(check.Information)
		if int64(len(found)) != total {
			t.Fatalf("%d findings, %d counted", len(found), total)
		}
		report(o, check.Style{Max: 2, Width: 60, Colour: true}, string(data), func(left int) int { return left })
	})
}

func splitLines(text string) (lines []string) {
	start := 0
	for i, c := range text {
		if c == '\n' {
			lines = append(lines, text[start:i])
			start = i + 1
		}
	}
	return lines
}
