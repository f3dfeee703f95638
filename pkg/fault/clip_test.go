package fault_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// A long value is cut, and never inside of a character.
func TestClip(t *testing.T) {
	for _, c := range []string{"x", "é", "€", "😀"} {
		for before := range 4 {
			text := strings.Repeat("x", before) + strings.Repeat(c, 80)
			shown, cut := strings.CutSuffix(fault.Clip([]byte(text)), "…")
			require.True(t, cut)
			require.True(t, utf8.ValidString(shown), shown)
			require.True(t, strings.HasPrefix(text, shown))
			require.LessOrEqual(t, len(shown), 60)
			require.Greater(t, len(shown), 56)
		}
	}
	require.Equal(t, strings.Repeat("x", 60), fault.Clip([]byte(strings.Repeat("x", 60))), "just short enough")
	require.Equal(t, strings.Repeat("\x80", 57)+"…", fault.Clip([]byte(strings.Repeat("\x80", 61))), "what is no text is cut all the same")
}
