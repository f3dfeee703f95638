package cursor_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// TestFence walks tokens in log order; each is taken in when it fits, as the
// recorded events of a page are. The last one is the one that is judged. "-" is
// an event without a generation, which decides nothing. Digits without
// a leading zero are in an order, others are equal or not.
func TestFence(t *testing.T) {
	for _, c := range []struct {
		own, head string
		walk      string
		want      cursor.Fit
	}{
		// a fenced cursor lets nothing else pass.
		{"7", "", "7", cursor.Fits}, {"7", "", "-", cursor.Fits}, {"7", "", "7 - 7", cursor.Fits},
		{"7", "", "6", cursor.Lower}, {"7", "", "8", cursor.Breaks}, {"7", "8", "8", cursor.Breaks}, {"7", "", "07", cursor.Breaks},
		{"10", "", "9", cursor.Lower}, {"9", "", "10", cursor.Breaks}, {"99999999999999999999", "", "99999999999999999998", cursor.Lower},
		{"g1", "", "g1", cursor.Fits}, {"g1", "", "g0", cursor.Breaks}, {"g1", "", "1", cursor.Breaks}, {"0", "", "0", cursor.Fits}, {"0", "", "1", cursor.Breaks},
		// without one they may rise to the head's and never fall.
		{"", "", "1", cursor.Fits}, {"", "", "1 1", cursor.Fits}, {"", "", "1 2 3", cursor.Fits}, {"", "", "2 1", cursor.Lower}, {"", "", "9 10", cursor.Fits}, {"", "", "10 9", cursor.Lower},
		{"", "3", "1 2 3", cursor.Fits}, {"", "3", "4", cursor.Breaks}, {"", "3", "2 4", cursor.Breaks}, {"", "3", "3 4", cursor.Breaks}, {"", "3", "3 2", cursor.Lower}, {"", "3", "1 - 3 - 3", cursor.Fits},
		// Unordered ones may change, never back and never away from the head's.
		{"", "", "a b c", cursor.Fits}, {"", "", "a b a", cursor.Breaks}, {"", "", "a b c b", cursor.Breaks}, {"", "c", "a b c", cursor.Fits}, {"", "c", "a c d", cursor.Breaks}, {"", "c", "c a", cursor.Breaks},
		{"", "c", "a b", cursor.Fits}, {"", "", "a a a", cursor.Fits}, {"", "", "01 1", cursor.Fits}, {"", "", "01 1 01", cursor.Breaks},
		// Mixed: what is ordered stays in order across what is not.
		{"", "", "5 x 6", cursor.Fits}, {"", "", "5 x 5", cursor.Breaks}, {"", "", "5 x 4", cursor.Lower}, {"", "9", "5 x 9", cursor.Fits}, {"", "9", "5 x 10", cursor.Breaks}, {"", "x", "5 x 6", cursor.Breaks},
		// Nothing at all.
		{"", "", "-", cursor.Fits}, {"", "7", "-", cursor.Fits}, {"", "", "- - -", cursor.Fits},
	} {
		require.Equal(t, c.want, walk(t, c.own, c.head, 99, c.walk), "own %q head %q walk %q", c.own, c.head, c.walk)
	}
}

func walk(t *testing.T, own, head string, ends events.Seq, tokens string) cursor.Fit {
	f := cursor.NewFence(events.Generation(own), events.Generation(head), ends)
	words := strings.Fields(tokens)
	for i, w := range words {
		token := []byte(w)
		if w == "-" {
			token = nil
		}
		fit := f.Check(token, events.Seq(i+1))
		require.Equal(t, fit, f.Check(token, events.Seq(i+1)), "a check changes nothing")
		if i == len(words)-1 {
			return fit
		}
		require.Equal(t, cursor.Fits, fit, "%s of %s", w, tokens)
		f.Take(token)
	}
	return cursor.Fits
}

// what stands above the head was written under its generation, if it has one.
func TestFenceAboveTheHead(t *testing.T) {
	for _, c := range []struct {
		own, head string
		ends      events.Seq
		walk      string
		want      cursor.Fit
	}{
		{"", "2", 1, "1 1", cursor.Lower}, {"", "2", 2, "1 1", cursor.Fits}, {"", "2", 0, "1", cursor.Lower},
		{"", "2", 1, "1 2", cursor.Fits}, {"", "2", 1, "1 -", cursor.Fits}, {"", "2", 1, "1 - 1", cursor.Lower}, {"", "2", 1, "1 3", cursor.Breaks},
		{"", "b", 1, "a a", cursor.Breaks}, {"", "b", 1, "a b", cursor.Fits}, {"", "b", 1, "a c", cursor.Breaks}, {"", "b", 2, "a c", cursor.Fits},
		{"", "2", 1, "x x", cursor.Breaks}, {"", "", 0, "1 1", cursor.Fits}, {"", "", 0, "1 2", cursor.Fits},
		{"1", "2", 0, "1", cursor.Fits}, {"1", "", 0, "2", cursor.Breaks},
	} {
		require.Equal(t, c.want, walk(t, c.own, c.head, c.ends, c.walk), "own %q head %q at %d walk %q", c.own, c.head, c.ends, c.walk)
	}
	f := cursor.NewFence("", "2", 1)
	require.Equal(t, cursor.Fits, f.Check([]byte("1"), 0), "an unrecorded event stands nowhere")
}

// A log that changes hands without end under unordered tokens is not trusted,
// and does not make the fence grow without end.
func TestFenceIsBounded(t *testing.T) {
	f := cursor.NewFence("", "", 0)
	taken := 0
	for ; taken < 5000; taken++ {
		token := []byte("g" + strconv.Itoa(taken))
		if f.Check(token, 1) != cursor.Fits {
			break
		}
		f.Take(token)
	}
	require.Greater(t, taken, 1000)
	require.Less(t, taken, 1100)
}
