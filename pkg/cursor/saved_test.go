package cursor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
)

// place reads "epoch token", as in "3 s1:41@7".
func place(t *testing.T, text string) cursor.Saved {
	var epoch uint64
	number, token, _ := strings.Cut(text, " ")
	_, err := fmt.Sscan(number, &epoch)
	require.NoError(t, err)
	s, ok := cursor.ReadSaved(epoch, token)
	require.True(t, ok, text)
	return s
}

// R-326: never backwards within an epoch, and a later epoch goes before any seq.
func TestReplaces(t *testing.T) {
	for _, c := range []struct {
		old, next string
		want      bool
	}{
		{"0 s1:9", "0 s1:10", true}, {"0 s1:9", "0 s1:6", false}, {"0 s1:9", "0 s1:9", true},
		{"0 s1:9", "1 s1:1", true}, {"1 s1:1", "0 s1:9", false}, {"2 s1:0", "10 s1:0", true},
		{"0 s1:99", "0 s1:100", true}, {"0 s1:9007199254740990", "0 s1:9007199254740991", true},
		// A record that stands before the first event is one, too.
		{"0 s1:0", "0 s1:1", true}, {"0 s1:1", "0 s1:0", false},
		// The generation decides only at the same place, and only that it is not lost.
		{"0 s1:9", "0 s1:9@7", true}, {"0 s1:9@7", "0 s1:9", false}, {"0 s1:9@7", "0 s1:9@7", true}, {"0 s1:9@7", "0 s1:9@8", false},
		{"0 s1:9@7", "0 s1:10", true}, {"0 s1:9@7", "0 s1:8@8", false}, {"0 s1:9@7", "1 s1:8@8", true},
	} {
		require.Equal(t, c.want, place(t, c.next).Replaces(place(t, c.old)), "%q over %q", c.next, c.old)
	}
}

// Of two records at different places exactly one may replace the other: however
// many writers meet, they agree on which record stays.
func TestReplacesIsAnOrder(t *testing.T) {
	var places []cursor.Saved
	for epoch := range uint64(3) {
		for seq := range 3 {
			places = append(places, place(t, fmt.Sprintf("%d s1:%d", epoch, seq)))
		}
	}
	for i, a := range places {
		for k, b := range places {
			require.Equal(t, i >= k, a.Replaces(b), "%v over %v", a, b)
		}
	}
}

func TestReadSavedRefusesWhatIsNoToken(t *testing.T) {
	for _, token := range []string{"", "s1", "s1:", ":4", "s1:04", "s1:-1", "s1:4@", "s1:9007199254740992", "s1:4@a b", "\x00:1"} {
		_, ok := cursor.ReadSaved(0, token)
		require.False(t, ok, "%q", token)
	}
}

func ExampleSaved_Replaces() {
	mine, _ := cursor.ReadSaved(0, "s1:6@7")
	theirs, _ := cursor.ReadSaved(0, "s1:9@7")
	fmt.Println(mine.Replaces(theirs), theirs.Replaces(mine))
	reloaded, _ := cursor.ReadSaved(1, "s1:2@8")
	fmt.Println(reloaded.Replaces(theirs))
	// Output:
	// false true
	// true
}
