package disk

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

const (
	suffix   = ".json"
	children = "children"
	maxName  = 240 // bytes; leaves room for the suffix below the 255 of common file systems
)

// errName is an id that no file can be named after.
var errName = errors.New("the id makes no file name")

// plain are the characters that stand for themselves, besides letters and digits.
const plain = "-_.+@~!=,()"

// escape is the file name of an id, without suffix; no name when the id is empty
// or makes one that is too long.
func escape(id string) (name string, err error) {
	var b []byte
	for i := range len(id) {
		if c := id[i]; standsForItself(c) && !(c == '.' && (i == 0 || i == len(id)-1)) {
			b = append(b, c)
		} else {
			b = rawjson.AppendPercent(b, c)
		}
	}
	if len(b) == 0 || len(b) > maxName {
		f := fault.New(fault.BadInput, "an id that makes a file name of 1 to "+strconv.Itoa(maxName)+" bytes", strconv.Itoa(len(b))+" bytes")
		f.Err = errName
		return "", f
	}
	return string(b), nil
}

func standsForItself(c byte) bool {
	return c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte(plain, c) >= 0
}

// unescape is the id of a file name; false for a name that no id has.
func unescape(name string) (id string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] != '%' {
			b.WriteByte(name[i])
			continue
		}
		if i+2 >= len(name) || !rawjson.IsHex(name[i+1]) || !rawjson.IsHex(name[i+2]) {
			return "", false
		}
		b.WriteByte(rawjson.Hex(name[i+1])<<4 | rawjson.Hex(name[i+2]))
		i += 2
	}
	again, err := escape(b.String())
	return b.String(), err == nil && again == name
}
