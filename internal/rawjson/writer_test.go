package rawjson

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWriter(t *testing.T) {
	w := Begin([]byte("x"))
	assert.Equal(t, "x{}", string(w.End()), "an object without members")

	w = Begin([]byte("["))
	w.Text("a\n", "b\"")
	w.Known("c", "")
	w.Known("d", "e")
	w.Int("f", -7)
	w.Bool("g", false)
	w.Raw("h", []byte("[1]"))
	w.Name("i")
	w.Append(func(dst []byte) []byte { return append(dst, "null"...) })
	assert.Equal(t, `[{"a\n":"b\"","d":"e","f":-7,"g":false,"h":[1],"i":null}`, string(w.End()))
}

func TestAppendInt(t *testing.T) {
	for _, n := range []int64{0, 1, -1, 10, 9007199254740991, math.MaxInt64, math.MinInt64} {
		assert.Equal(t, strconv.FormatInt(n, 10), string(AppendInt(nil, n)))
	}
}
