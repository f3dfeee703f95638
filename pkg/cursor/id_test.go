package cursor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// envelope writes an event down as <session>:<seq>@<generation>; parts may be
// missing.
func envelope(session string, seq events.Seq, generation string) *events.Envelope {
	e := &events.Envelope{Seq: seq, Known: -1}
	if session != "" {
		e.Session = []byte(session)
	}
	if generation != "" {
		e.Generation = []byte(generation)
	}
	return e
}

// what an id contradicts; R-59: what it says nothing about.
func TestContradicts(t *testing.T) {
	for _, c := range []struct {
		id    string
		event *events.Envelope
		want  bool
	}{
		{"s1:4", envelope("s1", 4, ""), false},
		{"s1:4", envelope("", 4, "g1"), false},
		{"s1:4@g1", envelope("s1", 4, "g1"), false},
		{"s1:4@g1", envelope("s1", 4, ""), false},
		{"s1:4@a%20b", envelope("s1", 4, "a b"), false},
		{"s1:5", envelope("s1", 4, ""), true},
		{"s1:3", envelope("s1", 4, ""), true},
		{"s1:0", envelope("s1", 4, ""), true},
		{"s2:4", envelope("s1", 4, ""), true},
		{"s1:4@g2", envelope("s1", 4, "g1"), true},
		{"s1:4@g1x", envelope("s1", 4, "g1"), true},
		{"s1:4@g", envelope("s1", 4, "g1"), true},
		{"s1:4@a%20c", envelope("s1", 4, "a b"), true},
		// An event without a seq has no place that could be contradicted.
		{"s2:5@g2", envelope("s1", 0, "g1"), false},
		// No token: some other server's numbering.
		{"", envelope("s1", 4, ""), false},
		{"5", envelope("s1", 4, ""), false},
		{"1732-0", envelope("s1", 4, ""), false},
		{"s1:04", envelope("s1", 5, ""), false},
		{"s1:x", envelope("s1", 4, ""), false},
		{"s1:5@a%2", envelope("s1", 4, "a b"), false},
		{"s1:5@", envelope("s1", 4, "g1"), false},
		{"s\x01:5", envelope("s1", 4, ""), false},
		{"s1:9007199254740992", envelope("s1", 4, ""), false},
	} {
		id := cursor.ReadID([]byte(c.id), 1)
		require.Equal(t, c.want, id.Contradicts(c.event), "%s and %d of %s@%s", c.id, c.event.Seq, c.event.Session, c.event.Generation)
	}
}

func TestReadID(t *testing.T) {
	for _, c := range []struct {
		id      string
		base    events.Seq
		session string
		seq     events.Seq
		ok      bool
	}{
		{"s1:4", 1, "s1", 4, true}, {"a:b:4@g", 1, "a:b", 4, true}, {"7", 1, "", 7, true}, {"7", 0, "", 8, true}, {"0", 0, "", 1, true}, {"0", 1, "", 0, true},
		{"9007199254740991", 1, "", events.MaxSeq, true}, {"9007199254740992", 1, "", 0, false}, {"9007199254740991", 0, "", 0, false},
		{"", 1, "", 0, false}, {":4", 1, "", 0, false}, {"s1:", 1, "", 0, false}, {"-7", 1, "", 0, false}, {"07", 1, "", 0, false}, {"s1:4x", 1, "", 0, false},
	} {
		id := cursor.ReadID([]byte(c.id), c.base)
		require.Equal(t, c.ok, id.OK, c.id)
		if c.ok {
			require.Equal(t, c.session, string(id.Session), c.id)
			require.Equal(t, c.seq, id.Seq, c.id)
		}
	}
}

// The short answer never differs from the long one: what it confirms is a token
// that names exactly the event's place.
func TestConfirms(t *testing.T) {
	sessions := []string{"s1", "s", "s:1", "s1:4@x", "é"}
	generations := []string{"", "7", "g", "%41", "A", "x:7", "a@b", "a b", "é", "@"}
	for _, s := range sessions {
		for _, g := range generations {
			e := envelope(s, 4, g)
			for _, id := range []string{
				s + ":4", s + ":4@" + g, s + ":5@" + g, s + "x:4@" + g, s + ":4@" + g + "x", s + ":04@" + g, ":4", s, s + "4@" + g,
				cursor.Cursor{Session: s, Seq: 4, Generation: events.Generation(g)}.Token(1),
			} {
				long := cursor.ReadID([]byte(id), 1)
				same := long.OK && long.Session != nil && !long.Contradicts(e)
				if cursor.Confirms([]byte(id), e, 1) {
					require.True(t, same, "%q of %+v", id, e)
				}
			}
			if plain := cursor.Confirms([]byte(s+":4@"+g), e, 1); g == "7" || g == "g" || g == "A" {
				require.True(t, plain, "%s@%s", s, g)
			}
		}
	}
}
