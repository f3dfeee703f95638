package main

import (
	"bytes"
	"compress/flate"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// build links the empty program, the smallest module that Go makes.
func build(t *testing.T) []byte {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Fatal("the Go command has to be on the PATH: ", err)
	}
	out := filepath.Join(t.TempDir(), "empty.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, "../../scripts/empty")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	module, err := os.ReadFile(out)
	require.NoError(t, err)
	return module
}

func deflated(t *testing.T, b []byte) int {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Len()
}

func TestStrip(t *testing.T) {
	before := build(t)
	original := bytes.Clone(before)
	after, err := strip(before)
	require.NoError(t, err)

	assert.True(t, bytes.Equal(original, before), "nothing changes in place")
	assert.True(t, bytes.Contains(before, []byte("runtime.mallocgc\x00")), "the name stands there before")
	assert.False(t, bytes.Contains(after, []byte("runtime.mallocgc\x00")))
	assert.Less(t, deflated(t, after), deflated(t, before)*8/10)

	again, err := strip(after)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(after, again), "a second time changes nothing")
}

// Memory before the program starts is what it was, apart from what was blanked, and so is every other section.
func TestPackKeepsMemory(t *testing.T) {
	module := build(t)
	segments, section, err := dataSegments(module)
	require.NoError(t, err)
	image := load(module, segments)
	packed := pack(module, image, section)
	pieces, moved, err := dataSegments(packed)
	require.NoError(t, err)

	assert.Less(t, len(pieces), len(segments)/10)
	assert.Equal(t, bytes.TrimRight(image, "\x00"), load(packed, pieces))
	assert.Equal(t, module[:section.start], packed[:moved.start])
	assert.Equal(t, module[section.end:], packed[moved.end:])
}

func TestNextPiece(t *testing.T) {
	long := string(make([]byte, gap))
	short := long[1:]
	for name, c := range map[string]struct {
		image      string
		start, end int
	}{
		"nothing":                {"", 0, 0},
		"only zeros":             {long + long, 2 * gap, 2 * gap},
		"zeros before":           {"\x00\x00ab", 2, 4},
		"zeros behind":           {"ab\x00\x00", 0, 2},
		"a short run stays":      {"a" + short + "b", 0, gap + 1},
		"a long run ends it":     {"a" + long + "b", 0, 1},
		"at the end of a longer": {"a" + long + short, 0, 1},
	} {
		start, end := nextPiece([]byte(c.image), 0)
		assert.Equal(t, [2]int{c.start, c.end}, [2]int{start, end}, name)
	}
}

func TestAppendSigned(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 20, 1<<31 - 1, -1, -64, -65, -8193} {
		r := reader{buf: appendSigned(nil, n)}
		assert.Equal(t, n, r.signed())
		assert.Equal(t, len(r.buf), r.at)
	}
}

func TestStripRefuses(t *testing.T) {
	module := build(t)
	at := bytes.Index(module, tableMark)
	require.Positive(t, at)
	moved := bytes.Clone(module)
	moved[at] = 0xf2 // the magic of another layout
	huge := bytes.Clone(module)
	huge[at+15] = 0x7f // more functions than there can be

	for name, bad := range map[string][]byte{
		"empty": nil, "text": []byte("no module at all"), "header only": module[:8],
		"cut": module[:len(module)/2], "another layout": moved, "a broken header": huge,
	} {
		before := bytes.Clone(bad)
		_, err := strip(bad)
		assert.Error(t, err, name)
		assert.True(t, bytes.Equal(before, bad), name+": left as it was")
	}
}
