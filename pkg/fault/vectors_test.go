package fault_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// vectorCase has every key that a case of the three files can have.
type vectorCase struct {
	Name         string          `json:"name"`
	Thrown       json.RawMessage `json:"thrown"`
	Expect       json.RawMessage `json:"expect"`
	BasicExpect  json.RawMessage `json:"basic_expect"`
	StrictExpect json.RawMessage `json:"strict_expect"`
}

// cases reads a vector file; an unknown key, or a number of cases other than
// the file itself names, fails.
func cases(t *testing.T, file string) []vectorCase {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "vectors", file))
	require.NoError(t, err)
	var all struct {
		About struct {
			What   string          `json:"what"`
			Case   json.RawMessage `json:"case"`
			Expect string          `json:"expect"`
			Count  int             `json:"count"`
		} `json:"about"`
		Cases []vectorCase `json:"cases"`
	}
	strict(t, text, &all)
	require.NotEmpty(t, all.Cases)
	require.Len(t, all.Cases, all.About.Count)
	return all.Cases
}

func strict(t *testing.T, text []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(into))
}

func thrown(t *testing.T, c vectorCase) any {
	t.Helper()
	v, err := fault.ReadThrown(c.Thrown)
	require.NoError(t, err)
	return v
}

func TestVectorsCatalog(t *testing.T) {
	for _, c := range cases(t, "catalog.json") {
		t.Run(c.Name, func(t *testing.T) {
			var expect struct {
				Facts       json.RawMessage `json:"facts"`
				Explanation json.RawMessage `json:"explanation"`
			}
			strict(t, c.Expect, &expect)
			v := thrown(t, c)
			facts := fault.FactsOf(v)
			assert.JSONEq(t, string(expect.Facts), string(facts.AppendJSON(nil)))
			sameExplanation(t, expect.Explanation, v)
		})
	}
}

// a provider's code or status on any other failure says nothing.
func TestVectorsCatalogStrict(t *testing.T) {
	for _, c := range cases(t, "catalog-strict.json") {
		t.Run(c.Name, func(t *testing.T) {
			require.NotEmpty(t, c.BasicExpect, "the flat rule has an expectation too")
			sameExplanation(t, c.StrictExpect, thrown(t, c))
		})
	}
}

// sameExplanation compares with null, with {id} (the words are those of the
// rule) or with {id, message, hint}.
func sameExplanation(t *testing.T, expect json.RawMessage, v any) {
	t.Helper()
	require.NotEmpty(t, expect)
	got, ok := fault.Explain(v)
	if string(expect) == "null" {
		assert.False(t, ok, "explained as %s", got.ID)
		return
	}
	var want struct {
		ID      string  `json:"id"`
		Message *string `json:"message"`
		Hint    *string `json:"hint"`
	}
	strict(t, expect, &want)
	require.True(t, ok, "no explanation, want %s", want.ID)
	rule, known := fault.Lookup(want.ID)
	require.True(t, known)
	if want.Message == nil {
		want.Message, want.Hint = &rule.Message, &rule.Hint
	}
	assert.Equal(t, fault.Explanation{ID: want.ID, Message: *want.Message, Hint: *want.Hint}, got)
}

func TestVectorsPlatformError(t *testing.T) {
	for _, c := range cases(t, "platform-error.json") {
		t.Run(c.Name, func(t *testing.T) {
			got := fault.Normalize(thrown(t, c))
			assert.JSONEq(t, string(c.Expect), string(got.AppendJSON(nil)))
			assert.Equal(t, got, fault.Normalize(got), "a normal form is its own normal form")
		})
	}
}
