package typed

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/gen/sample"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

const ts = "2026-01-01T00:00:00.000Z"

func TestARecordOfAnEvent(t *testing.T) {
	e, err := Decode([]byte(`{ "lineage":{"depth":1}, "type":"turn_resuming","turnId":"t","sessionId":"s","x":1e3,"seq":4 ,"generation" : "g", "fromCheckpointId":"c"}`))
	require.NoError(t, err)
	record, err := RecordOf(e, ts)
	require.NoError(t, err)
	text, err := Encode(record)
	require.NoError(t, err)
	assert.Equal(t, `{ "type":"turn_resuming","turnId":"t","sessionId":"s","x":1e3,"seq":4 ,"gen":"g", "fromCheckpointId":"c","ts":"`+ts+`","v":1}`, string(text))
	assert.Equal(t, events.Generation("g"), record.Common().Generation.Or(""))
	back, err := EventOf(record)
	require.NoError(t, err)
	text, err = Encode(back)
	require.NoError(t, err)
	assert.Equal(t, `{ "type":"turn_resuming","turnId":"t","sessionId":"s","x":1e3,"seq":4 ,"generation":"g", "fromCheckpointId":"c","v":1}`, string(text))
	assert.Equal(t, Live, back.Common().Form())
}

// Every type of class log becomes a record and comes back; no other does.
func TestEveryRecordedTypeCanBeConverted(t *testing.T) {
	for _, row := range catalog.Events() {
		text := sample.Text(sample.Without(sample.Event(row, sample.Full), "lineage"))
		e, err := Decode(text)
		require.NoError(t, err)
		record, err := RecordOf(e, ts)
		if row.Class != events.ClassLog {
			require.ErrorIs(t, err, fault.BadInput, row.Name)
			continue
		}
		require.NoError(t, err, row.Name)
		line, err := Encode(record)
		require.NoError(t, err)
		again := same(t, DecodeRecord, line)
		assert.Equal(t, typeName(e), typeName(again))
		back, err := EventOf(again)
		require.NoError(t, err)
		got, err := Encode(back)
		require.NoError(t, err)
		assert.Equal(t, string(text), string(got), row.Name)
	}
}

func TestAChangedEventBecomesAChangedRecord(t *testing.T) {
	e, err := Decode([]byte(`{"type":"plan_approved","sessionId":"s","turnId":"t","planId":"p","v":1,"seq":2}`))
	require.NoError(t, err)
	e.(*PlanApproved).PlanID = "q"
	record, err := RecordOf(e, ts)
	require.NoError(t, err)
	assert.Equal(t, PlanID("q"), record.(*PlanApproved).PlanID)
	assert.Equal(t, ts, record.(*PlanApproved).TS)
}

func TestUnknownTypesAreRecordedToo(t *testing.T) {
	e, err := Decode([]byte(`{"type":"later","sessionId":"s","seq":1}`))
	require.NoError(t, err)
	record, err := RecordOf(e, ts)
	require.NoError(t, err)
	assert.Equal(t, "later", record.Type())
}

func TestWhatHasNoRecord(t *testing.T) {
	for name, text := range map[string]string{
		"not recorded":  `{"type":"plan_approved","sessionId":"s","turnId":"t","planId":"p"}`,
		"ephemeral":     `{"type":"tool_input_delta","sessionId":"s","turnId":"t","seq":1,"toolUseId":"u","partialJson":""}`,
		"listener-only": `{"type":"agent_failed","sessionId":"s","turnId":"t","seq":1,"taskId":"k","error":""}`,
		"run era":       `{"type":"plan_approved","runId":"s","seq":1,"planId":"p"}`,
		"has a gen":     `{"type":"plan_approved","sessionId":"s","turnId":"t","planId":"p","seq":1,"gen":5}`,
		"has a ts":      `{"type":"plan_approved","sessionId":"s","turnId":"t","planId":"p","seq":1,"ts":""}`,
		"a record name": `{"type":"decision_expired","sessionId":"s","seq":1}`,
	} {
		e, err := Decode([]byte(text))
		require.NoError(t, err, name)
		_, err = RecordOf(e, ts)
		require.ErrorIs(t, err, fault.BadInput, name)
	}
	_, err := RecordOf(nil, ts)
	require.ErrorIs(t, err, fault.BadInput)
}

func TestWhatHasNoEvent(t *testing.T) {
	for name, text := range map[string]string{
		"only in a log":    `{"type":"session_started","seq":1,"ts":"x","sessionId":"s"}`,
		"no session":       `{"type":"task_updated","seq":1,"ts":"x","taskId":"k","subject":"","status":1}`,
		"has a generation": `{"type":"later","seq":1,"ts":"x","sessionId":"s","generation":1}`,
		"has a lineage":    `{"type":"later","seq":1,"ts":"x","sessionId":"s","lineage":{}}`,
	} {
		record, err := DecodeRecord([]byte(text))
		require.NoError(t, err, name)
		_, err = EventOf(record)
		require.ErrorIs(t, err, fault.BadInput, name)
	}
	live, err := Decode([]byte(`{"type":"later","sessionId":"s"}`))
	require.NoError(t, err)
	_, err = EventOf(live)
	require.ErrorIs(t, err, fault.BadInput)
}

// A receipt is spread into its record: its members are not in the catalog, and
// are there nevertheless.
func TestReceiptMembersCanBeRead(t *testing.T) {
	record := same(t, DecodeRecord, []byte(`{"type":"checkpoint_written","seq":9,"ts":"x","turnId":"t","checkpointId":"c","sha256":"ab","throughSeq":8}`))
	raw, ok := record.Common().Member("throughSeq")
	assert.True(t, ok)
	assert.Equal(t, "8", raw.String())
	_, ok = record.Common().Member("throughSha256")
	assert.False(t, ok)
}
