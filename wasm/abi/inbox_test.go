package abi

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// box is an inbox as a host has it.
type box struct {
	*testing.T
	m *Inboxes
	h int32
}

func openBox(t *testing.T, options string) box {
	m := &Inboxes{Room: new(Room)}
	copy(m.Input(len(options)), options)
	h := m.Open(len(options))
	require.Positive(t, h, string(m.Output()))
	return box{t, m, h}
}

// do gives an input and answers what comes out.
func (b box) do(kind int32, arg string) string { return b.at(kind, arg, 1767225609000) }

func (b box) at(kind int32, arg string, now float64) string {
	copy(b.m.Input(len(arg)), arg)
	n := b.m.Do(b.h, kind, len(arg), now)
	require.Len(b, b.m.Output(), n)
	return string(b.m.Output())
}

// quiet gives inputs that have nothing to answer.
func (b box) quiet(kind int32, args ...string) {
	for _, arg := range args {
		require.Empty(b, b.do(kind, arg), arg)
	}
}

const (
	asked    = `{"session":"s","seq":5,"generation":"7","event":{"type":"decision_requested","seq":5,"generation":7,"ts":"2026-01-01T00:00:01Z","turnId":"t","decisionId":"d","checkpointId":"c","request":{"type":"plan"},"deadlineAt":"2026-01-01T00:00:10Z"}}`
	answered = `{"session":"s","seq":6,"generation":"7","event":{"type":"decision_resolved","seq":6,"generation":7,"ts":"2026-01-01T00:00:02Z","decisionId":"d","decision":{"action":"continue"}}}`
)

// An inbox from its options to its end, through the calls that the module exports.
func TestInboxFromOpenToClose(t *testing.T) {
	b := openBox(t, `{}`)
	b.quiet(boxBegin, `{"session":"s","from":"beginning"}`)
	b.quiet(boxEvent, asked)
	assert.Contains(t, b.do(boxRows, `{}`), `"state":"unknown","was":"pending"`)
	assert.Contains(t, b.do(boxRows, `{}`), `"sessions":[{"session":"s","known":false,"why":"catching_up","pending":0}]`)
	b.quiet(boxLive, `{"session":"s","strength":"exact"}`)
	assert.Equal(t, `{"rows":[{"session":"s","state":"pending","requestType":"plan","decisionId":"d","turnId":"t","checkpointId":"c","seq":5,"generation":"7","request":{"type":"plan"},"parkedAt":1767225601000,"deadlineAt":1767225610000}],"sessions":[{"session":"s","known":true,"pending":1}],"wake":1767225610000}`, b.do(boxRows, `{}`))
	assert.Contains(t, b.at(boxRows, `{}`, 1767225610000), `"state":"expired"`)
	b.quiet(boxEvent, answered)
	assert.Contains(t, b.do(boxRows, `{}`), `"state":"answered"`)
	b.quiet(boxLost, `{"session":"s","why":"refused"}`)
	assert.Contains(t, b.do(boxRows, `{}`), `"state":"unknown","was":"answered"`)
	b.quiet(boxForget, `{"session":"s"}`)
	assert.Equal(t, `{"rows":[],"sessions":[]}`, b.do(boxRows, `{}`))
	b.m.Close(b.h)
	b.m.Close(b.h)
	assert.Contains(t, b.do(boxRows, `{}`), `"rule":"stream.bad_handle"`)
}

// A session is begun as its stream is; what nothing is said of claims nothing.
// A host that names the answer it has gets what has changed since.
func TestInboxChanges(t *testing.T) {
	b := openBox(t, `{}`)
	b.quiet(boxBegin, `{"session":"s","from":"beginning"}`)
	b.quiet(boxEvent, asked)
	b.quiet(boxLive, `{"session":"s","strength":"exact"}`)
	whole := b.do(boxRows, `{}`)
	assert.Equal(t, `{"number":1,`+whole[1:], b.do(boxRows, `{"after":0}`))
	assert.Equal(t, whole, b.do(boxRows, `{}`))
	assert.Equal(t, `{"number":2,"rows":[[0,1]],"sessions":[{"session":"s","known":true,"pending":1}],"wake":1767225610000}`, b.do(boxRows, `{"after":1}`))
	b.quiet(boxLost, `{"session":"s","why":"disconnected"}`)
	assert.Contains(t, b.do(boxRows, `{"after":2}`), `{"number":3,"rows":[[0,1,"unknown","pending"]],`)
	assert.Contains(t, b.do(boxRows, `{"after":2}`), `{"number":4,"rows":[{"session":"s","state":"unknown"`)
	assert.Contains(t, b.do(boxRows, `{"after":-1}`), `"fault"`)
}

func TestInboxBeginnings(t *testing.T) {
	for begin, want := range map[string]string{
		`{"session":"s","from":"beginning"}`:                      `"known":true,"pending":1`,
		`{"session":"s","from":"elsewhere"}`:                      `"known":false,"why":"elsewhere"`,
		`{"session":"s"}`:                                         `"known":false,"why":"elsewhere"`,
		`{"session":"s","from":"saved"}`:                          `"known":false,"why":"elsewhere"`,
		`{"session":"s","from":"saved","seq":4,"generation":"7"}`: `"known":false,"why":"elsewhere"`,
		`{"session":"s","from":"saved","seq":4,"state":{}}`:       `"known":false,"why":"elsewhere"`,
		`{"session":"s","from":"saved","seq":4,"state":{"v":1,"seq":4,"fold":{"v":1,"parks":[]}}}`: `"known":true,"pending":1`,
		`{"session":"s","from":"saved","seq":4,"state":{"v":1,"seq":3,"fold":{"v":1,"parks":[]}}}`: `"known":false,"why":"elsewhere"`,
	} {
		b := openBox(t, `{}`)
		if out := b.do(boxBegin, begin); out != "" {
			assert.Contains(t, out, `"rule":"durable.bad_record"`, begin)
		}
		b.quiet(boxEvent, asked)
		b.quiet(boxLive, `{"session":"s","strength":"contiguous"}`)
		assert.Contains(t, b.do(boxRows, `{}`), want, begin)
	}
}

// What can be told to a page that is loaded again.
func TestInboxSaves(t *testing.T) {
	b := openBox(t, `{}`)
	const cursor = `{"session":"s","seq":9,"generation":"7"}`
	assert.Equal(t, `{"state":null}`, b.do(boxSave, cursor))
	b.quiet(boxBegin, `{"session":"s","from":"beginning"}`)
	b.quiet(boxEvent, asked)
	assert.Equal(t, `{"state":null}`, b.do(boxSave, `{"session":"s","seq":4,"generation":"7"}`), "it has read on")
	assert.Equal(t, `{"state":null}`, b.do(boxSave, `{"session":"s"}`), "there is no cursor")
	saved := strings.TrimSuffix(strings.TrimPrefix(b.do(boxSave, cursor), `{"state":`), `}`)
	other := openBox(t, `{}`)
	other.quiet(boxBegin, `{"session":"s","from":"saved","seq":9,"generation":"7","state":`+saved+`}`)
	other.quiet(boxLive, `{"session":"s","strength":"exact"}`)
	b.quiet(boxLive, `{"session":"s","strength":"exact"}`)
	assert.Equal(t, b.do(boxRows, `{}`), other.do(boxRows, `{}`))
}

// A stream that cannot prove that nothing is missing shows nothing as known.
func TestInboxStrength(t *testing.T) {
	for live, known := range map[string]bool{
		`{"session":"s","strength":"exact"}`: true, `{"session":"s","strength":"contiguous"}`: true,
		`{"session":"s","strength":"ordered"}`: false, `{"session":"s","strength":"none"}`: false, `{"session":"s"}`: false,
	} {
		b := openBox(t, `{}`)
		b.quiet(boxBegin, `{"session":"s","from":"beginning"}`)
		b.quiet(boxLive, live)
		assert.Contains(t, b.do(boxRows, `{}`), `"known":`+strconv.FormatBool(known), live)
	}
}

func TestInboxPassesOverDrafts(t *testing.T) {
	b := openBox(t, `{}`)
	b.quiet(boxBegin, `{"session":"s","from":"beginning"}`)
	b.quiet(boxLive, `{"session":"s","strength":"exact"}`)
	b.quiet(boxEvent, strings.Replace(asked, `"seq":5,`, ``, 1), `{"session":"s","seq":6}`, `{"session":"s","seq":7,"event":7}`)
	assert.Contains(t, b.do(boxRows, `{}`), `{"rows":[]`)
}

func TestInboxKeeps(t *testing.T) {
	b := openBox(t, `{"keep":1}`)
	b.quiet(boxBegin, `{"session":"s","from":"beginning"}`)
	for _, id := range []string{`"a"`, `"b"`} {
		seq := map[string][2]string{`"a"`: {`"seq":1`, `"seq":2`}, `"b"`: {`"seq":3`, `"seq":4`}}[id]
		b.quiet(boxEvent, strings.NewReplacer(`"d"`, id, `"seq":5`, seq[0]).Replace(asked), strings.NewReplacer(`"d"`, id, `"seq":6`, seq[1]).Replace(answered))
	}
	out := b.do(boxRows, `{}`)
	assert.NotContains(t, out, `"decisionId":"a"`)
	assert.Contains(t, out, `"decisionId":"b"`)
}

func TestInboxAnswersWhatItCannotTake(t *testing.T) {
	m := Inboxes{Room: new(Room)}
	for _, options := range []string{``, `[]`, `{"keep":0}`, `{"keep":"all"}`, `{"kept":1}`} {
		copy(m.Input(len(options)), options)
		assert.Zero(t, m.Open(len(options)), options)
		assert.Contains(t, string(m.Output()), `"rule":"stream.invalid_options"`, options)
	}
	assert.Zero(t, m.Open(1<<20))
	b := openBox(t, `{}`)
	for _, in := range []struct {
		kind int32
		arg  string
	}{
		{0, `{"session":"s"}`}, {8, `{"session":"s"}`}, {-1, `{"session":"s"}`}, {boxBegin, ``}, {boxBegin, `{}`}, {boxBegin, `{"session":""}`}, {boxBegin, `{"session":"s","from":"end"}`},
		{boxEvent, `{"session":"s","seq":-1}`}, {boxEvent, `{"session":"s","seq":1.5}`}, {boxEvent, `{"session":"s","more":1}`}, {boxLost, `{"session":"s"}`}, {boxLost, `{"session":"s","why":"known"}`},
		{boxLive, `{"session":"s","strength":"much"}`}, {boxRows, ``}, {boxRows, `{`},
	} {
		assert.Contains(t, b.do(in.kind, in.arg), `"rule":"stream.bad_input"`, in.arg)
	}
	for _, now := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1 << 60} {
		assert.Contains(t, b.at(boxRows, `{}`, now), `"stream.bad_input"`)
	}
	assert.Positive(t, b.m.Do(b.h, boxRows, 1<<20, 0), "an argument beyond the room")
	assert.Positive(t, b.m.Do(b.h, boxRows, -1, 0))
	assert.Equal(t, `{"rows":[],"sessions":[]}`, b.do(boxRows, `{}`), "nothing of that was begun")
}

func TestInboxTakesEventsOfAnyDepth(t *testing.T) {
	b := openBox(t, `{}`)
	b.quiet(boxBegin, `{"session":"s","from":"beginning"}`)
	b.quiet(boxLive, `{"session":"s","strength":"exact"}`)
	b.quiet(boxEvent, strings.Replace(asked, `{"type":"plan"}`, strings.Repeat("[", 5000)+strings.Repeat("]", 5000), 1))
	assert.Contains(t, b.do(boxRows, `{}`), `"pending":1`)
}

func FuzzInbox(f *testing.F) {
	f.Add(int32(boxBegin), `{"session":"s","from":"saved","seq":4,"state":{"v":1,"seq":4,"fold":{"v":1,"parks":[]}}}`)
	f.Add(int32(boxEvent), asked)
	f.Add(int32(boxEvent), answered)
	f.Add(int32(boxLive), `{"session":"s","strength":"exact"}`)
	f.Add(int32(boxLost), `{"session":"s","why":"refused"}`)
	f.Add(int32(boxSave), `{"session":"s","seq":9}`)
	b := openBox(&testing.T{}, `{}`)
	f.Fuzz(func(t *testing.T, kind int32, arg string) {
		b.T = t
		out := b.do(kind, arg)
		require.True(t, out == "" || out[0] == '{' && out[len(out)-1] == '}', out)
		require.NotContains(t, b.do(boxRows, `{}`), "fault")
	})
}
