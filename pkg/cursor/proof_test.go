package cursor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

var tabled = NewProver(&profile.Session)

// foreign is a profile that names what may be compared.
func foreign(names ...string) *profile.Profile {
	p := profile.Session
	p.Tabled, p.Identity = false, names
	return &p
}

func proofOf(t *testing.T, v *Prover, text string) Proof {
	t.Helper()
	p, ok := v.Of([]byte(text))
	require.True(t, ok, text)
	require.True(t, p.IsSet())
	return p
}

const completed = `{"type":"tool_completed","sessionId":"s1","turnId":"t1","seq":7,"toolUseId":"u1","toolName":"grep","result":"né\n","isError":false,` +
	`"durationMs":1.50,"via":{"tool":"run","toolUseId":"u0","x":[1,2,{"b":null,"a":[]}]}}`

// order, spelling, place and what was added change nothing.
func TestProofStaysTheSame(t *testing.T) {
	want := proofOf(t, tabled, completed)
	for name, text := range map[string]string{
		"other order":   `{"via":{"x":[1,2,{"a":[],"b":null}],"toolUseId":"u0","tool":"run"},"durationMs":1.50,"isError":false,"result":"né\n","toolName":"grep","toolUseId":"u1","turnId":"t1","type":"tool_completed"}`,
		"white space":   strings.NewReplacer(`:`, " :\t", `,`, "\r\n, ", `{`, "{\n", `[`, "[ ", `]`, " ]", `}`, " }").Replace(completed),
		"escapes":       strings.NewReplacer(`"né\n"`, `"\u006e\u00E9\u000a"`, `"via"`, `"\u0076ia"`, `tool_completed`, `tool\u005fcompleted`, `"type"`, `"t\u0079pe"`).Replace(completed),
		"another place": strings.NewReplacer(`"seq":7`, `"seq":9,"generation":"5","v":1,"lineage":{"depth":1}`, `"s1"`, `"s2"`).Replace(completed),
		"added":         strings.Replace(completed, `{`, `{"obfuscation":"x7Qz","random":[0.123,{"nested":true}],"ts":"now",`, 1),
		"record":        strings.Replace(completed, `"seq":7`, `"seq":7,"gen":4,"ts":"2026-01-01T00:00:00Z","v":1`, 1),
	} {
		require.Equal(t, want, proofOf(t, tabled, text), "%s: %s", name, text)
	}
}

// whatever identifies the event counts, to the last character.
func TestProofChanges(t *testing.T) {
	seen := map[Proof]string{proofOf(t, tabled, completed): completed}
	for _, change := range [][2]string{
		{`"t1"`, `"t2"`}, {`"u1"`, `"u2"`}, {`"grep"`, `"Grep"`}, {`é`, `e`}, {`\n`, `\t`}, {`\n`, ``}, {`false`, `true`}, {`false`, `"false"`}, {`false`, `null`},
		{`1.50`, `1.5`}, {`1.50`, `"1.50"`}, {`[1,2,`, `[2,1,`}, {`[1,2,`, `[12,`}, {`[1,2,`, `["1",2,`}, {`{"b":null,"a":[]}`, `{"a":null,"b":[]}`},
		{`[]`, `{}`}, {`[]`, `[[]]`}, {`null`, `"null"`}, {`"x":`, `"y":`}, {`,"durationMs":1.50`, ``}, {`,"via"`, `,"outputLength":3,"via"`}, {`,"via"`, `,"isError":false,"via"`},
		{`{"b":null,"a":[]}`, `{"b":null,"a":[]},{}`}, {`tool_completed`, `tool_complete`}, {`"turnId":"t1",`, ``},
	} {
		text := strings.Replace(completed, change[0], change[1], 1)
		require.NotEqual(t, completed, text, change)
		p := proofOf(t, tabled, text)
		require.Empty(t, seen[p], "%s and %s", text, seen[p])
		seen[p] = text
	}
}

// of a type that nobody knows, all members but the envelope's.
func TestProofOfUnknownTypes(t *testing.T) {
	want := proofOf(t, tabled, `{"type":"note","sessionId":"s1","seq":1,"text":"a","n":{}}`)
	require.Equal(t, want, proofOf(t, tabled, `{"n":{},"text":"a","type":"note","seq":2,"gen":3,"runId":"r","schemaVersion":3,"timestamp":7,"v":1}`))
	for _, text := range []string{`{"type":"note","text":"a"}`, `{"type":"note","text":"a","n":{},"x":1}`, `{"type":"Note","text":"a","n":{}}`, `{"text":"a","n":{}}`, `{"type":"note","text":"a","n":{},"Seq":1}`} {
		require.NotEqual(t, want, proofOf(t, tabled, text), text)
	}
}

// a profile of another make says what may be compared.
func TestProofOfForeignProfiles(t *testing.T) {
	v := NewProver(foreign("item_id", "delta"))
	want := proofOf(t, v, `{"type":"response.output_text.delta","sequence_number":4,"item_id":"m","delta":"Hi","obfuscation":"a8Z"}`)
	require.Equal(t, want, proofOf(t, v, `{"delta":"Hi","item_id":"m","type":"response.output_text.delta","sequence_number":9,"obfuscation":"Q"}`))
	require.NotEqual(t, want, proofOf(t, v, `{"type":"response.output_text.delta","item_id":"m","delta":"hi"}`))
	require.NotEqual(t, want, proofOf(t, v, `{"type":"response.other","item_id":"m","delta":"Hi"}`))
	_, ok := v.Of([]byte(`{"type":"response.created","response":{}}`))
	require.False(t, ok, "nothing to compare")

	again := NewProver(foreign("delta", "item_id"))
	require.Equal(t, want, proofOf(t, again, `{"type":"response.output_text.delta","item_id":"m","delta":"Hi"}`), "the order of names says nothing")
	more := proofOf(t, NewProver(foreign("delta", "item_id", "x")), `{"type":"response.output_text.delta","item_id":"m","delta":"Hi"}`)
	require.False(t, v.Makes(more), "another list is another scheme")
	require.False(t, v.Makes(proofOf(t, tabled, completed)))
	require.False(t, v.Makes(Proof{}))
	require.True(t, v.Makes(proofOf(t, again, `{"delta":""}`)))
	require.False(t, (*Prover)(nil).Makes(want))

	untyped := foreign("a")
	untyped.Members.Type = ""
	require.Equal(t, proofOf(t, NewProver(untyped), `{"a":1,"type":"x"}`), proofOf(t, NewProver(untyped), `{"a":1,"type":7}`))

	none := profile.Session
	none.Tabled = false
	require.Nil(t, NewProver(&none), "nobody says what identifies an event")
}

// there is no proof of what cannot be compared; nothing makes it panic.
func TestNoProof(t *testing.T) {
	deep := func(levels int) string {
		return `{"type":"note","x":` + strings.Repeat("[", levels) + strings.Repeat("]", levels) + `}`
	}
	proofOf(t, tabled, deep(events.MaxDepth-1))
	proofOf(t, tabled, `{"type":"turn_started","turnId":"t","x":`+strings.Repeat("[", 9999)+strings.Repeat("]", 9999)+`}`)
	for _, text := range []string{
		``, ` `, `7`, `[]`, `null`, `{`, `{}`, `{"type":"note"}`, `{"type":"note","seq":1,"sessionId":"s"}`, `{"type":"turn_started","anything":1}`,
		deep(events.MaxDepth), deep(1_000_000), strings.Repeat(`{"x":`, 100_000), `{"type":7,"x":1}`, `{"type":"a`, `{"x"`, `{"x":`, `{"x":1`, `{"x":1,`, `{"x":1]`, `{x:1}`,
		`{"x":tru}`, `{"x":[1 2]}`, `{"x":{"y"}}`, `{"x":{"y":1,}}`, `{"x":[1,]}`, `{"x":"\q"}`, `{"x":"` + "\xff" + `"}`, `{"\ud8":1}`, "{\"x\":\"a\nb\"}",
	} {
		p, ok := tabled.Of([]byte(text))
		require.False(t, ok, "%.80s", text)
		require.False(t, p.IsSet())
	}
}

func TestProofText(t *testing.T) {
	require.Equal(t, "", Proof{}.String())
	require.Equal(t, "000102030405060708090a0b0c0d0eff", Proof{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255}.String())
	require.Equal(t, fmt.Sprintf("%x", [16]byte(proofOf(t, tabled, completed))), proofOf(t, tabled, completed).String())
}

func TestProofAllocatesNothing(t *testing.T) {
	text := []byte(strings.Replace(completed, `"né\n"`, `"n\u00e9 \ud83d\ude86 `+strings.Repeat("x", 1000)+`"`, 1))
	v := NewProver(&profile.Session)
	v.Of(text)
	require.Zero(t, testing.AllocsPerRun(100, func() { v.Of(text) }))
}

func BenchmarkProof(b *testing.B) {
	text := []byte(completed)
	v := NewProver(&profile.Session)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		v.Of(text)
	}
}

func FuzzProof(f *testing.F) {
	for _, text := range []string{
		completed, `{"type":"note","text":"a","n":{"a":1,"a":2},"text":"b"}`, `{"type":"turn_completed","turnId":"\ud83d\ude86\ud800","result":"\\\"\/"}`,
		`{"\u0074ype":"message_completed","messageId":"m","parts":[{"type":"text","text":"x"},[[]],-0.0e+10]}`, ` {"type" : "text_delta" , "delta" : "" } `, `{"x":{"":{"":[true,false,null]}}}`,
		`{"delta":"d","item_id":"i","seq":1}`, `{"type":"a","type":"b","x":1}`,
	} {
		f.Add([]byte(text), uint16(0))
		f.Add([]byte(text), uint16(7))
	}
	scanner := profile.Session.NewScanner()
	own := foreign("item_id", "delta", "text")
	listed := NewProver(own)
	f.Fuzz(func(t *testing.T, text []byte, at uint16) {
		var e events.Envelope
		accepted := scanner.Scan(text, &e) == events.NoProblem
		p, ok := tabled.Of(text)
		q, listedOK := listed.Of(text)
		if !accepted {
			return // no panic is all that is asked for
		}
		want, wantOK := slowProof(text, "type", nil, events.IdentityScheme)
		require.Equal(t, wantOK, ok, "%q", text)
		require.Equal(t, want, p, "%q", text)
		want, wantOK = slowProof(text, "type", own.Identity, schemeOf(own.Identity))
		require.Equal(t, wantOK, listedOK, "%q", text)
		require.Equal(t, want, q, "%q", text)
	})
}

// a mark that is turned twice is none, and what is no proof takes none.
func TestDoubt(t *testing.T) {
	v := NewProver(&profile.Session)
	want := proofOf(t, v, `{"type":"message","text":"hi"}`)
	marked, none := want, Proof{}
	marked.Doubt()
	none.Doubt()
	require.False(t, v.Makes(marked))
	require.Equal(t, want[2:], marked[2:], "the digest is as it was")
	require.False(t, none.IsSet())
	marked.Doubt()
	require.Equal(t, want, marked)
}
