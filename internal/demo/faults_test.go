package demo

import (
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

func TestCutTearsAFrame(t *testing.T) {
	w := newWorld(t, Options{})
	left, right, _ := w.pair()
	r := w.fault("cut")
	require.Equal(t, 2, r.Connections)
	torn := *r.Positions.EventSeq
	truth := w.truth()
	for _, s := range []*stream{left, right} {
		rest, err := s.rest()
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "the body must have no end")
		at := strings.LastIndex(rest, "\n\n") + 2
		if at < 2 {
			at = 0
		}
		begun, whole := rest[at:], "data: "+truth[torn]+"\n\n"
		_, data, ok := strings.Cut(begun, "\n")
		require.True(t, ok, begun)
		require.True(t, len(data) > 0 && strings.HasPrefix(whole, data) && len(data) < len(whole)-2, data)
		s.last = replaceSeq(s.last, torn-1)
	}
	left, right = w.back(left, right)
	require.Equal(t, torn, left.record().seq)
	require.Contains(t, right.frame().data, `"verdict":"replayed"`)
	require.Equal(t, torn, right.record().seq)
}

// replaceSeq puts another seq into an id of either route.
func replaceSeq(id string, seq events.Seq) string {
	session, place, token := strings.Cut(id, ":")
	if !token {
		return strconv.Itoa(int(seq))
	}
	_, generation, _ := strings.Cut(place, "@")
	return session + ":" + strconv.Itoa(int(seq)) + "@" + generation
}

// requireDeploy reads what was sent before a stream ended in good order.
func requireDeploy(t *testing.T, seen map[events.Seq]string, streams ...*stream) {
	for _, s := range streams {
		rest, err := s.rest()
		require.NoError(t, err)
		require.True(t, rest == "" || strings.HasSuffix(rest, "\n\n"), rest)
		for f := range strings.SplitSeq(rest, "\n\n") {
			id, data, ok := strings.Cut(strings.TrimPrefix(f, "id: "), "\ndata: ")
			if ok {
				s.last = id
				seen[parseSeq(id)] = data
			}
		}
	}
}

func parseSeq(id string) events.Seq {
	_, place, token := strings.Cut(id, ":")
	if !token {
		place = id
	}
	place, _, _ = strings.Cut(place, "@")
	seq, _ := strconv.Atoi(place)
	return events.Seq(seq)
}

func TestTakeoverReplacesWhatEverybodySaw(t *testing.T) {
	w := newWorld(t, Options{})
	left, right, seen := w.pair()
	r := w.fault("takeover")
	p := r.Positions
	require.Equal(t, "2", string(p.Generation))
	require.Equal(t, "1", string(p.PreviousGeneration))
	require.Equal(t, events.Seq(40), *p.SnapshotSeq)
	require.GreaterOrEqual(t, p.SeenSeq, *p.SnapshotSeq+unseen)
	require.GreaterOrEqual(t, p.LastSeq, p.SeenSeq, "the numbers connect")
	requireDeploy(t, seen, left, right)
	require.Equal(t, strconv.Itoa(int(p.SeenSeq)), left.last)

	truth := w.truth()
	for seq := events.Seq(1); seq <= p.SeenSeq; seq++ {
		require.Equal(t, seq <= *p.SnapshotSeq, seen[seq] == truth[seq], "seq %d", seq)
	}
	require.Contains(t, truth[*p.SnapshotSeq+1], `"code":"interrupted"`)

	left, right = w.back(left, right)
	require.Contains(t, right.frame().data, `"verdict":"unavailable"`)
	refused := right.frame()
	require.Equal(t, "tidemark.refused", refused.event)
	require.Contains(t, refused.data, `"reason":"generation_changed"`)
	require.Contains(t, refused.data, `"savedGeneration":"1","observedGeneration":"2"`)
	w.play(30)
	require.Equal(t, p.SeenSeq+1, left.record().seq, "the plain side goes on as if nothing had happened")
}

func TestLoseStartsAgainUnderTheSameGeneration(t *testing.T) {
	w := newWorld(t, Options{})
	left, right, seen := w.pair()
	r := w.fault("lose")
	require.Equal(t, events.Seq(0), r.Positions.LastSeq)
	require.Equal(t, events.Seq(1), r.Positions.OldestSeq)
	require.Equal(t, "1", string(r.Positions.Generation))
	requireDeploy(t, seen, left, right)
	left, right = w.back(left, right)
	right.frame()
	refused := right.frame().data
	require.Contains(t, refused, `"reason":"cursor_ahead"`)
	require.Contains(t, refused, `"savedSeq":40`)
	require.Contains(t, refused, `"lastSeq":0`)
	w.play(12)
	require.Equal(t, events.Seq(1), left.record().seq, "the plain side counts from the beginning, in the middle of its page")
}

// Nobody is back: the agent goes on by itself after a while.
func TestLoseDoesNotWaitForEver(t *testing.T) {
	w := newWorld(t, Options{})
	w.pair()
	w.fault("lose")
	w.play(2) // the first one ends the silence
	w.fault("drop")
	require.NotZero(t, w.head())
}

func TestPruneGoesBeyondEveryWatcher(t *testing.T) {
	w := newWorld(t, Options{})
	left, right, seen := w.pair()
	r := w.fault("prune")
	p := r.Positions
	require.Greater(t, p.OldestSeq, p.SeenSeq+1)
	require.GreaterOrEqual(t, p.LastSeq, p.OldestSeq)
	requireDeploy(t, seen, left, right)
	left, right = w.back(left, right)
	require.Equal(t, p.OldestSeq, left.record().seq, "the plain side has a hole and does not know")
	right.frame()
	refused := right.frame().data
	require.Contains(t, refused, `"reason":"gap","detail":"pruned"`)
	require.Contains(t, refused, `"oldestSeq":`+strconv.Itoa(int(p.OldestSeq)))

	state := w.get(w.v1("transcript"))
	require.Contains(t, state, `"seq":3,`, "the transcript still holds what the log does not")
	w.fault("lose")
	require.Contains(t, w.get(w.v1("transcript")), `{"items":[],"turns":[],"parks":{"session":`)
}

func TestDropAndRepeatBendTheOpenStreams(t *testing.T) {
	for name, times := range map[string]int{"drop": 0, "repeat": 2} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Options{})
			left, right, _ := w.pair()
			r := w.fault(name)
			seq := *r.Positions.EventSeq
			require.Equal(t, 2, r.Connections)
			require.Contains(t, w.truth()[seq], `"type":"`+r.Positions.EventType+`"`)
			for _, s := range []*stream{left, right} {
				got := 0
				f := s.record()
				for ; f.seq <= seq; f = s.record() {
					if f.seq == seq {
						got++
					}
				}
				require.Equal(t, times, got)
				require.Equal(t, seq+1, f.seq)
			}
			again := w.open(w.v1("events") + "?cursor=" + replaceSeq(right.last, seq-1))
			again.frame()
			require.Equal(t, seq, again.record().seq, "the log has it once")
			require.Equal(t, seq+1, again.record().seq)
		})
	}
}

// One fault after the other, in every order of two, leaves a log that connects.
func TestFaultsFollowEachOther(t *testing.T) {
	for _, w := range []*world{newWorld(t, Options{}), newBareWorld(t)} {
		w.faultsFollowEachOther()
	}
}

func (w *world) faultsFollowEachOther() {
	t := w.t
	for _, a := range w.demo.kind.faults {
		for _, b := range w.demo.kind.faults {
			w.fault(a)
			w.fault(b)
			s := w.open(w.v1("events") + "?from=now")
			require.Contains(t, s.frame().data, `"verdict":"complete"`)
			require.NoError(t, s.conn.Close())
		}
	}
	head, err := w.demo.agent.log.Head(t.Context())
	require.NoError(t, err)
	truth := w.truth()
	for seq := head.OldestSeq; seq <= head.LastSeq; seq++ {
		require.NotEmpty(t, truth[seq])
	}
}

// Without a lease nothing but what the records say shows that they are others.
func TestReplaceConnectsByNumber(t *testing.T) {
	w := newBareWorld(t)
	left, right, seen := w.pair()
	require.Equal(t, w.demo.Session()+":40", right.last, "no generation")
	r := w.fault("replace")
	p := r.Positions
	require.Equal(t, []events.Seq{40, 40 + regrown, 1}, []events.Seq{p.SeenSeq, p.LastSeq, p.OldestSeq})
	require.Empty(t, p.Generation)
	requireDeploy(t, seen, left, right)

	truth := w.truth()
	for seq := events.Seq(1); seq <= p.SeenSeq; seq++ {
		require.NotEqual(t, seen[seq], truth[seq], "seq %d", seq)
	}
	left, right = w.back(left, right)
	require.Equal(t, p.SeenSeq+1, left.record().seq, "the plain side goes on as if nothing had happened")
	require.Contains(t, right.frame().data, `"verdict":"replayed"`, "and so would a cursor without a proof")
	require.Equal(t, p.SeenSeq+1, right.record().seq)

	overlap := w.open(w.v1("events") + "?cursor=" + w.demo.Session() + ":39")
	overlap.frame()
	again := overlap.record()
	require.Equal(t, p.SeenSeq, again.seq)
	require.NotEqual(t, seen[again.seq], again.data, "the event that the cursor stands on shows it")
}
