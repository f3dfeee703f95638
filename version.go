// Package tidemark keeps one cursor per session on an event stream, and refuses
// to join what does not connect: a gap, a taken-over log, a log that lost its end.
//
// The module is made of small packages; this one only knows the version. Start
// with pkg/link for one resumable connection, with pkg/cursor and pkg/replay for
// verdicts alone, with pkg/serve for a server. The same code runs in a page as
// the npm package tidemark. docs/design.md has the map of the house.
package tidemark

import (
	_ "embed"
	"strings"
)

//go:embed version.txt
var versionText string

// Version is the version of the module, of the npm package and of the command:
// the one line of version.txt.
func Version() string { return strings.TrimSpace(versionText) }
