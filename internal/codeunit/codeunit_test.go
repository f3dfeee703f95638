package codeunit

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

// edges has characters on both sides of every place where the order of bytes and
// that of code units could part.
var edges = []rune{0, 'a', 'b', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfb33, 0xffff, 0x10000, 0x1f600, 0x10ffff}

// plain is the definition itself.
func plain(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// by code unit.
func TestComparesAsUTF16Does(t *testing.T) {
	var texts []string
	for _, a := range append(edges, -1) {
		for _, b := range edges {
			if texts = append(texts, string(b)); a >= 0 {
				texts = append(texts, string([]rune{a, b}))
			}
		}
	}
	for _, a := range append(texts, "") {
		for _, b := range texts {
			require.Equal(t, plain(a, b), Compare(a, b), "%q and %q", a, b)
			require.Equal(t, plain(b, a), Compare([]byte(b), []byte(a)), "%q and %q", b, a)
		}
	}
}

func TestRandomTextComparesAsUTF16Does(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	draw := func() string {
		text := make([]rune, dice.IntN(6))
		for i := range text {
			text[i] = edges[dice.IntN(len(edges))]
		}
		return string(text)
	}
	for range 20000 {
		a, b := draw(), draw()
		require.Equal(t, plain(a, b), Compare(a, b), "%q and %q", a, b)
	}
}

// The order stays one for bytes that are no text, or a sorted list could not be
// searched.
func FuzzIsATotalOrder(f *testing.F) {
	f.Add("a", "\uffff", "\U00010000")
	f.Add("\xee", "\xf0", "\xff")
	f.Add("", "\xed\xa0\x80", "\x80")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		require.Equal(t, a == b, Compare(a, b) == 0)
		require.Equal(t, -Compare(a, b), Compare(b, a))
		if Compare(a, b) <= 0 && Compare(b, c) <= 0 {
			require.LessOrEqual(t, Compare(a, c), 0)
		}
	})
}
