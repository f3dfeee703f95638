package worker

import (
	"net/http"
	"strings"
)

// whole undoes what the request was read with: its values were cut at every comma, also
// at those within a value.
func whole(cut http.Header) http.Header {
	out := make(http.Header, len(cut))
	for name, parts := range cut {
		out[name] = []string{strings.Join(parts, ",")}
	}
	return out
}
