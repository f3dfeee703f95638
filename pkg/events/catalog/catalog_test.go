package catalog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

func TestTheCountsOfTheContract(t *testing.T) {
	count := map[any]int{}
	for _, e := range Events() {
		count[e.Origin]++
		count[e.Class]++
		count[e.Turn]++
		if e.Terminal {
			count["terminal"]++
		}
	}
	assert.Len(t, Events(), 62)
	assert.Equal(t, map[any]int{
		Core: 50, Lifecycle: 9, ChildSession: 3,
		events.ClassLog: 54, events.ClassEphemeral: 4, events.ClassListener: 4,
		events.TurnRequired: 45, events.TurnOptional: 17, "terminal": 2,
	}, count)
	assert.Len(t, Records, 9)
}

func TestEveryNameStandsOnce(t *testing.T) {
	seen := map[string]bool{}
	once := func(name string) {
		assert.False(t, seen[name], "%s stands twice", name)
		seen[name] = true
	}
	for _, e := range Events() {
		once(e.Name)
	}
	for _, r := range Records {
		once(r.Name)
	}
	for _, r := range RunNames {
		once(r.Old)
		assert.True(t, seen[r.Now], "%s maps to nothing", r.Old)
	}
}

func TestTheLeanTableSaysTheSame(t *testing.T) {
	require.Len(t, Events(), events.TypeCount)
	for i, e := range Events() {
		assert.Equal(t, i, events.TypeIndex([]byte(e.Name)), e.Name)
		lean := events.Type{Name: e.Name, Class: e.Class, Turn: e.Turn, Terminal: e.Terminal}
		assert.Equal(t, lean, events.TypeAt(i))
	}
}

func TestEphemeralVectors(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "vectors", "ephemeral.json"))
	require.NoError(t, err)
	var file struct {
		Cases []struct {
			Name, Type string
			Expect     *bool
		}
	}
	require.NoError(t, json.Unmarshal(text, &file))
	require.Len(t, file.Cases, 88)
	for _, c := range file.Cases {
		require.NotNil(t, c.Expect, c.Name)
		assert.Equal(t, *c.Expect, events.IsEphemeral([]byte(c.Type)), c.Name)
	}
}

func TestFind(t *testing.T) {
	e, ok := Find("turn_failed")
	require.True(t, ok)
	assert.True(t, e.Terminal)
	_, ok = Find("Turn_failed")
	assert.False(t, ok)
}

// definitions maps "kind:Name" to whether something refers to it yet.
func definitions() map[string]bool {
	defined := map[string]bool{}
	for _, s := range Shapes {
		defined["shape:"+s.Name] = false
	}
	for _, e := range Enums {
		defined["enum:"+e.Name] = false
	}
	for _, k := range IDKinds {
		defined["id:"+k.Name] = false
	}
	for _, o := range Opaques {
		defined["opaque:"+o.Name] = false
	}
	return defined
}

func allFields() map[string][]Field {
	fields := map[string][]Field{}
	for _, e := range Events() {
		fields[e.Name] = e.Fields
	}
	for _, r := range Records {
		fields[r.Name] = r.Fields
	}
	for _, s := range Shapes {
		fields[s.Name] = s.Fields
	}
	for _, e := range []Envelope{Session, Run, PersistedRun, Record} {
		fields[e.Name] = e.Fields
	}
	return fields
}

func TestEveryExpressionNamesWhatIsDefined(t *testing.T) {
	used := definitions()
	for owner, fields := range allFields() {
		names := map[string]bool{}
		for _, f := range fields {
			assert.False(t, names[f.Name], "%s.%s stands twice", owner, f.Name)
			names[f.Name] = true
			expr, err := Parse(f.Type)
			require.NoError(t, err, "%s.%s: %q", owner, f.Name, f.Type)
			for expr.Kind == List {
				expr = *expr.Elem
			}
			if expr.Name == "" {
				continue
			}
			key := string(expr.Kind) + ":" + expr.Name
			_, defined := used[key]
			assert.True(t, defined, "%s.%s: %s is not defined", owner, f.Name, key)
			used[key] = true
		}
	}
	for _, r := range Records {
		if r.Spread != "" {
			used["opaque:"+r.Spread] = true
		}
	}
	// Said at IDKinds: these stand in no event.
	used["id:Project"], used["id:ToolCall"], used["id:Tenant"] = true, true, true
	for key, is := range used {
		assert.True(t, is, "%s is defined and never used", key)
	}
}

func TestOwnMembersKeepOffTheEnvelope(t *testing.T) {
	taken := map[string]bool{"type": true, "sessionId": true, "turnId": true, "runId": true, "timestamp": true}
	for _, e := range []Envelope{Session, Run, Record} {
		for _, f := range e.Fields {
			taken[f.Name] = true
		}
	}
	for _, e := range Events() {
		for _, f := range e.Fields {
			assert.False(t, taken[f.Name], "%s.%s", e.Name, f.Name)
		}
	}
	for _, r := range Records {
		for _, f := range r.Fields {
			assert.False(t, taken[f.Name], "%s.%s", r.Name, f.Name)
		}
	}
}

func TestEveryTypeIsExplained(t *testing.T) {
	for _, g := range Groups {
		assert.NotEmpty(t, g.Meaning, g.Title)
		for _, e := range g.Events {
			assert.NotEmpty(t, e.Meaning, e.Name)
		}
	}
	for _, e := range Enums {
		assert.NotEmpty(t, e.Meaning, e.Name)
		assert.NotEmpty(t, e.Values, e.Name)
	}
}

func TestParseExpressions(t *testing.T) {
	good := map[string]Expr{
		"string":             {Kind: Text},
		"object<string,any>": {Kind: Object},
		"id:Turn":            {Kind: ID, Name: "Turn"},
		"list<id:Task>":      {Kind: List, Elem: &Expr{Kind: ID, Name: "Task"}},
		"list<list<int>>":    {Kind: List, Elem: &Expr{Kind: List, Elem: &Expr{Kind: Int}}},
	}
	for text, want := range good {
		got, err := Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "id", "id:", "list<", "list<>", "list<int", "String", "map<int>", "int "} {
		_, err := Parse(text)
		assert.Error(t, err, "%q", text)
	}
}
