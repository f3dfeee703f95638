package gen

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	protocolHead = regexp.MustCompile(`^##+ (.*)$`)
	protocolRule = regexp.MustCompile(`^- \*\*(R-\d+)\*\* `)
	unslugged    = regexp.MustCompile(`[^a-z0-9 -]`)
)

// sections says of each rule of docs/protocol.md, as in "R-46", in which section of that page it stands, as in
// "protocol.md#4-live-events": a rule has no anchor of its own.
func sections(root string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "protocol.md"))
	if err != nil {
		return nil, fmt.Errorf("gen: the rules to link to: %w", err)
	}
	found, section := map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		if m := protocolHead.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			section = strings.ReplaceAll(unslugged.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")
		} else if m := protocolRule.FindStringSubmatch(line); m != nil {
			found[m[1]] = "protocol.md#" + section
		}
	}
	return found, nil
}
