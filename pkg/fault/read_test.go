package fault_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestReadThrownRefuses(t *testing.T) {
	tests := []struct{ name, text, found string }{
		{"empty", ``, "ends too early"},
		{"cut", `{"kind":"error"`, "ends too early"},
		{"not an object", `["error"]`, "an array"},
		{"no kind", `{}`, ""},
		{"unknown kind", `{"kind":"Coded"}`, "Coded"},
		{"unknown member", `{"kind":"error","mesage":"x"}`, "member mesage"},
		{"no rule", `{"kind":"fault"}`, ""},
		{"unknown rule", `{"kind":"fault","rule":"provider.auth"}`, "provider.auth"},
		{"code", `{"kind":"coded","code":7}`, "a number"},
		{"details", `{"kind":"coded","code":"unknown","details":[]}`, "an array"},
		{"retryable", `{"kind":"coded","code":"unknown","retryable":"yes"}`, "text"},
		{"status", `{"kind":"provider","code":"x","status":"429"}`, "text"},
		{"retryAfterMs", `{"kind":"provider","code":"x","retryAfterMs":true}`, "true or false"},
		{"object", `{"kind":"value","text":"x","object":{}}`, "an object"},
		{"invalid UTF-8", "{\"kind\":\"error\",\"message\":\"\xff\"}", "invalid UTF-8 here"},
		{"too deep", `{"kind":"coded","details":` + strings.Repeat(`{"a":`, 600) + `1` + strings.Repeat("}", 600) + `}`,
			"nested too deeply here"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := fault.ReadThrown([]byte(tt.text))
			assert.Nil(t, v)
			require.ErrorIs(t, err, fault.BadInput)
			var f *fault.Fault
			require.ErrorAs(t, err, &f)
			assert.Equal(t, tt.found, f.Found)
			assert.NotEmpty(t, f.Expected)
		})
	}
}

func TestReadThrown(t *testing.T) {
	tests := []struct{ name, text, facts, normal string }{
		{"null is absent",
			`{"kind":"provider","code":"x","message":"m","retryable":null,"status":null,"retryAfterMs":null,"providerId":null,"hint":null}`,
			`{"message":"m","code":"x"}`,
			`{"code":"provider_error","message":"m","details":{"providerCode":"x"},"retryable":false}`},
		{"default verdict of a provider code", `{"kind":"provider","code":"rate_limit","message":"m"}`,
			`{"message":"m","code":"rate_limit"}`,
			`{"code":"provider_error","message":"m","details":{"providerCode":"rate_limit"},"retryable":true}`},
		{"fractions stay", `{"kind":"provider","code":"x","message":"m","retryAfterMs":1500.5}`,
			`{"message":"m","code":"x","retryAfterMs":1500.5}`,
			`{"code":"provider_error","message":"m","details":{"providerCode":"x","retryAfterMs":1500.5},"retryable":false}`},
		{"a code of the wire", `{"kind":"coded","code":"interrupted","message":"m","details":{},"retryable":true}`,
			`{"message":"m","code":"interrupted"}`,
			`{"code":"interrupted","message":"m","details":{},"retryable":true}`},
		{"fault", `{"kind":"fault","rule":"stream.stalled","expected":"a","found":"b","name":"TidemarkError"}`,
			`{"message":"stream.stalled: The connection stayed open, but not a byte arrived for too long (expected a, found b)",
			"code":"storage_error","name":"TidemarkError"}`,
			`{"code":"storage_error",
			"message":"stream.stalled: The connection stayed open, but not a byte arrived for too long (expected a, found b)",
			"details":{"rule":"stream.stalled","expected":"a","found":"b"},"retryable":true}`},
		{"name", ` {"kind":"error","message":"m","name":"TypeError"} `, `{"message":"m","name":"TypeError"}`,
			`{"code":"unknown","message":"m","retryable":false}`},
		{"name of a value", `{"kind":"value","text":"t","name":"Set"}`, `{"message":"t","name":"Set"}`,
			`{"code":"unknown","message":"t","retryable":false}`},
		{"name and hint", `{"kind":"coded","code":"tool_error","message":"m","name":"N","hint":"h"}`,
			`{"message":"m","code":"tool_error","name":"N","hint":"h"}`,
			`{"code":"tool_error","message":"m","retryable":false}`},
		{"a primitive takes no hint", `{"kind":"value","text":"t","hint":"h"}`, `{"message":"t"}`,
			`{"code":"unknown","message":"t","retryable":false}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := fault.ReadThrown([]byte(tt.text))
			require.NoError(t, err)
			facts := fault.FactsOf(v)
			assert.JSONEq(t, tt.facts, string(facts.AppendJSON(nil)))
			assert.JSONEq(t, tt.normal, string(fault.Normalize(v).AppendJSON(nil)))
		})
	}
}

func TestProviderRulesSeeOpenCodedErrors(t *testing.T) {
	read := fault.PlatformError{Code: "provider_error", Message: "m", Details: `{"providerCode":"auth"}`}
	got, ok := fault.Explain(read)
	require.True(t, ok)
	assert.Equal(t, "provider.auth", got.ID, "a failure read from the wire explains itself again")
}

func FuzzReadThrown(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"coded","code":"tool_error","message":"m","details":{"status":1}}`, `{"kind":"value","text":"t","object":true,"hint":"h"}`,
		`{"kind":"provider","code":"auth","status":401,"retryable":true}`, `{"kind":"error","hint":7}`, `{"kind":`, `null`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := fault.ReadThrown(text)
		if err != nil {
			require.ErrorIs(t, err, fault.BadInput)
			return
		}
		require.True(t, json.Valid(text))
		facts := fault.FactsOf(v)
		require.True(t, json.Valid(facts.AppendJSON(nil)))
		require.True(t, json.Valid(fault.Normalize(v).AppendJSON(nil)))
		if e, ok := fault.Explain(v); ok {
			require.True(t, json.Valid(e.AppendJSON(nil)))
		}
	})
}
