package disk

import "strings"

const (
	logSuffix   = ".jsonl"
	stateSuffix = ".state"
	maxName     = 240 // bytes; leaves room for the suffixes below the 255 of common file systems
	upperHex    = "0123456789ABCDEF"
)

// escape is the file name of a session id, without suffix.
func escape(id string) string {
	var b strings.Builder
	for i := 0; i < len(id); i++ {
		c := id[i]
		if strings.IndexByte(`/\%:*?"<>|`, c) >= 0 || c < 0x20 || c == 0x7f || (c == '.' && i == 0) {
			b.WriteByte('%')
			b.WriteByte(upperHex[c>>4])
			b.WriteByte(upperHex[c&15])
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// unescape is the session id of a file name; a percent sign that begins no
// escape stands for itself.
func unescape(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '%' && i+2 < len(name) {
			hi, lo := strings.IndexByte(upperHex, name[i+1]), strings.IndexByte(upperHex, name[i+2])
			if hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
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
