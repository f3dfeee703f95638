package cursor_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// tokenVectors are those of testdata/vectors/tokens.json, which has the rules
// case by case.
func tokenVectors(t testing.TB) (texts []string) {
	file, err := os.ReadFile("../../testdata/vectors/tokens.json")
	require.NoError(t, err)
	var document struct{ Cases []struct{ Token string } }
	require.NoError(t, json.Unmarshal(file, &document))
	require.NotEmpty(t, document.Cases)
	for _, c := range document.Cases {
		texts = append(texts, c.Token)
	}
	return texts
}

// Both forms are read, and a fenced cursor is written with its generation.
func TestTokenRoundTrip(t *testing.T) {
	for _, c := range []struct {
		cursor cursor.Cursor
		one    string // with base 1
		zero   string // with base 0
	}{
		{cursor.Cursor{Session: "s1", Seq: 4}, "s1:4", "s1:3"},
		{cursor.Cursor{Session: "s1", Seq: 1, Generation: "g1"}, "s1:1@g1", "s1:0@g1"},
		{cursor.Cursor{Session: "s1", Seq: events.MaxSeq}, "s1:9007199254740991", "s1:9007199254740990"},
		{cursor.Cursor{Session: "a:b@c:9", Seq: 7, Generation: "x y/é%@:"}, "a:b@c:9:7@x%20y%2F%C3%A9%25%40%3A", "a:b@c:9:6@x%20y%2F%C3%A9%25%40%3A"},
		{cursor.Cursor{Session: "会話", Seq: 2, Generation: "0"}, "会話:2@0", "会話:1@0"},
	} {
		for base, token := range []string{c.zero, c.one} {
			require.Equal(t, token, c.cursor.Token(events.Seq(base)))
			back, err := cursor.Parse(token, events.Seq(base))
			require.NoError(t, err)
			require.Equal(t, c.cursor, back)
		}
	}
}

// nothing received has a token only where numbers begin at 1.
func TestTokenOfNothingReceived(t *testing.T) {
	c := cursor.Cursor{Session: "s1", Generation: "g1"}
	require.Equal(t, "s1:0@g1", c.Token(1))
	require.Empty(t, c.Token(0))
	require.Equal(t, "before", string(c.AppendToken([]byte("before"), 0)))
}

func TestParseFault(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, token := range []string{"s1:-1", long, "s1\x00:4", "\xff:4"} {
		_, err := cursor.Parse(token, 1)
		require.ErrorIs(t, err, fault.InvalidCursor)
		f := err.(*fault.Fault)
		require.Contains(t, f.Expected, "<session>:<seq>")
		require.NotEmpty(t, f.Found)
		require.Less(t, len(f.Found), 500)
	}
}

//
func TestValidSession(t *testing.T) {
	for id, want := range map[string]bool{
		"s": true, "a:b": true, "a@b": true, " ": true, "会話🚆": true, "%00": true, "\u00a0": true, "\u2028": true,
		"": false, "a\x00": false, "\n": false, "a\x7f": false, "\u0080": false, "a\u009fb": false, "\xff": false, "\xed\xa0\x80": false,
	} {
		require.Equal(t, want, cursor.ValidSession(id), "%q", id)
	}
}

// FuzzToken: a text is a token or a fault; a token keeps its meaning when it is
// written again, and then its form; as an SSE id it is read alike.
func FuzzToken(f *testing.F) {
	for _, text := range tokenVectors(f) {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, fromOne bool) {
		base := events.Seq(0)
		if fromOne {
			base = 1
		}
		c, err := cursor.Parse(text, base)
		if err != nil {
			require.ErrorIs(t, err, fault.InvalidCursor)
			require.Zero(t, c)
			return
		}
		token := c.Token(base)
		again, err := cursor.Parse(token, base)
		require.NoError(t, err)
		require.Equal(t, c, again)
		require.Equal(t, token, again.Token(base))
		id := cursor.ReadID([]byte(text), base)
		require.True(t, id.OK)
		require.Equal(t, c.Session, string(id.Session))
		require.Equal(t, c.Seq, id.Seq)
		e := events.Envelope{Session: []byte(c.Session), Seq: c.Seq, Generation: []byte(c.Generation)}
		require.False(t, id.Contradicts(&e), "an id agrees with the event it stands for")
	})
}
