package abi

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// sessionInPath finds the session id in a URL of the protocol's routes:
// …/sessions/{id}/events. It is decoded; "" when there is none, or when an
// escape in it is broken.
func sessionInPath(url string) string {
	const before, behind = "/sessions/", "/events"
	end := pathEnd(url) - len(behind)
	if end < 0 || url[end:end+len(behind)] != behind {
		return ""
	}
	from := end
	for from > 0 && url[from-1] != '/' {
		from--
	}
	if from < len(before) || url[from-len(before):from] != before {
		return ""
	}
	return unescapePath([]byte(url[from:end]))
}

// pathEnd is where the query or the fragment begins.
func pathEnd(url string) int {
	for i := range len(url) {
		if url[i] == '?' || url[i] == '#' {
			return i
		}
	}
	return len(url)
}

// unescapePath undoes the escapes of text in place.
func unescapePath(text []byte) string {
	n := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '%' {
			if i+2 >= len(text) || !rawjson.IsHex(text[i+1]) || !rawjson.IsHex(text[i+2]) {
				return ""
			}
			c = rawjson.Hex(text[i+1])<<4 | rawjson.Hex(text[i+2])
			i += 2
		}
		text[n] = c
		n++
	}
	return string(text[:n])
}
