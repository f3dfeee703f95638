// Package tidemark follows event streams across reconnects. What does not continue
// what you already have is refused, not shown.
//
// It keeps one cursor per session, and refuses to join what does not connect: a gap,
// a log that was taken over, lost its end or became another one.
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
