package typed

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/gen/sample"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
)

// oddities are members that no type has, in spellings that a rebuilt text would lose.
const oddities = ` , "future" : [ 1e3 , -0 , 1.50, 123456789012345678901234567890 ] ,"future":null,"\u0066uture":"\u00e9\/\ud83d\ude00",` +
	`"Type":"x","":{}, "Seq" : "7"` + "\n"

func same(t *testing.T, decode func([]byte) (Event, error), text []byte) Event {
	t.Helper()
	e, err := decode(text)
	require.NoError(t, err, "%s", text)
	back, err := Encode(e)
	require.NoError(t, err, "%s", text)
	require.Equal(t, string(text), string(back))
	return e
}

// spread puts white space around every part of a text.
func spread(members []sample.Member) string {
	var parts []string
	for _, m := range members {
		parts = append(parts, "\t"+strconv.Quote(m.Name)+" :\r\n "+m.Value)
	}
	return " {" + strings.Join(parts, " ,\n") + oddities + "}\n "
}

// event types and members survive byte for byte.
func TestEveryTypeComesBackAsItWas(t *testing.T) {
	for _, row := range catalog.Events() {
		t.Run(row.Name, func(t *testing.T) {
			for _, amount := range []sample.Amount{sample.Minimal, sample.Full} {
				for _, members := range [][]sample.Member{sample.Event(row, amount), sample.Run(row, amount)} {
					e := same(t, Decode, sample.Text(members))
					assert.Equal(t, row.Name, e.Type())
					assert.NotEqual(t, "*typed.Unknown", typeName(e))
					same(t, Decode, []byte(spread(members)))
				}
			}
		})
	}
}

func TestEveryRecordComesBackAsItWas(t *testing.T) {
	for _, row := range catalog.Records {
		for _, amount := range []sample.Amount{sample.Minimal, sample.Full} {
			e := same(t, DecodeRecord, sample.Text(sample.Record(row, amount)))
			assert.Equal(t, row.Name, e.Type())
			assert.Equal(t, Recorded, e.Common().Form())
			assert.NotEqual(t, "*typed.Unknown", typeName(e))
			same(t, DecodeRecord, []byte(spread(sample.Record(row, amount))))
		}
	}
}

// A new event of every type is written from its fields alone. Reading the text
// of a full sample into another struct leaves no trace but the fields.
func TestEveryTypeCanBeWrittenAnew(t *testing.T) {
	for _, row := range catalog.Events() {
		text := sample.Text(sample.Event(row, sample.Full))
		e := same(t, Decode, text)
		e.Common().doc = document{}
		anew, err := Encode(e)
		require.NoError(t, err, row.Name)
		assert.JSONEq(t, string(text), string(anew))
		same(t, Decode, anew)
	}
}

func TestAnUnknownTypeIsKept(t *testing.T) {
	e := same(t, Decode, []byte(`{ "sessionId":"s","type":"later_type","seq":3,"generation":"a b","payload":{"x":1.0} }`))
	u, ok := e.(*Unknown)
	require.True(t, ok)
	assert.Equal(t, "later_type", u.Type())
	seq, _ := u.Seq.Get()
	assert.Equal(t, events.Seq(3), seq)
	raw, ok := u.Member("payload")
	assert.True(t, ok)
	assert.Equal(t, `{"x":1.0}`, raw.String())
}

// Names are exact: neither a record type nor an old name is a live type of the
// session era.
func TestOtherNamesAreUnknown(t *testing.T) {
	for _, name := range []string{"message", "checkpoint_pruned", "subsession_spawned", "Text_delta", ""} {
		e := same(t, Decode, sample.Text([]sample.Member{{Name: "type", Value: strconv.Quote(name)}, {Name: "sessionId", Value: `"s"`}}))
		assert.Equal(t, "*typed.Unknown", typeName(e), name)
	}
}

func TestTheTextIsCopied(t *testing.T) {
	text := []byte(`{"type":"plan_approved","sessionId":"s","turnId":"t","planId":"p"}`)
	e, err := Decode(text)
	require.NoError(t, err)
	want := string(text)
	for i := range text {
		text[i] = 'x'
	}
	back, err := Encode(e)
	require.NoError(t, err)
	assert.Equal(t, want, string(back))
}

func TestTheRunEra(t *testing.T) {
	e := same(t, Decode, []byte(`{"type":"subsession_idled","runId":"run_1","schemaVersion":3,"seq":4,"timestamp":17,"childSessionId":"c"}`))
	child, ok := e.(*ChildSessionIdled)
	require.True(t, ok)
	assert.Equal(t, RunEra, child.Form())
	assert.Equal(t, SessionID("run_1"), child.SessionID)
	assert.Equal(t, IntOf(3), child.V.Or(""))
	assert.Equal(t, IntOf(17), child.Timestamp.Or(""))
	child.ChildSessionID = "d"
	back, err := Encode(child)
	require.NoError(t, err)
	assert.Equal(t, `{"type":"subsession_idled","runId":"run_1","schemaVersion":3,"seq":4,"timestamp":17,"childSessionId":"d"}`, string(back))
}

func TestEncodingJSONReadsAndWritesTheSame(t *testing.T) {
	text := `{"type":"turn_failed","sessionId":"s","turnId":"t","error":"e","settlement":{"status":"failed"},"more":[1]}`
	var e TurnFailed
	require.NoError(t, json.Unmarshal([]byte(text), &e))
	assert.Equal(t, "e", e.Error)
	back, err := json.Marshal(&e)
	require.NoError(t, err)
	assert.Equal(t, text, string(back))
	assert.Error(t, json.Unmarshal([]byte(text), &TurnCompleted{}))
	var record CheckpointPruned
	require.NoError(t, json.Unmarshal(sample.Text(sample.Record(catalog.Records[5], sample.Full)), &record))
	assert.Equal(t, []CheckpointID{"checkpoint_1", "checkpoint_1"}, record.CheckpointIDs)
	var other Unknown
	require.NoError(t, json.Unmarshal([]byte(`{"type":"x","sessionId":"s"}`), &other))
	assert.Equal(t, "x", other.Name)
}
