package disk

import (
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

const (
	logSuffix   = ".jsonl"
	stateSuffix = ".state"
	maxName     = 240 // bytes; leaves room for the suffixes below the 255 of common file systems
)

// escape is the file name of a session id, without suffix.
func escape(id string) string {
	var b []byte
	for i := 0; i < len(id); i++ {
		c := id[i]
		if strings.IndexByte(`/\%:*?"<>|`, c) >= 0 || c < 0x20 || c == 0x7f || (c == '.' && i == 0) {
			b = rawjson.AppendPercent(b, c)
			continue
		}
		b = append(b, c)
	}
	return string(b)
}

// unescape is the session id of a file name; a percent sign that begins no
// escape stands for itself.
func unescape(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '%' && i+2 < len(name) {
			if c := rawjson.Hex(name[i+1])<<4 | rawjson.Hex(name[i+2]); string(rawjson.AppendPercent(nil, c)) == name[i:i+3] {
				b.WriteByte(c)
				i += 2
				continue
			}
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// sessionOf is the session id of a file in the folder, false for other files.
func sessionOf(file string) (string, bool) {
	name, ok := strings.CutSuffix(file, logSuffix)
	if !ok || name == "" || name[0] == '.' {
		return "", false
	}
	return unescape(name), true
}
