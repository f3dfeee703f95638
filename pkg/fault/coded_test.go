package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestExplicitVerdictBeatsDefault(t *testing.T) {
	for _, c := range fault.Codes() {
		assert.Equal(t, c.Retryable(), fault.Coded(c, "m").Retryable)
		for _, explicit := range []bool{true, false} {
			e := fault.Coded(c, "m").WithRetryable(explicit)
			assert.Equal(t, explicit, e.Retryable)
			assert.Equal(t, explicit, fault.Normalize(e).Retryable)
		}
	}
}

func TestCodedIsAnOrdinaryError(t *testing.T) {
	e := fault.Coded(fault.CodeNotFound, "no such checkpoint").
		WithDetails(fault.Details("").Set("checkpointId", "cp_1")).WithCause(io.EOF)
	err := fmt.Errorf("restore: %w", e)
	assert.Equal(t, "no such checkpoint", e.Error())
	assert.ErrorIs(t, err, io.EOF)
	assert.ErrorIs(t, err, fault.CodeNotFound)
	assert.NotErrorIs(t, err, fault.CodeStorageError)
	assert.NotErrorIs(t, err, fault.UnknownSession)
	var got *fault.Error
	require.True(t, errors.As(err, &got))
	assert.Same(t, e, got)
}

func TestAsCoded(t *testing.T) {
	e := fault.Coded(fault.CodeToolError, "m")
	for _, v := range []any{e, fmt.Errorf("x: %w", e), fault.WithHint(e, "h"), errors.Join(io.EOF, e)} {
		got, ok := fault.AsCoded(v)
		assert.True(t, ok)
		assert.Same(t, e, got)
	}
	provider := &fault.ProviderError{Code: "auth"}
	for _, v := range []any{
		nil, "tool_error", 7, io.EOF, provider, (*fault.Error)(nil), fault.Gap, fault.New(fault.Gap, "", ""),
		fault.PlatformError{Code: "tool_error"}, fault.Value{Text: "x"}, errors.Join(provider, e), struct{}{},
	} {
		_, ok := fault.AsCoded(v)
		assert.False(t, ok, "%v", v)
	}
}

func TestOutermostKnownTypeDecides(t *testing.T) {
	provider := &fault.ProviderError{Code: "rate_limit", Message: "inner", Retryable: true}
	plugin := fault.Coded(fault.CodePluginError, "outer").WithCause(provider)
	assert.Equal(t, "plugin_error", fault.Normalize(plugin).Code)
	_, ok := fault.Explain(plugin)
	assert.False(t, ok, "a failure of a plugin is not explained as one of a provider")

	load := fault.New(fault.LoadFailed, "", "")
	load.Err = fault.Coded(fault.CodeStorageError, "disk full")
	got, _ := fault.Explain(load)
	assert.Equal(t, "stream.load_failed", got.ID)

	facts := fault.FactsOf(fmt.Errorf("call: %w", provider))
	assert.Equal(t, fault.KindProvider, facts.Kind)
	assert.Equal(t, "inner", facts.Message)
}

func TestProviderVerdicts(t *testing.T) {
	known := map[string]bool{"rate_limit": true, "auth": false}
	for _, code := range append(fault.ProviderCodes(), "other", "") {
		retryable, ok := fault.ProviderRetryable(code)
		want, wantOK := known[code]
		assert.Equal(t, wantOK, ok, code)
		assert.Equal(t, want, retryable, code)
	}
}

func TestProviderZeroIsNotAbsence(t *testing.T) {
	p := &fault.ProviderError{Code: "", Message: "m"}
	assert.Equal(t, fault.Details(`{"providerCode":""}`), fault.Normalize(p).Details)
	facts := fault.FactsOf(p)
	assert.JSONEq(t, `{"message":"m","code":""}`, string(facts.AppendJSON(nil)))
	p.ProviderID, p.Status, p.RetryAfterMs = new(""), fault.Int(0), fault.Int(0)
	assert.Equal(t, fault.Details(`{"providerCode":"","providerId":"","status":0,"retryAfterMs":0}`),
		fault.Normalize(p).Details)
	p.Status, p.RetryAfterMs = "4x3", "\"9\""
	facts = fault.FactsOf(p)
	assert.False(t, facts.Status.IsSet() || facts.RetryAfterMs.IsSet(), "text that is no number is absent")
}
