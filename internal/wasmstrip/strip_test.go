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
	after := bytes.Clone(before)
	require.NoError(t, strip(after))

	assert.Len(t, after, len(before), "every address stays")
	assert.True(t, bytes.Contains(before, []byte("runtime.mallocgc\x00")), "the name stands there before")
	assert.False(t, bytes.Contains(after, []byte("runtime.mallocgc\x00")))
	assert.Less(t, deflated(t, after), deflated(t, before)*9/10)

	again := bytes.Clone(after)
	require.NoError(t, strip(again))
	assert.True(t, bytes.Equal(after, again), "a second time changes nothing")
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
		assert.Error(t, strip(bad), name)
		assert.True(t, bytes.Equal(before, bad), name+": left as it was")
	}
}
