package profile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// the profiles that have a name.
func TestNamed(t *testing.T) {
	for name, want := range map[string]*profile.Profile{"session": &profile.Session, "record": &profile.Record, "run": &profile.Run} {
		p, ok := profile.Named(name)
		require.True(t, ok)
		require.Same(t, want, p)
		require.Equal(t, profile.Contiguous, p.Continuity)
		require.Equal(t, events.Seq(1), p.Base)
		require.True(t, p.Control)
		read, err := profile.Parse([]byte(`"` + name + `"`))
		require.NoError(t, err)
		require.Equal(t, want, read)
	}
	read, err := profile.Parse([]byte("\t\"run\"\r\n"))
	require.NoError(t, err)
	require.Equal(t, &profile.Run, read)
	_, ok := profile.Named("Session")
	require.False(t, ok)
}

// A profile starts from the session profile, without control frames, and changes
// what it names.
func TestParse(t *testing.T) {
	custom := func(change func(*profile.Profile)) profile.Profile {
		p := profile.Session
		p.Name, p.Control = "custom", false
		p.Tabled = false
		change(&p)
		return p
	}
	for text, want := range map[string]profile.Profile{
		`{}`:                            custom(func(*profile.Profile) {}),
		`{"name":"mine"}`:               custom(func(p *profile.Profile) { p.Name = "mine" }),
		`{"name":"session"}`:            custom(func(p *profile.Profile) { p.Name = "session" }),
		`{"position":"payload"}`:        custom(func(*profile.Profile) {}),
		`{"position":"id"}`:             custom(func(p *profile.Profile) { p.Position = profile.InID }),
		`{"position":"counted"}`:        custom(func(p *profile.Profile) { p.Position = profile.Counted }),
		`{"base":0}`:                    custom(func(p *profile.Profile) { p.Base = 0 }),
		`{"base":1}`:                    custom(func(*profile.Profile) {}),
		`{"scope":"session"}`:           custom(func(*profile.Profile) {}),
		`{"scope":"run"}`:               custom(func(p *profile.Profile) { p.Scope = profile.ScopeRun }),
		`{"scope":"connection"}`:        custom(func(p *profile.Profile) { p.Scope = profile.ScopeConnection }),
		`{"scope":"process"}`:           custom(func(p *profile.Profile) { p.Scope = profile.ScopeProcess }),
		`{"continuity":"contiguous"}`:   custom(func(*profile.Profile) {}),
		`{"continuity":"monotonic"}`:    custom(func(p *profile.Profile) { p.Continuity = profile.Monotonic }),
		`{"continuity":"counted"}`:      custom(func(p *profile.Profile) { p.Continuity = profile.CountedEvents }),
		`{"continuity":"opaque"}`:       custom(func(p *profile.Profile) { p.Continuity = profile.Opaque }),
		`{"control":true}`:              custom(func(p *profile.Profile) { p.Control = true }),
		`{"control":false}`:             custom(func(*profile.Profile) {}),
		`{"terminal":["a","b"]}`:        custom(func(p *profile.Profile) { p.Terminal = []string{"a", "b"} }),
		`{"terminal":[]}`:               custom(func(p *profile.Profile) { p.Terminal = []string{} }),
		`{"ephemeral":["x"]}`:           custom(func(p *profile.Profile) { p.Ephemeral = []string{"x"} }),
		`{"identity":["a","b"]}`:        custom(func(p *profile.Profile) { p.Identity = []string{"a", "b"} }),
		`{"ephemeral":[]}`:              custom(func(p *profile.Profile) { p.Ephemeral = []string{} }),
		`{"members":{"seq":"n"}}`:       custom(func(p *profile.Profile) { p.Members.Seq = "n" }),
		`{"members":{"generation":""}}`: custom(func(p *profile.Profile) { p.Members.Generation = "" }),
		`{"members":{"type":"a","session":"b","turn":"c","seq":"d","generation":"e"}}`: custom(func(p *profile.Profile) {
			p.Members = events.Members{Type: "a", Session: "b", Turn: "c", Seq: "d", Generation: "e"}
		}),
		`{"members":{"seq":""},"position":"id"}`:                       custom(func(p *profile.Profile) { p.Members.Seq, p.Position = "", profile.InID }),
		`{"expired":[{"status":400,"code":"expired"}]}`:                custom(func(p *profile.Profile) { p.Expired = []profile.Expired{{Status: 400, Code: "expired"}} }),
		`{"expired":[{"status":410},{"status":404,"code":"gone"}]}`:    custom(func(p *profile.Profile) { p.Expired = []profile.Expired{{Status: 410}, {Status: 404, Code: "gone"}} }),
		" \n{\"b\\u0061se\" : 0 , \"position\":\n\"\\u0069d\"} ":       custom(func(p *profile.Profile) { p.Base, p.Position = 0, profile.InID }),
		`{"terminal":["\u00e9\ud83d\ude86"],"name":"\u004dine: 100%"}`: custom(func(p *profile.Profile) { p.Terminal, p.Name = []string{"é🚆"}, "Mine: 100%" }),
	} {
		p, err := profile.Parse([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, normal(*p), text)
	}
	require.Equal(t, "session", profile.Session.Name, "a named profile is never changed")
}

// normal leaves no difference between no list and an empty one where there is none.
func normal(p profile.Profile) profile.Profile {
	if len(p.Expired) == 0 {
		p.Expired = nil
	}
	return p
}

// a profile that is none is a fault that names what is wrong.
func TestParseRefuses(t *testing.T) {
	for text, names := range map[string]string{
		``: "", `{`: "", `{} x`: "", `null`: "", `7`: "", `true`: "", `[]`: "", `{"name":}`: "",
		`"Session"`: "Session", `""`: "", `"plain"`: "plain",
		`{"colour":1}`: "colour", `{"Name":"x"}`: "Name", `{"base ":0}`: "base ", `{"identity":[]}`: "identity",
		`{"name":""}`: "name", `{"name":7}`: "name", `{"name":null}`: "name",
		`{"position":"Payload"}`: "position", `{"position":0}`: "position", `{"position":""}`: "position", `{"position":null}`: "position",
		`{"base":2}`: "base", `{"base":-1}`: "base", `{"base":"1"}`: "base", `{"base":1.0}`: "base", `{"base":true}`: "base", `{"base":null}`: "base", `{"base":18446744073709551616}`: "base",
		`{"scope":"world"}`: "scope", `{"scope":1}`: "scope", `{"continuity":"always"}`: "continuity", `{"continuity":[]}`: "continuity",
		`{"control":"true"}`: "control", `{"control":1}`: "control", `{"control":null}`: "control",
		`{"terminal":"a"}`: "terminal", `{"terminal":[1]}`: "terminal", `{"terminal":{"a":1}}`: "terminal", `{"ephemeral":[null]}`: "ephemeral", `{"ephemeral":["a",["b"]]}`: "ephemeral",
		`{"members":[]}`: "members", `{"members":"seq"}`: "members", `{"members":{"Seq":"n"}}`: "members", `{"members":{"seq":7}}`: "members", `{"members":{"seq":null}}`: "members", `{"members":{"ts":"t"}}`: "members",
		`{"members":{"seq":""}}`: "members",
		`{"expired":{}}`:         "expired", `{"expired":[400]}`: "expired", `{"expired":[{}]}`: "expired", `{"expired":[{"code":"x"}]}`: "expired", `{"expired":[{"status":99}]}`: "expired",
		`{"expired":[{"status":600}]}`: "expired", `{"expired":[{"status":"400"}]}`: "expired", `{"expired":[{"status":400,"code":7}]}`: "expired", `{"expired":[{"status":400,"kode":"x"}]}`: "expired",
		`{"expired":[{"status":400.5}]}`: "expired", `{"identity":"a"}`: "identity", `{"identity":[7]}`: "identity", `{"identity":null}`: "identity",
	} {
		_, err := profile.Parse([]byte(text))
		require.ErrorIs(t, err, fault.InvalidProfile, text)
		f := err.(*fault.Fault)
		require.NotEmpty(t, f.Expected, text)
		require.NotEmpty(t, f.Found, text)
		require.Contains(t, f.Expected+" "+f.Found, names, text)
	}
}

func TestParseKeepsMessagesShort(t *testing.T) {
	_, err := profile.Parse([]byte(`{"name":7,"scope":"` + strings.Repeat("x", 10_000) + `"}`))
	require.ErrorIs(t, err, fault.InvalidProfile)
	_, err = profile.Parse([]byte(`{"scope":"` + strings.Repeat("x", 10_000) + `"}`))
	require.ErrorIs(t, err, fault.InvalidProfile)
	require.Less(t, len(err.(*fault.Fault).Found), 200)
	_, err = profile.Parse([]byte(strings.Repeat("[", 10_000)))
	require.ErrorIs(t, err, fault.InvalidProfile)
}

func TestTerminalAndEphemeral(t *testing.T) {
	require.True(t, profile.Run.IsTerminal([]byte("turn_completed")))
	require.True(t, profile.Run.IsTerminal([]byte("turn_failed")))
	require.False(t, profile.Run.IsTerminal([]byte("turn_started")))
	require.False(t, profile.Run.IsTerminal(nil))
	require.False(t, profile.Session.IsTerminal([]byte("turn_completed")))

	scan := func(p *profile.Profile, typeName string) *events.Envelope {
		e := new(events.Envelope)
		require.Equal(t, events.NoProblem, p.NewScanner().Scan([]byte(`{"type":"`+typeName+`"}`), e))
		return e
	}
	own := profile.Session
	own.Ephemeral = []string{"chunk"}
	none := profile.Session
	none.Ephemeral = []string{}
	for _, c := range []struct {
		p        *profile.Profile
		typeName string
		want     bool
	}{
		{&profile.Session, "text_delta", true}, {&profile.Session, "tool_progress", true}, {&profile.Session, "agent_pending", false}, {&profile.Session, "turn_started", false}, {&profile.Session, "chunk", false},
		{&own, "chunk", true}, {&own, "text_delta", false}, {&none, "text_delta", false}, {&none, "chunk", false},
	} {
		require.Equal(t, c.want, c.p.IsEphemeral(scan(c.p, c.typeName)), c.typeName)
	}
}

// which answers mean that the replay window is over.
func TestIsExpired(t *testing.T) {
	p := profile.Profile{Expired: []profile.Expired{{Status: 400, Code: "expired"}, {Status: 410}}}
	for _, c := range []struct {
		status int
		code   string
		want   bool
	}{{400, "expired", true}, {400, "", false}, {400, "other", false}, {410, "", true}, {410, "anything", true}, {404, "expired", false}, {200, "", false}} {
		require.Equal(t, c.want, p.IsExpired(c.status, c.code), c)
	}
	require.False(t, profile.Session.IsExpired(410, ""))
}

// never more than it can prove.
func TestStrength(t *testing.T) {
	for continuity, want := range map[profile.Continuity][2]profile.Strength{
		profile.Contiguous:    {profile.StrengthContiguous, profile.StrengthExact},
		profile.Monotonic:     {profile.StrengthOrdered, profile.StrengthOrdered},
		profile.CountedEvents: {profile.StrengthNone, profile.StrengthNone},
		profile.Opaque:        {profile.StrengthNone, profile.StrengthNone},
	} {
		p := profile.Profile{Continuity: continuity}
		require.Equal(t, want, [2]profile.Strength{p.StrengthOf(false), p.StrengthOf(true)})
	}
	for s, name := range map[profile.Strength]string{0: "none", 1: "ordered", 2: "contiguous", 3: "exact", 99: ""} {
		require.Equal(t, name, s.String())
	}
}

// where an overlap can be asked for, and there is something to compare.
func TestProves(t *testing.T) {
	for _, p := range []*profile.Profile{&profile.Session, &profile.Record, &profile.Run} {
		require.True(t, p.Proves(), p.Name)
	}
	for text, want := range map[string]bool{
		`{}`: false, `{"control":true}`: false, `{"identity":["a"]}`: true, `{"identity":["a"],"position":"id"}`: true, `{"identity":["a"],"continuity":"monotonic"}`: true, `{"identity":["a"],"scope":"process"}`: true,
		`{"identity":["a"],"position":"counted"}`: false, `{"identity":["a"],"continuity":"opaque"}`: false, `{"identity":["a"],"continuity":"counted"}`: false, `{"identity":["a"],"scope":"connection"}`: false,
	} {
		p, err := profile.Parse([]byte(text))
		require.NoError(t, err)
		require.Equal(t, want, p.Proves(), text)
	}
}

// The scanner reads the envelope that the profile describes.
func TestNewScanner(t *testing.T) {
	parse := func(text string) *profile.Profile {
		p, err := profile.Parse([]byte(text))
		require.NoError(t, err)
		return p
	}
	for _, c := range []struct {
		p       *profile.Profile
		text    string
		seq     events.Seq
		session string
		problem events.Problem
	}{
		{&profile.Session, `{"seq":4,"sessionId":"s1"}`, 4, "s1", 0},
		{&profile.Run, `{"seq":4,"runId":"r1","sessionId":7}`, 4, "r1", 0},
		{&profile.Record, `{"seq":4,"sessionId":"s1","gen":-1}`, 0, "", events.BadGeneration},
		{parse(`{"base":0}`), `{"seq":0}`, 1, "", 0},
		{parse(`{"base":0}`), `{"seq":9007199254740991}`, 0, "", events.BadSeq},
		{parse(`{"members":{"seq":"n","session":"s"}}`), `{"n":4,"s":"x","seq":"mine"}`, 4, "x", 0},
		{parse(`{"position":"id"}`), `{"seq":"mine"}`, 0, "", 0},
		{parse(`{"position":"counted"}`), `{"seq":[],"seq":{}}`, 0, "", 0},
		{parse(`{"members":{"session":""}}`), `{"seq":4,"sessionId":7}`, 4, "", 0},
	} {
		var e events.Envelope
		require.Equal(t, c.problem, c.p.NewScanner().Scan([]byte(c.text), &e), c.text)
		require.Equal(t, c.seq, e.Seq, c.text)
		require.Equal(t, c.session, string(e.Session), c.text)
	}
}
