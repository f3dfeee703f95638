package decision

import (
	"strings"
	"unicode/utf8"

	"github.com/tidemark-stream/tidemark/internal/canonical"
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Keys are the two keys of a call: the name of its tool, which stands for
// every call of that tool, and "tool:" followed by the canonical JSON of its input
// (RFC 8785), which stands for this call alone. An approver picks the width by the
// key that is remembered.
//
// A call without keys is a [fault.BadInput], and has to be asked about every time:
// an input that is no JSON or has no canonical form, and a tool whose name is empty,
// no text, or reads like the narrow key of another tool, since a grant for one call
// would then be one for all calls of that tool.
func Keys(tool string, input []byte) ([2]string, error) {
	if tool == "" || !utf8.ValidString(tool) {
		return [2]string{}, fault.New(fault.BadInput, "the name of a tool", "none")
	}
	if narrow(tool) {
		return [2]string{}, fault.New(fault.BadInput, "a tool whose name is no key of a single call", fault.Clip([]byte(tool)))
	}
	key, err := canonical.Append([]byte(tool+":"), input)
	if err != nil {
		return [2]string{}, err
	}
	return [2]string{tool, string(key)}, nil
}

// narrow reports whether a name is that of a tool, a colon, and JSON.
func narrow(tool string) bool {
	for i := strings.IndexByte(tool, ':'); i >= 0; {
		if problem, _ := rawjson.Check([]byte(tool[i+1:]), canonical.MaxDepth); problem == rawjson.OK {
			return true
		}
		next := strings.IndexByte(tool[i+1:], ':')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}
