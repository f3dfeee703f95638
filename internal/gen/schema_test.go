package gen

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/gen/sample"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
	"github.com/tidemark-stream/tidemark/pkg/events/typed"
)

const schemaURL = "https://example.test/events.json"

func compiled(t *testing.T, fragment string) *jsonschema.Schema {
	t.Helper()
	files, err := schemaFiles("")
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(files[0].Data))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource(schemaURL, doc))
	s, err := c.Compile(schemaURL + fragment)
	require.NoError(t, err)
	return s
}

func accepts(t *testing.T, s *jsonschema.Schema, text string) bool {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err, text)
	return s.Validate(v) == nil
}

// The schema and typed.Decode are made from one catalog: they agree on every
// sample, and on every sample that lacks a member or has a wrong one.
func TestSchemaAndDecodeAgree(t *testing.T) {
	s := compiled(t, "")
	agree := func(members []sample.Member, want bool) {
		text := string(sample.Text(members))
		_, err := typed.Decode([]byte(text))
		assert.Equal(t, want, err == nil, text)
		assert.Equal(t, want, accepts(t, s, text), text)
	}
	for _, row := range catalog.Events() {
		full := sample.Event(row, sample.Full)
		agree(full, true)
		agree(sample.Event(row, sample.Minimal), true)
		agree(append(full, sample.Member{Name: "later", Value: "[1]"}), true)
		agree(sample.Without(full, "sessionId"), false)
		for _, f := range row.Fields {
			if f.Required {
				agree(sample.Without(full, f.Name), false)
			}
			if kind := sample.Expr(f).Kind; kind != catalog.Any && kind != catalog.Raw && kind != catalog.List {
				agree(sample.With(full, f.Name, `[]`), false)
			}
		}
	}
}

func TestSchemaTakesAndRefuses(t *testing.T) {
	s := compiled(t, "")
	for text, want := range map[string]bool{
		`{"type":"later_type","sessionId":"s","x":1}`:                                                          true,
		`{"type":"later_type"}`:                                                                                false,
		`{"type":"later_type","sessionId":""}`:                                                                 false,
		`{"type":"later_type","sessionId":"a\u0001"}`:                                                          false,
		`{"type":"plan_approved","sessionId":"s","planId":"p"}`:                                                false,
		`{"type":"plan_approved","sessionId":"s","turnId":"t","planId":"p","seq":0}`:                           false,
		`{"type":"plan_approved","sessionId":"s","turnId":"t","planId":"p","seq":9007199254740991}`:            true,
		`{"type":"plan_approved","sessionId":"s","turnId":"t","planId":"p","seq":9007199254740992}`:            false,
		`{"type":"plan_approved","sessionId":"s","turnId":"t","planId":"p","generation":"x"}`:                  true,
		`{"type":"plan_approved","sessionId":"s","turnId":"t","planId":"p","generation":12345678901234567890}`: true,
		`{"type":"plan_approved","sessionId":"s","turnId":"t","planId":"p","generation":""}`:                   false,
		`{"type":"tool_review_completed","sessionId":"s","turnId":"t","decision":"approved"}`:                  true,
		`{"type":"tool_review_completed","sessionId":"s","turnId":"t","decision":"postponed"}`:                 false,
		`{"type":"hosted_tool","sessionId":"s","turnId":"t","iteration":1,"tool":null}`:                        false,
		`{"type":"tool_executing","sessionId":"s","turnId":"t","toolUseId":"u","toolName":"n","input":null}`:   true,
		`[]`: false,
	} {
		assert.Equal(t, want, accepts(t, s, text), text)
	}
}

func TestSchemaOfRecords(t *testing.T) {
	for _, row := range catalog.Records {
		s := compiled(t, "#/$defs/"+row.Name)
		for _, amount := range []sample.Amount{sample.Minimal, sample.Full} {
			members := sample.Record(row, amount)
			assert.True(t, accepts(t, s, string(sample.Text(members))), row.Name)
			assert.False(t, accepts(t, s, string(sample.Text(sample.Without(members, "ts")))), row.Name)
		}
	}
}

func TestSchemaOfTheRunEra(t *testing.T) {
	s := compiled(t, "#/$defs/persistedRun")
	assert.True(t, accepts(t, s, `{"runId":"r","schemaVersion":3,"seq":1,"timestamp":5}`))
	assert.False(t, accepts(t, s, `{"runId":"r","schemaVersion":3,"seq":1}`))
	assert.False(t, accepts(t, s, `{"seq":1,"timestamp":5}`))
}
