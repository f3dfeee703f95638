package link_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// proofs reads what a story says of them. A word that was saved is the text of the
// message that the cursor of the same place stands on, with a star when the proof
// was made by another profile, with a question mark when it was saved with a doubt;
// "-" is no proof.
func (s *stage) proofs(o *link.Options, c *scene) {
	for p := link.ProofByProfile; p <= link.Off; p++ {
		if c.value("proof") == p.String() {
			o.Proof = p
		}
	}
	for i, word := range c.values["saved"] {
		if word == "-" {
			continue
		}
		word, doubted := strings.CutPrefix(word, "?")
		made, star := strings.CutPrefix(word, "*")
		by := o.Profile
		if star {
			by = &profile.Session
		}
		proof := s.proof(by, made)
		if doubted {
			proof.Doubt()
		}
		o.Proofs = append(o.Proofs, link.SavedProof{Session: o.Cursors[i].Session, Digest: proof})
	}
}

// proof is that of a message with a text.
func (s *stage) proof(p *profile.Profile, text string) cursor.Proof {
	if p == nil {
		p = &profile.Session
	}
	proof, ok := cursor.NewProver(p).Of(fmt.Appendf(nil, `{"type":"message","text":%q}`, text))
	require.True(s.t, ok)
	return proof
}

// applied says that an event was taken in, with its text when a word is given.
func (s *stage) applied(c *scene) {
	lane, seq := s.number(c.words[0]), events.Seq(s.number(c.words[1]))
	word := c.value("text")
	if word == "" {
		s.link.Applied(lane, seq)
		return
	}
	g := link.Given{Lane: lane, Seq: seq, Event: fmt.Sprintf(`{"type":"message","text":%q}`, word)}
	require.True(s.t, s.link.Give(s.moment(), 14, &g))
}

// what cannot be proven cannot be required, and is not asked for by itself.
func TestProofOptions(t *testing.T) {
	parse := func(text string) *profile.Profile {
		p, err := profile.Parse([]byte(text))
		require.NoError(t, err)
		return p
	}
	for _, c := range []struct {
		profile *profile.Profile
		setting link.Proof
		asks    events.Seq // of a saved cursor at 3 with a proof; 0: it is a fault
	}{
		{nil, link.ProofByProfile, 2}, {nil, link.Prefer, 2}, {nil, link.Require, 2}, {nil, link.Off, 3},
		{&profile.Record, link.ProofByProfile, 2}, {&profile.Run, link.Require, 2},
		{parse(`{}`), link.ProofByProfile, 3}, {parse(`{}`), link.Prefer, 3}, {parse(`{}`), link.Require, 0}, {parse(`{}`), link.Off, 3},
		{parse(`{"identity":["text"]}`), link.ProofByProfile, 3}, {parse(`{"identity":["text"]}`), link.Prefer, 2}, {parse(`{"identity":["text"]}`), link.Require, 2},
		{parse(`{"identity":["text"],"continuity":"opaque"}`), link.Prefer, 3}, {parse(`{"identity":["text"],"continuity":"opaque"}`), link.Require, 0},
		{parse(`{"identity":["text"],"position":"counted"}`), link.Require, 0},
	} {
		s := &stage{t: t}
		o := link.Options{Profile: c.profile, Proof: c.setting, Cursors: []cursor.Cursor{{Session: "s1", Seq: 3}}}
		if v := proverOf(c.profile); v != nil {
			o.Proofs = []link.SavedProof{{Session: "s1", Digest: s.proof(c.profile, "cake")}}
		}
		l, err := link.New(o)
		if c.asks == 0 {
			require.ErrorIs(t, err, fault.InvalidOptions)
			require.Contains(t, err.Error(), "proof: require")
			continue
		}
		require.NoError(t, err)
		l.Start(link.Moment{})
		require.Equal(t, c.asks, l.Next().Asks[0].Cursor.Seq, "%+v", c)
	}
}

func proverOf(p *profile.Profile) *cursor.Prover {
	if p == nil {
		p = &profile.Session
	}
	return cursor.NewProver(p)
}

// A driver that stops draining and gives the next input gets the proof of the last
// event it was handed, although the bytes of that event are gone.
func TestProofOfAnUndrainedEvent(t *testing.T) {
	l, err := link.New(link.Options{})
	require.NoError(t, err)
	l.Start(link.Moment{})
	l.Opened(link.Moment{}, link.Response{Status: 200, ContentType: "text/event-stream"})
	for l.Next() != nil {
	}
	text := `{"type":"message","sessionId":"s1","seq":1,"text":"cake"}`
	l.Feed(link.Moment{}, []byte("data: "+text+"\n\ndata: {}\n\n"))
	require.Equal(t, text, string(l.Next().Data))
	for range 100 {
		l.Feed(link.Moment{}, []byte(":"+strings.Repeat("x", 1000)+"\n"))
	}
	want, ok := cursor.NewProver(&profile.Session).Of([]byte(text))
	require.True(t, ok)
	require.Equal(t, want, l.Proof(0))
}

// what a fenced cursor stands on can be proven long after the bytes of its
// event are gone, however large it was; and nothing is asked for twice before that.
func TestProofOfAFencedEvent(t *testing.T) {
	for _, size := range []int{1, 1 << 10, 1 << 16, 1 << 17} {
		for _, same := range []bool{true, false} {
			s := &stage{t: t}
			s.perform("new session=s1", nil)
			s.perform("start", nil)
			s.perform("opened", nil)
			s.perform("head s1:1@1", nil)
			s.perform("event s1:1@1 text="+strings.Repeat("x", size), nil)
			require.False(t, s.link.Proof(0).IsSet(), "its generation does the work")
			s.perform("bytes :"+strings.Repeat("y", 1000)+`\n times=300`, nil)
			s.perform("closed broken", nil)
			s.now += 60000
			require.Contains(t, s.perform("tick", nil)[0], "s1:1@1")
			s.perform("opened", nil)
			require.Contains(t, s.perform("head s1:2", nil)[1], "s1:0")
			require.True(t, s.link.Proof(0).IsSet())
			s.perform("opened", nil)
			s.perform("head s1:2", nil)
			came := strings.Repeat("x", size)
			if !same {
				came = came[1:] + "z"
			}
			trace := strings.Join(s.perform("event s1:1 text="+came, nil), "\n")
			require.Equal(t, !same, strings.Contains(trace, "refused s1 generation_changed detail=history_changed"), "%d: %s", size, trace)
		}
	}
}

// A generation costs a stream no proofs, and the copies of its events no garbage.
func TestAFencedStreamMakesNoGarbage(t *testing.T) {
	s := &stage{t: t}
	s.perform("new session=s1", nil)
	s.perform("start", nil)
	s.perform("opened", nil)
	s.perform("head s1:100000@1", nil)
	seq := 0
	next := func() []byte {
		seq++
		return fmt.Appendf(nil, "data: {\"type\":\"message\",\"sessionId\":\"s1\",\"seq\":%d,\"generation\":1,\"text\":\"tea\"}\n\n", seq)
	}
	texts := make([][]byte, 0, 2200)
	for range cap(texts) {
		texts = append(texts, next())
	}
	feed := func() {
		s.link.Feed(link.Moment{}, texts[0])
		texts = texts[1:]
		for s.link.Next() != nil {
		}
	}
	for range 100 {
		feed()
	}
	require.Zero(t, testing.AllocsPerRun(2000, feed))
	require.Equal(t, events.Seq(2101), s.link.Place(0).Seq)
}
