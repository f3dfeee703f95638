package abi

import "bytes"

// sessionInPath finds the session id in a URL of the protocol's routes:
// …/sessions/{id}/events. It is decoded; a broken escape is no id.
func sessionInPath(url string) (id string, ok bool) {
	path := []byte(url)
	if i := bytes.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	path, ok = bytes.CutSuffix(path, []byte("/events"))
	if !ok {
		return "", false
	}
	i := bytes.LastIndexByte(path, '/')
	if i < 0 || !bytes.HasSuffix(path[:i], []byte("/sessions")) {
		return "", false
	}
	return unescapePath(path[i+1:])
}

func unescapePath(text []byte) (string, bool) {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '%' {
			if i+2 >= len(text) {
				return "", false
			}
			hi, ok1 := unhex(text[i+1])
			lo, ok2 := unhex(text[i+2])
			if !ok1 || !ok2 {
				return "", false
			}
			c = hi<<4 | lo
			i += 2
		}
		out = append(out, c)
	}
	return string(out), len(out) > 0
}

func unhex(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}
