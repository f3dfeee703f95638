package logfold_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/logfold"
)

var all = logfold.Options{Digest: true}

func TestWhatALogSays(t *testing.T) {
	f := read(all, text(story...), 1<<20)
	assert.Equal(t, logfold.Standing{
		Session: "s1", Records: 10, Lines: 10, Bytes: int64(len(text(story...))), FirstSeq: 1, LastSeq: 10, Generation: "1",
	}, f.Standing())
	findings, total := f.Findings()
	assert.Empty(t, findings)
	assert.Zero(t, total)
	assert.Equal(t, "d2", f.Parks().Pending(0).DecisionID)
	require.Len(t, f.Parks().Parks(), 2)
	assert.True(t, f.Parks().Find("d1").Resolved)
	require.Len(t, f.Checkpoints(), 1)
	assert.Equal(t, "c2", f.Checkpoints()[0].CheckpointID)
	assert.Equal(t, events.Seq(8), f.Checkpoints()[0].Seq)
	granted, err := f.Grants().Covers("t1", "bash", []byte(`{}`))
	require.NoError(t, err)
	assert.True(t, granted)
}

// the chain is over the bytes of the records, whatever ends their lines.
func TestTheDigest(t *testing.T) {
	want := chainOf(story...)
	for name, log := range map[string][]byte{
		"LF":          text(story...),
		"CR LF":       bytes.ReplaceAll(text(story...), []byte("\n"), []byte("\r\n")),
		"blank lines": bytes.ReplaceAll(text(story...), []byte("\n"), []byte("\n\n \r\n")),
		"no last end": bytes.TrimSuffix(text(story...), []byte("\n")),
	} {
		for _, n := range []int{1, 7, 1 << 20} {
			f := read(all, log, n)
			chain := f.Chain()
			require.Equal(t, want, chain.Sum(), name)
			require.Equal(t, events.Seq(10), chain.Seq(), name)
			_, total := f.Findings()
			require.Zero(t, total, name)
		}
	}
	f := read(logfold.Options{}, text(story...), 100)
	chain := f.Chain()
	assert.Zero(t, chain.Seq(), "not asked for")
}

func TestAnyCutSaysTheSame(t *testing.T) {
	log := text(append(append([]string{}, story...), "{broken", line(13, `turn_started"`))...)
	want := said(read(all, log, len(log)))
	for n := 1; n < len(log); n += 1 + n/7 {
		require.Equal(t, want, said(read(all, log, n)), "pieces of %d bytes", n)
	}
}

func TestFindings(t *testing.T) {
	start := line(1, `session_started","sessionId":"s1"`)
	two := line(2, `turn_started","turnId":"t"`)
	for name, c := range map[string]struct {
		lines  []string
		rule   fault.ID
		line   int64
		offset int
		seq    events.Seq
	}{
		"damage":             {[]string{start, `{"v":1,"type":"x",,"seq":2}`}, fault.BadRecord, 2, len(start) + 1 + 18, 0},
		"no object":          {[]string{start, `7`}, fault.BadRecord, 2, len(start) + 1, 0},
		"no type":            {[]string{start, `{"seq":2}`}, fault.BadRecord, 2, len(start) + 1, 0},
		"no seq":             {[]string{start, `{"type":"x"}`}, fault.BadRecord, 2, len(start) + 1, 0},
		"member twice":       {[]string{start, `{"type":"x","seq":2,"seq":2}`}, fault.BadRecord, 2, len(start) + 1 + 20, 0},
		"hole":               {[]string{start, line(3, `turn_started","turnId":"t"`)}, fault.GapHole, 2, len(start) + 1, 3},
		"hole at the start":  {[]string{two}, fault.GapHole, 1, 0, 2},
		"repeated":           {[]string{start, two, two}, fault.GapDuplicate, 3, len(start) + len(two) + 2, 2},
		"falling":            {[]string{start, two, start}, fault.GapDisorder, 3, len(start) + len(two) + 2, 1},
		"foreign":            {[]string{start, line(2, `turn_started","sessionId":"s2"`)}, fault.GapForeign, 2, len(start) + 1, 2},
		"older generation":   {[]string{start, `{"type":"x","seq":2,"gen":0}`}, fault.StaleGeneration, 2, len(start) + 1, 2},
		"no generation":      {[]string{start, `{"type":"x","seq":2}`}, fault.StaleGeneration, 2, len(start) + 1, 2},
		"a damaged question": {[]string{start, line(2, `decision_requested","decisionId":"d"`)}, fault.BadRecord, 2, len(start) + 1, 2},
	} {
		findings, total := read(all, text(c.lines...), 5).Findings()
		require.Len(t, findings, 1, name)
		require.EqualValues(t, 1, total, name)
		f := findings[0]
		assert.Equal(t, []any{c.rule, c.line, int64(c.offset), c.seq}, []any{f.Rule, f.Line, f.Offset, f.Seq}, name)
		assert.NotEmpty(t, f.Expected, name)
		assert.NotEmpty(t, f.Found, name)
		assert.ErrorIs(t, f.Fault(), c.rule, name)
	}
}

func TestAHigherGenerationAndALiveNameAreFine(t *testing.T) {
	for _, log := range [][]byte{
		text(`{"type":"a","seq":1}`, `{"type":"a","seq":2,"gen":7}`, `{"type":"a","seq":3,"gen":"8"}`),
		text(`{"type":"a","seq":1,"generation":7}`, `{"type":"a","seq":2,"gen":7}`, `{"type":"a","seq":3,"generation":8}`),
	} {
		f := read(all, log, 3)
		_, total := f.Findings()
		require.Zero(t, total)
		require.Equal(t, events.Generation("8"), f.Standing().Generation)
	}
}

// A record without a seq is a finding, and happened all the same.
func TestARecordWithoutASeq(t *testing.T) {
	question := `{"type":"decision_requested","ts":"2026-01-01T00:00:01.000Z","decisionId":"d","request":{"type":"question"}}`
	f := read(all, text(question), 10)
	_, total := f.Findings()
	assert.EqualValues(t, 1, total)
	assert.NotNil(t, f.Parks().Pending(0))
}

// A last line without an end is a record when it is whole, and cut otherwise.
func TestTheLastLine(t *testing.T) {
	log := text(story...)
	f := read(all, log[:len(log)-10], 50)
	findings, _ := f.Findings()
	require.Len(t, findings, 1)
	assert.Equal(t, "one that was cut", findings[0].Found)
	assert.EqualValues(t, 9, f.Standing().Records, "what was cut is no record")
	chain := f.Chain()
	assert.Equal(t, chainOf(story[:9]...), chain.Sum())
	state, ok := f.AppendState(nil)
	require.True(t, ok)
	again, err := logfold.Resume(all, state)
	require.NoError(t, err)
	again.Write(log[f.Standing().Bytes:])
	again.End()
	assert.Equal(t, said(read(all, log, 50)), said(again), "the log goes on with the line that was cut")
}

func TestLongLines(t *testing.T) {
	o := logfold.Options{Digest: true, MaxLine: 200}
	long := line(2, `turn_started","note":"`+strings.Repeat("x", 300)+`"`)
	for _, n := range []int{1, 100, 1000} {
		f := read(o, text(story[0], long, line(3, `turn_started"`)), n)
		findings, total := f.Findings()
		require.EqualValues(t, 2, total, "the line, and the hole that it leaves")
		require.Equal(t, fault.BadRecord, findings[0].Rule)
		require.Equal(t, "a longer one", findings[0].Found)
		require.Equal(t, fault.GapHole, findings[1].Rule)
		chain := f.Chain()
		require.Zero(t, chain.Seq(), "there is no digest of what was not read")
		_, ok := f.AppendState(nil)
		require.False(t, ok)
	}
}

// Of a line that is too long the same bytes count however it came.
func TestALongLineIsOneLinkHoweverItIsCut(t *testing.T) {
	var want []string
	for _, n := range []int{1000, 1, 100, 200, 201, 202, 203} {
		var got []string
		f := read(logfold.Options{MaxLine: 200, Digest: true, Each: func(record []byte) { got = append(got, string(record)) }},
			text(story[0], strings.Repeat("x", 400), strings.Repeat("y", 201)+"\r", line(2, `turn_started"`)), n)
		chain := f.Chain()
		if got = append(got, chain.Sum().String()); want == nil {
			want = got
		}
		require.Equal(t, want, got, "cut after %d bytes", n)
	}
}

func TestALineMayBeAsLongAsThereAreNumbers(t *testing.T) {
	_, total := read(logfold.Options{MaxLine: math.MaxInt}, text(story...), 7).Findings()
	require.Zero(t, total)
}

func TestFindingsAreCountedBeyondThoseThatAreKept(t *testing.T) {
	f := read(logfold.Options{MaxFindings: 3}, bytes.Repeat([]byte("x\n"), 50), 9)
	first, total := f.Findings()
	assert.Len(t, first, 3)
	assert.EqualValues(t, 50, total)
}

func TestTheContext(t *testing.T) {
	f := read(logfold.Options{Through: 3, Watch: "m1"}, text(story...), 11)
	messages, err := f.Messages(nil)
	require.NoError(t, err)
	require.Len(t, messages, 1, "m2 stands behind")
	assert.Equal(t, "m1", messages[0].ID)
	intent, err := f.Intent(nil)
	require.NoError(t, err)
	assert.JSONEq(t, `{"role":"user","content":"héllo"}`, string(intent))
}

// A context over a log that has gaps or damage up to there is none.
func TestNoContext(t *testing.T) {
	for name, c := range map[string]struct {
		through events.Seq
		lines   []string
		want    fault.ID
	}{
		"not asked for":   {0, story, fault.BadInput},
		"log too short":   {11, story, fault.LogTooShort},
		"damage before":   {4, append([]string{"{"}, story...), fault.BadRecord},
		"a hole before":   {4, append([]string{story[0]}, story[2:]...), fault.GapHole},
		"another session": {4, append([]string{story[0], line(2, `turn_started","sessionId":"x"`)}, story[1:]...), fault.GapForeign},
		"no message id":   {2, []string{story[0], line(2, `message","content":"x"`)}, fault.BadRecord},
	} {
		_, err := read(logfold.Options{Through: c.through}, text(c.lines...), 64).Messages(nil)
		require.ErrorIs(t, err, c.want, name)
	}
	_, err := read(logfold.Options{Through: 11}, text(story...), 64).Messages(nil)
	require.Equal(t, []string{"seq 11", fmt.Sprintf("the log's end at %d", len(story))}, []string{err.(*fault.Fault).Expected, err.(*fault.Fault).Found})
	behind := append(append([]string{}, story...), "{broken")
	_, err = read(logfold.Options{Through: 4}, text(behind...), 64).Messages(nil)
	require.NoError(t, err, "what is damaged behind it does not matter")
}

// bodies that lie apart come through the reader.
func TestSpilledBodies(t *testing.T) {
	log := text(story[0], line(2, `message","messageId":"m1","spill":{"path":"a"}`))
	f := read(logfold.Options{Through: 2}, log, 30)
	_, err := f.Messages(nil)
	require.ErrorIs(t, err, fault.SpillMissing)
	_, err = f.Messages(func([]byte) ([]byte, error) { return nil, errors.New("gone") })
	require.ErrorIs(t, err, fault.SpillMissing)
	messages, err := f.Messages(func(ref []byte) ([]byte, error) {
		require.JSONEq(t, `{"path":"a"}`, string(ref))
		return []byte(`"body"`), nil
	})
	require.NoError(t, err)
	assert.Equal(t, `"body"`, string(messages[0].Content))
}

func TestEachSeesEveryRecord(t *testing.T) {
	var seen []string
	o := logfold.Options{Each: func(record []byte) { seen = append(seen, string(record)) }}
	read(o, text(story[0], "", "{broken", story[1]), 3)
	assert.Equal(t, []string{story[0], "{broken", story[1]}, seen)
}

// Memory does not grow with the log.
func TestMemory(t *testing.T) {
	grown := func(records int) uint64 {
		f := logfold.New(all)
		log := &endless{}
		log.writeTo(f, records)
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		runtime.KeepAlive(f)
		return m.HeapAlloc
	}
	grown(1000)
	short, long := grown(2_000), grown(40_000)
	assert.Less(t, long, short+200_000, "20 MB of log against 1 MB")
}
