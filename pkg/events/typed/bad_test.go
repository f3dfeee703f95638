package typed

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/gen/sample"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// refused reads a bad text and answers the fault.
func refused(t *testing.T, decode func([]byte) (Event, error), text string) *fault.Fault {
	t.Helper()
	e, err := decode([]byte(text))
	require.Error(t, err, "%.200s", text)
	assert.Nil(t, e)
	var f *fault.Fault
	require.True(t, errors.As(err, &f), "%T", err)
	assert.ErrorIs(t, err, fault.BadEvent)
	assert.NotEmpty(t, f.Expected, "%.200s", text)
	assert.NotEmpty(t, f.Found, "%.200s", text)
	return f
}

const turnHead = `{"type":"tool_completed","sessionId":"s","turnId":"t",`

func TestBadTexts(t *testing.T) {
	nested := strings.Repeat("[", events.MaxDepth) + strings.Repeat("]", events.MaxDepth)
	cases := []struct{ name, text, expected, found string }{
		{"empty", ``, "an event as JSON", "ends too early"},
		{"cut off", `{"type":"x","sessionId":"s"`, "an event as JSON", "ends too early"},
		{"no JSON", `<html>`, "an event as JSON", "not JSON here"},
		{"two values", `{"type":"x","sessionId":"s"}{}`, "an event as JSON", "more than one value"},
		{"no UTF-8", "{\"type\":\"x\",\"sessionId\":\"s\",\"a\":\"\xff\"}", "an event as JSON", "invalid UTF-8 here"},
		{"too deep", `{"type":"x","sessionId":"s","a":` + nested + `}`, "an event as JSON", "nested too deeply here"},
		{"array", ` []`, "an object", "an array"},
		{"null", `null`, "an object", "null"},
		{"text", `"x"`, "an object", "text"},
		{"no type", `{"sessionId":"s"}`, `member "type" to be text`, "nothing"},
		{"type null", `{"type":null,"sessionId":"s"}`, `member "type" to be text`, "null"},
		{"type number", `{"type":1,"sessionId":"s"}`, `member "type" to be text`, "a number"},
		{"type twice", `{"type":"x","type":"x","sessionId":"s"}`, "an event", events.DuplicateMember.String()},
		{"no session", `{"type":"x"}`, `member "sessionId" to be text`, "nothing"},
		{"session null", `{"type":"x","sessionId":null}`, `member "sessionId" to be text`, "null"},
		{"session number", `{"type":"x","sessionId":1}`, `member "sessionId" to be text`, "a number"},
		{"session empty", `{"type":"x","sessionId":""}`, "an event", events.BadSession.String()},
		{"session with control", `{"type":"x","sessionId":"a\u0000"}`, "an event", events.BadSession.String()},
		{"session twice", `{"type":"x","sessionId":"s","session\u0049d":"s"}`, "an event", events.DuplicateMember.String()},
		{"no turn", `{"type":"plan_approved","sessionId":"s","planId":"p"}`, `member "turnId" to be text`, "nothing"},
		{"turn null", `{"type":"plan_approved","sessionId":"s","turnId":null,"planId":"p"}`, `member "turnId" to be text`, "null"},
		{"turn number", `{"type":"x","sessionId":"s","turnId":4}`, `member "turnId" to be text`, "a number"},
		{"seq text", `{"type":"x","sessionId":"s","seq":"7"}`, `member "seq" to be an integer from 1 to 9007199254740991 in digits`, "other text"},
		{"seq 0", `{"type":"x","sessionId":"s","seq":0}`, `member "seq" to be an integer from 1 to 9007199254740991 in digits`, "another number"},
		{"seq negative", `{"type":"x","sessionId":"s","seq":-1}`, `member "seq" to be an integer from 1 to 9007199254740991 in digits`, "another number"},
		{"seq 2^53", `{"type":"x","sessionId":"s","seq":9007199254740992}`, `member "seq" to be an integer from 1 to 9007199254740991 in digits`, "another number"},
		{"seq 1e3", `{"type":"x","sessionId":"s","seq":1e3}`, `member "seq" to be an integer from 1 to 9007199254740991 in digits`, "another number"},
		{"seq twice", `{"type":"x","sessionId":"s","seq":1,"seq":1}`, "an event", events.DuplicateMember.String()},
		{"generation empty", `{"type":"x","sessionId":"s","generation":""}`, `member "generation" to be an integer of at least 0 in digits, or text that is not empty`, "other text"},
		{"generation negative", `{"type":"x","sessionId":"s","generation":-1}`, `member "generation" to be an integer of at least 0 in digits, or text that is not empty`, "another number"},
		{"generation object", `{"type":"x","sessionId":"s","generation":{}}`, `member "generation" to be an integer of at least 0 in digits, or text that is not empty`, "an object"},
		{"run id is a number", `{"type":"x","runId":7}`, `member "runId" to be text`, "a number"},
		{"member missing", turnHead + `"toolUseId":"u","toolName":"n","isError":true}`, `member "result" to be text`, "nothing"},
		{"member null", turnHead + `"toolUseId":"u","toolName":"n","result":null,"isError":true}`, `member "result" to be text`, "null"},
		{"member number", turnHead + `"toolUseId":"u","toolName":"n","result":1,"isError":true}`, `member "result" to be text`, "a number"},
		{"member boolean as text", turnHead + `"toolUseId":"u","toolName":"n","result":"","isError":"true"}`, `member "isError" to be true or false`, "text"},
		{"member half an integer", turnHead + `"toolUseId":"u","toolName":"n","result":"","isError":true,"outputLength":1.5}`, `member "outputLength" to be an integer`, "a number with a fraction"},
		{"member tiny integer", turnHead + `"toolUseId":"u","toolName":"n","result":"","isError":true,"outputLength":1e-9999999999999999999}`, `member "outputLength" to be an integer`, "a number with a fraction"},
		{"member number as text", turnHead + `"toolUseId":"u","toolName":"n","result":"","isError":true,"durationMs":"1"}`, `member "durationMs" to be a number`, "text"},
		{"first of two is wrong", turnHead + `"toolUseId":1,"toolUseId":"u","toolName":"n","result":"","isError":true}`, `member "toolUseId" to be text`, "a number"},
		{"shape is text", turnHead + `"toolUseId":"u","toolName":"n","result":"","isError":true,"via":"code"}`, `member "via" to be an object`, "text"},
		{"inside a shape", turnHead + `"toolUseId":"u","toolName":"n","result":"","isError":true,"via":{"tool":7,"toolUseId":"v"}}`, `member "via.tool" to be text`, "a number"},
		{"missing in a shape", turnHead + `"toolUseId":"u","toolName":"n","result":"","isError":true,"via":{"tool":"c"}}`, `member "via.toolUseId" to be text`, "nothing"},
		{"list is an object", `{"type":"plan_ready","sessionId":"s","turnId":"t","planId":"p","title":"","steps":{}}`, `member "steps" to be an array`, "an object"},
		{"inside a list", `{"type":"task_created","sessionId":"s","taskId":"k","subject":"","status":1,"blockedBy":["a",3]}`, `member "blockedBy[1]" to be text`, "a number"},
		{"opaque is null", `{"type":"hosted_tool","sessionId":"s","turnId":"t","iteration":1,"tool":null}`, `member "tool" to be a value`, "null"},
		{"details are text", `{"type":"turn_paused","sessionId":"s","turnId":"t","checkpointId":"c","reason":"","failure":{"code":"x","message":"","retryable":true,"details":"d"}}`, `member "failure.details" to be an object`, "text"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := refused(t, Decode, c.text)
			assert.Equal(t, c.expected, f.Expected)
			assert.Equal(t, c.found, f.Found)
		})
	}
}

func TestBadRecords(t *testing.T) {
	for name, text := range map[string]string{
		"no seq":     `{"type":"message","ts":"x","sessionId":"s","messageId":"m","content":{}}`,
		"seq null":   `{"type":"message","seq":null,"ts":"x","sessionId":"s","messageId":"m","content":{}}`,
		"no ts":      `{"type":"message","seq":1,"sessionId":"s","messageId":"m","content":{}}`,
		"ts number":  `{"type":"message","seq":1,"ts":1767225600000,"sessionId":"s","messageId":"m","content":{}}`,
		"gen object": `{"type":"message","seq":1,"gen":{},"ts":"x","sessionId":"s","messageId":"m","content":{}}`,
		"no turn":    `{"type":"decision_expired","seq":1,"ts":"x","sessionId":"s","decisionId":"d"}`,
		"no type":    `{"seq":1,"ts":"x","sessionId":"s"}`,
		"no JSON":    `{"seq":1`,
	} {
		t.Run(name, func(t *testing.T) { refused(t, DecodeRecord, text) })
	}
}

func TestFaultsSayWhere(t *testing.T) {
	text := turnHead + `"toolUseId":"u","toolName":"n","result":"","isError":true,"via":{ "tool" : 7,"toolUseId":"v"}}`
	f := refused(t, Decode, text)
	assert.Equal(t, int64(strings.Index(text, "7")), f.Offset)
	assert.Equal(t, "s", f.Session)
	f = refused(t, Decode, `{"type":"x","sessionId":"s",}`)
	assert.Equal(t, int64(28), f.Offset)
}

// Payload must never reach a log by way of an error.
func TestFaultsCarryNoPayload(t *testing.T) {
	_, err := Decode([]byte(turnHead + `"toolUseId":{"secret":"hunter2"},"toolName":"n","result":"","isError":true}`))
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "hunter2")
	assert.NotContains(t, fmt.Sprintf("%+v", err), "hunter2")
}

// wrongFor is a value that no member of the kind takes.
func wrongFor(e catalog.Expr) string {
	switch e.Kind {
	case catalog.Any:
		return ""
	case catalog.Raw:
		return "null"
	case catalog.Text, catalog.ID, catalog.EnumValue:
		return "17"
	}
	return `"17"`
}

// Every member of every type: without it when it has to be there, and with a
// value of another kind.
func TestEveryMemberOfEveryTypeIsChecked(t *testing.T) {
	for _, row := range catalog.Events() {
		full := sample.Event(row, sample.Full)
		for _, f := range row.Fields {
			if f.Required {
				bad := refused(t, Decode, string(sample.Text(sample.Without(full, f.Name))))
				assert.Contains(t, bad.Expected, `"`+f.Name+`"`, row.Name)
			}
			expr := sample.Expr(f)
			wrong := wrongFor(expr)
			if wrong == "" || wrong == "null" && !f.Required {
				continue
			}
			bad := refused(t, Decode, string(sample.Text(sample.With(full, f.Name, wrong))))
			assert.Contains(t, bad.Expected, `"`+f.Name+`"`, row.Name)
		}
	}
}
