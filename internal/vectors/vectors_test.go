package vectors

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const testdata = "../../testdata"

func TestTestdata(t *testing.T) {
	for _, folder := range []string{"vectors", "cases"} {
		var out strings.Builder
		counts := Run(&out, filepath.Join(testdata, folder))
		require.Empty(t, out.String())
		require.Zero(t, counts.Failed)
		require.Zero(t, counts.Skipped, "a kind that is built has a run")
		require.Positive(t, counts.Passed)
	}
}

// TestEveryExpectationCounts bends each member of each expectation in testdata:
// no vector may agree with that, or it tests nothing.
func TestEveryExpectationCounts(t *testing.T) {
	bent := 0
	for _, folder := range []string{"vectors", "cases"} {
		files, err := find(filepath.Join(testdata, folder))
		require.NoError(t, err)
		for _, file := range files {
			vectors, err := load(file)
			require.NoError(t, err)
			for _, v := range vectors {
				bent += refutes(t, file, v)
			}
		}
	}
	require.Greater(t, bent, 1000)
}

// refutes compares what a vector gives with its bent expectations, and answers
// how many there are.
func refutes(t *testing.T, file string, v vector) int {
	k, ok := kindOf(v)
	require.True(t, ok, "%s: %s", file, name(v))
	got, err := try(k, v)
	require.NoError(t, err)
	bent := bend(t, v)
	for _, w := range bent {
		wanted, err := k.wanted(w)
		require.NoError(t, err)
		require.Len(t, wanted, 1)
		require.False(t, agrees(wanted[0], got), "%s: %s agrees with %s", file, name(v), text(wanted[0]))
	}
	return len(bent)
}

// bend answers copies of v, each with another outcome in one member.
func bend(t *testing.T, v vector) (bent []vector) {
	for _, key := range []string{"expect", "strict_expect", "expected"} {
		if v[key] == nil || key == "expect" && v["strict_expect"] != nil {
			continue
		}
		for _, value := range bentValues(t, v[key]) {
			w := vector{}
			for k, raw := range v {
				w[k] = raw
			}
			w[key] = value
			delete(w, "also_ok")
			bent = append(bent, w)
		}
	}
	require.NotEmpty(t, bent, "%s expects nothing", name(v))
	return bent
}

func bentValues(t *testing.T, raw json.RawMessage) (bent []json.RawMessage) {
	var object members
	if json.Unmarshal(raw, &object) != nil || object == nil {
		return []json.RawMessage{json.RawMessage(`"bent"`)}
	}
	delete(object, "also_ok")
	delete(object, "check_before_eof")
	for key, value := range object {
		object[key] = json.RawMessage(`"bent"`)
		raw, err := json.Marshal(map[string]json.RawMessage(object))
		require.NoError(t, err)
		bent = append(bent, raw)
		object[key] = value
	}
	return bent
}

func TestReports(t *testing.T) {
	token := `{"name": "n", "token": "s1:4", "expect": {"seq": 4}}`
	for _, c := range []struct {
		name, file string
		counts     Counts
		want       []string
	}{
		{"passed", `[` + token + `]`, Counts{Passed: 1}, nil},
		{"a document", `{"about": {"x": 1}, "cases": [` + token + `]}`, Counts{Passed: 1}, nil},
		{"wrong", `[{"name": "n", "token": "s1:4", "expect": {"seq": 5}}]`, Counts{Failed: 1}, []string{"n\n", `expected {"seq":5}`, `"seq":4`}},
		{"an unknown key", `[{"name": "n", "token": "s1:4", "extra": 1, "expect": {"seq": 4}}]`, Counts{Failed: 1}, []string{"no unknown keys", "extra"}},
		{"an unknown key below", `[{"name": "n", "token": "s1:4", "expect": {"seq": 4, "Seq": 4}}]`, Counts{Failed: 1}, []string{"expect.Seq"}},
		{"an unknown key of a document", `{"note": 1, "cases": [` + token + `]}`, Counts{Failed: 1}, []string{"note"}},
		{"an unknown kind", `[{"id": "X-1", "kind": "x"}]`, Counts{Failed: 1}, []string{"X-1", "known kind", "id, kind"}},
		{"an unknown listing", `[{"name": "n", "op": "x", "basis": "x"}]`, Counts{Failed: 1}, []string{"known kind", "op"}},
		{"a vector that is none", `[{"a": 1}]`, Counts{Failed: 1}, []string{"(without a name)"}},
		{"nothing expected", `[{"name": "n", "token": "s1:4", "expect": {}}]`, Counts{Failed: 1}, []string{"expects nothing"}},
		{"nothing observed", `[{"id": "n", "kind": "json", "input": {"raw_events": []}, "expected": {"cursor": null}}]`, Counts{Failed: 1}, []string{"nothing is observed"}},
		{"not built", `[{"id": "n", "kind": "api", "input": 1}]`, Counts{Skipped: 1}, nil},
		{"an empty list", `[]`, Counts{Failed: 1}, []string{"empty"}},
		{"no list", `{"about": 1}`, Counts{Failed: 1}, []string{"neither a list"}},
		{"no JSON", `[`, Counts{Failed: 1}, []string{"unexpected end"}},
		{"no object", `[1]`, Counts{Failed: 1}, []string{"a list of vectors"}},
		{"one that is as good", `[{"id": "n", "kind": "json", "input": {"session": "s1", "raw_events": ["{\"seq\":1}"]},
			"expected": {"verdicts": ["gap"], "also_ok": [{"verdicts": ["accept"]}]}}]`, Counts{Passed: 1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "v.json")
			require.NoError(t, os.WriteFile(file, []byte(c.file), 0o600))
			var out strings.Builder
			require.Equal(t, c.counts, Run(&out, file))
			for _, part := range c.want {
				require.Contains(t, out.String(), part)
			}
		})
	}
}

func TestPathsWithoutVectors(t *testing.T) {
	empty := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(empty, "notes.txt"), []byte("[]"), 0o600))
	for _, path := range []string{empty, filepath.Join(empty, "missing"), filepath.Join(empty, "notes.txt")} {
		require.Equal(t, Counts{Failed: 1}, Run(new(strings.Builder), path), path)
	}
}

func TestFoldersAreSearched(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "below"), 0o700))
	for _, file := range []string{"a.json", "below/b.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(`[{"name": "n", "token": "s1:4", "expect": {"seq": 4}}]`), 0o600))
	}
	require.Equal(t, Counts{Passed: 2}, Run(new(strings.Builder), dir))
}

func TestNumbersByText(t *testing.T) {
	for in, want := range map[string]string{
		`{"$num": "NaN"}`: `NaN`, `[1.50, {"$num": "9007199254740993"}]`: `[1.50,9007199254740993]`,
		`{"b": {"$num": "-Infinity"}, "a": "x\ud83d"}`: `{"a":"x\ud83d","b":-Infinity}`,
		`{"$num": "1e1"}`: `{"$num":"1e1"}`, `{"$num": "01"}`: `{"$num":"01"}`, `{"$num": "-0"}`: `-0`,
		`{"$num": 1}`: `{"$num":1}`, `{"$num": "1", "a": null}`: `{"$num":"1","a":null}`, `null`: `null`,
	} {
		require.Equal(t, want, string(bare(json.RawMessage(in))))
	}
}

func TestAPanicIsAFailure(t *testing.T) {
	k := kind{run: func(vector) (any, error) { panic("of a vector") }}
	_, err := try(&k, nil)
	require.ErrorContains(t, err, "of a vector")
}
