package sha256_test

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/require"

	own "github.com/tidemark-stream/tidemark/internal/sha256"
)

// noise is n bytes that look like any.
func noise(n int) []byte {
	text, x := make([]byte, n), uint32(n)+1
	for i := range text {
		x = x*1664525 + 1013904223
		text[i] = byte(x >> 24)
	}
	return text
}

func TestEveryLengthAgreesWithTheLibrary(t *testing.T) {
	former := own.Of([]byte("former"))
	for n := range 300 {
		text := noise(n)
		require.Equal(t, sha256.Sum256(text), own.Of(text), "%d bytes", n)
		linked := sha256.Sum256(append(former[:len(former):len(former)], text...))
		require.Equal(t, linked, own.Linked(&former, text), "%d bytes in a chain", n)
	}
	long := noise(100_000)
	require.Equal(t, sha256.Sum256(long), own.Of(long))
}

func TestTheTextIsOnlyRead(t *testing.T) {
	text := noise(200)
	before := bytes.Clone(text)
	own.Of(text)
	require.Equal(t, before, text)
}

func FuzzOf(f *testing.F) {
	for _, n := range []int{0, 23, 24, 31, 32, 55, 56, 63, 64, 65, 119, 120, 128} {
		f.Add(noise(n))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		require.Equal(t, sha256.Sum256(text), own.Of(text))
		var former [own.Size]byte
		require.Equal(t, sha256.Sum256(append(make([]byte, own.Size), text...)), own.Linked(&former, text))
	})
}

func BenchmarkLinked(b *testing.B) {
	text := noise(500)
	var sum [own.Size]byte
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		sum = own.Linked(&sum, text)
	}
}
