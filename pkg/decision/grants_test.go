package decision

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

const ts = `"ts":"2026-01-01T00:00:01.000Z"`

func asked(turn, id string) string {
	return fmt.Sprintf(`{"type":"decision_requested",%s,"turnId":%q,"decisionId":%q,"checkpointId":"c","request":{"type":"tool_review"}}`, ts, turn, id)
}

func answered(turn, id, decision string) string {
	return fmt.Sprintf(`{"type":"decision_resolved",%s,"turnId":%q,"decisionId":%q,"decision":%s,"resolvedBy":{"kind":"user"}}`, ts, turn, id, decision)
}

func expired(turn, id string) string {
	return fmt.Sprintf(`{"type":"decision_expired",%s,"turnId":%q,"decisionId":%q}`, ts, turn, id)
}

func ended(turn, how string) string {
	return fmt.Sprintf(`{"v":1,"type":%q,%s,"turnId":%q,"result":"x"}`, how, ts, turn)
}

const (
	wide   = `{"action":"approve_tools","remember":["bash"]}`
	single = `{"action":"approve_tools","remember":["bash:{\"cmd\":\"ls\"}"]}`
)

func granted(records ...string) *Grants {
	g := new(Grants)
	for _, r := range records {
		g.Add([]byte(r))
	}
	return g
}

func covers(t *testing.T, g *Grants, turn, input string) bool {
	t.Helper()
	ok, err := g.Covers(turn, "bash", []byte(input))
	require.NoError(t, err)
	return ok
}

// nothing is remembered but what approve_tools lists, for the turn that was
// asked, until that ends.
func TestGrants(t *testing.T) {
	const ls, rm = `{ "cmd": "ls" }`, `{"cmd":"rm"}`
	for _, c := range []struct {
		name    string
		records []string
		ls, rm  bool // of turn t1
	}{
		{"nothing", nil, false, false},
		{"a wide key", []string{asked("t1", "d"), answered("t1", "d", wide)}, true, true},
		{"a key of one call", []string{asked("t1", "d"), answered("t1", "d", single)}, true, false},
		{"the turn of the question counts, not that of the answer", []string{asked("t1", "d"), answered("t2", "d", wide)}, true, true},
		{"a question of another turn", []string{asked("t2", "d"), answered("t1", "d", wide)}, false, false},
		{"no keys", []string{asked("t1", "d"), answered("t1", "d", `{"action":"approve_tools"}`)}, false, false},
		{"empty keys", []string{asked("t1", "d"), answered("t1", "d", `{"action":"approve_tools","remember":[]}`)}, false, false},
		{"another action", []string{asked("t1", "d"), answered("t1", "d", `{"action":"approve_plan","remember":["bash"]}`)}, false, false},
		{"calls that were changed", []string{asked("t1", "d"), answered("t1", "d", `{"action":"modify_tools","modifications":[],"remember":["bash"]}`)}, false, false},
		{"an action that is not known", []string{asked("t1", "d"), answered("t1", "d", `{"action":"approve_all_tools","remember":["bash"]}`)}, false, false},
		{"a decision that is none", []string{asked("t1", "d"), answered("t1", "d", `{"action":"approve_tools","remember":"bash"}`)}, false, false},
		{"an answer before its question", []string{answered("t1", "d", wide), asked("t1", "d")}, false, false},
		{"a second answer", []string{asked("t1", "d"), answered("t1", "d", `{"action":"reject_tools","feedback":"no"}`), answered("t1", "d", wide)}, false, false},
		{"a refusal after the answer", []string{asked("t1", "d"), answered("t1", "d", single), answered("t1", "d", `{"action":"abort"}`)}, true, false},
		{"an answer after the expiry", []string{asked("t1", "d"), expired("t1", "d"), answered("t1", "d", wide)}, false, false},
		{"a question that is asked again", []string{asked("t1", "d"), expired("t1", "d"), asked("t1", "d"), answered("t1", "d", wide)}, true, true},
		{"the turn is complete", []string{asked("t1", "d"), answered("t1", "d", wide), ended("t1", "turn_completed")}, false, false},
		{"the turn failed", []string{asked("t1", "d"), answered("t1", "d", wide), ended("t1", "turn_failed")}, false, false},
		{"another turn ended", []string{asked("t1", "d"), answered("t1", "d", wide), ended("t2", "turn_completed")}, true, true},
		{"an answer after the end", []string{asked("t1", "d"), ended("t1", "turn_completed"), answered("t1", "d", wide)}, false, false},
		{"asked again after the end", []string{asked("t1", "d"), ended("t1", "turn_completed"), asked("t1", "d"), answered("t1", "d", wide)}, true, true},
		{"an end that names no turn ends all", []string{asked("t1", "d"), answered("t1", "d", wide), `{"type":"turn_completed","turnId":7}`}, false, false},
		{"an end that names two", []string{asked("t1", "d"), answered("t1", "d", wide), `{"type":"turn_failed","turnId":"t3","turnId":"t4"}`}, false, false},
		{"an end that is cut", []string{asked("t1", "d"), answered("t1", "d", wide), `{"type":"turn_failed","turnId":"t3"`}, false, false},
		{"an end that is cut, with a question open", []string{asked("t1", "d"), `{"type":"turn_failed","turn`, answered("t1", "d", wide)}, false, false},
		{"a question without a turn", []string{asked("", "d"), answered("t1", "d", wide)}, false, false},
		{"a record without a time", []string{asked("t1", "d"), `{"type":"decision_resolved","turnId":"t1","decisionId":"d","decision":` + wide + `}`}, false, false},
		{"two answers to two questions", []string{asked("t1", "d"), asked("t1", "e"), answered("t1", "e", single), answered("t1", "d", wide)}, true, true},
		{"other records", []string{asked("t1", "d"), `{"type":"message","content":{"type":"turn_completed"}}`, `{}`, `7`, ``, answered("t1", "d", wide), `{"type":7}`}, true, true},
	} {
		g := granted(c.records...)
		require.Equal(t, c.ls, covers(t, g, "t1", ls), c.name)
		require.Equal(t, c.rm, covers(t, g, "t1", rm), c.name)
		require.False(t, covers(t, g, "", ls), c.name)
	}
}

// a grant never reaches another session; each has Grants of its own.
func TestGrantsOfAnotherSession(t *testing.T) {
	one, other := granted(asked("t1", "d"), answered("t1", "d", wide)), granted(asked("t1", "d"))
	require.True(t, covers(t, one, "t1", `{}`))
	require.False(t, covers(t, other, "t1", `{}`))
}

// keys are compared as they are: no prefixes, no other case, no other tool.
func TestGrantsAreForEqualKeys(t *testing.T) {
	g := granted(asked("t1", "d"), answered("t1", "d", `{"action":"approve_tools","remember":["bas","BASH","bash: ls","bash:{\"cmd\": \"ls\"}","sh"]}`))
	require.False(t, covers(t, g, "t1", `{"cmd":"ls"}`))
	ok, err := g.Covers("t1", "sh", []byte(`{"cmd":"ls"}`))
	require.NoError(t, err)
	require.True(t, ok)
}

// a call without keys is never covered, not even by the name of its tool.
func TestCallWithoutKeysIsNotCovered(t *testing.T) {
	g := granted(asked("t1", "d"), answered("t1", "d", wide))
	ok, err := g.Covers("t1", "bash", []byte(`{"a":1,"a":2}`))
	require.Error(t, err)
	require.False(t, ok)
}

// Grants of a long log need no more memory than what is open: nothing is left of
// turns that ended.
func TestGrantsForget(t *testing.T) {
	g := new(Grants)
	for i := range 1000 {
		turn, id := fmt.Sprint("t", i), fmt.Sprint("d", i)
		for _, r := range []string{asked(turn, id), answered(turn, id, wide), ended(turn, "turn_completed")} {
			g.Add([]byte(r))
		}
	}
	require.Empty(t, g.keys)
	require.Empty(t, g.asked)
	require.Less(t, len(g.fold.Parks()), 5)
}

// FuzzGrants: no record makes it panic, and without an approve_tools nothing is
// granted.
func FuzzGrants(f *testing.F) {
	f.Add([]byte(answered("t1", "d", wide)))
	f.Add([]byte(ended("t1", "turn_failed")))
	f.Add([]byte(`{"type":"turn_completed"`))
	f.Add([]byte(expired("t1", "d")))
	f.Fuzz(func(t *testing.T, record []byte) {
		g := granted(asked("t1", "d"))
		g.Add(record)
		before := covers(t, g, "t1", `{}`)
		g.Add([]byte(ended("t1", "turn_completed")))
		require.False(t, covers(t, g, "t1", `{}`))
		if before {
			var r struct{ Decision struct{ Action string } }
			require.NoError(t, json.Unmarshal(record, &r))
			require.Equal(t, ApproveTools, r.Decision.Action)
		}
	})
}
