package park

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

// view is everything that there is to show, as a host reads it.
type view struct {
	Number   int
	Rows     []map[string]any
	Sessions []any
	Wake     int64
}

// viewer is a host: it has the last answer that it got.
type viewer struct {
	view
	whole int // rows that were written for it
}

// look asks for what has changed.
func (v *viewer) look(t *testing.T, b *Inbox, now int64) {
	var came struct {
		view
		Rows []json.RawMessage
	}
	require.NoError(t, json.Unmarshal(b.AppendChanges(nil, now, v.Number), &came))
	var rows []map[string]any
	for _, raw := range came.Rows {
		if raw[0] == '[' {
			rows = append(rows, v.kept(t, raw)...)
			continue
		}
		var row map[string]any
		require.NoError(t, json.Unmarshal(raw, &row))
		rows = append(rows, row)
		v.whole++
	}
	v.view = came.view
	v.Rows = rows
}

// kept are rows of the answer before.
func (v *viewer) kept(t *testing.T, raw []byte) (rows []map[string]any) {
	var run []any
	require.NoError(t, json.Unmarshal(raw, &run))
	from, n := int(run[0].(float64)), int(run[1].(float64))
	for _, row := range v.Rows[from : from+n] {
		if len(run) > 2 {
			row = maps.Clone(row)
			delete(row, "was")
			row["state"] = run[2]
		}
		if len(run) > 3 {
			row["was"] = run[3]
		}
		rows = append(rows, row)
	}
	return rows
}

func TestChangesAsJSON(t *testing.T) {
	var b stage
	begins(&b)
	live(&b)
	for i, id := range []string{"a", "b", "c", "d"} {
		b.Event("s", events.Seq(i+1), "7", []byte(ask(id, 1, "")))
	}
	session := func(pending int) string {
		return fmt.Sprintf(`,"sessions":[{"session":"s","known":true,"pending":%d}]}`, pending)
	}
	var v viewer
	v.look(t, &b.Inbox, base)
	assert.Equal(t, `{"number":2,"rows":[[0,4]]`+session(4), string(b.AppendChanges(nil, base, 1)))
	b.Event("s", 5, "7", []byte(answer("b", 2)))
	changed := `{"session":"s","state":"answered","requestType":"plan","decisionId":"b","turnId":"t1","checkpointId":"cb","seq":2,"generation":"7","request":{"type":"plan"},"parkedAt":1767225601000,"resolvedAt":1767225602000,"resolvedSeq":5,"expired":false,"decision":{"action":"approve_plan"},"resolvedBy":{"kind":"user"}}`
	assert.Equal(t, `{"number":3,"rows":[[0,1],`+changed+`,[2,2]]`+session(3), string(b.AppendChanges(nil, base, 2)))
	lost(Refused)(&b)
	assert.Equal(t, `{"number":4,"rows":[[0,1,"unknown","pending"],[1,1,"unknown","answered"],[2,2,"unknown","pending"]],"sessions":[{"session":"s","known":false,"why":"refused","pending":0}]}`,
		string(b.AppendChanges(nil, base, 3)))
	assert.NotContains(t, string(b.AppendChanges(nil, base, 3)), "[0,1", "the host has another answer than the last one")
	assert.NotContains(t, string(b.AppendChanges(nil, base, 0)), "[0,1")
	assert.Equal(t, `{"number":1,"rows":[],"sessions":[]}`, string(new(Inbox).AppendChanges(nil, 0, 7)))
}

// Whatever happens to an inbox between two looks, and whichever answer a host missed, it
// sees what somebody sees who asks for everything.
func TestChangesMakeTheWhole(t *testing.T) {
	for seed := range uint64(40) {
		lot := rand.New(rand.NewPCG(seed, 3))
		var b stage
		b.now = base
		b.Keep(lot.IntN(3) * 2)
		var v viewer
		seq := map[string]int{}
		for range 120 {
			happens(lot, &b, seq)
			if lot.IntN(4) == 0 {
				continue
			}
			if lot.IntN(20) == 0 {
				b.AppendChanges(nil, b.now, v.Number) // and it did not arrive
			}
			v.look(t, &b.Inbox, b.now)
			var all view
			require.NoError(t, json.Unmarshal(b.AppendJSON(nil, b.now), &all))
			require.Len(t, v.Rows, len(all.Rows), "seed %d", seed)
			for i, row := range all.Rows {
				require.Equal(t, row, v.Rows[i], "seed %d", seed)
			}
			all.Rows, all.Number = v.Rows, v.Number
			require.Equal(t, all, v.view, "seed %d", seed)
		}
	}
}

// happens is one thing that may happen to an inbox of two sessions.
func happens(lot *rand.Rand, b *stage, seq map[string]int) {
	s := []string{"s", "t"}[lot.IntN(2)]
	id := fmt.Sprint(lot.IntN(12))
	record := func(text string) {
		seq[s]++
		b.Event(s, events.Seq(seq[s]), "7", []byte(text))
	}
	begin := func(does func(string)) {
		seq[s] = 0
		does(s)
	}
	switch lot.IntN(16) {
	case 0:
		begin(b.Begin)
	case 1:
		begin(b.BeginElsewhere)
	case 2:
		b.Forget(s)
	case 3, 4:
		b.Lost(s, Why(lot.IntN(int(whyCount))))
	case 5, 6, 7:
		b.Live(s, lot.IntN(8) > 0)
	case 8:
		b.now += int64(lot.IntN(4000))
	case 9, 10:
		record(answer(id, lot.IntN(9)))
	case 11:
		record(lapse(id, lot.IntN(9)))
	default:
		record(ask(id, lot.IntN(9), []string{"", due10}[lot.IntN(2)]))
	}
}

// An event touches the rows that it changes, however many there are.
func TestChangesAreFew(t *testing.T) {
	var b stage
	var v viewer
	begins(&b)
	live(&b)
	for i := range 1000 {
		b.Event("s", events.Seq(i+1), "7", []byte(ask(fmt.Sprint(i), 1, "")))
	}
	v.look(t, &b.Inbox, base)
	require.Equal(t, 1000, v.whole)
	for i := range 10 {
		b.Event("s", events.Seq(1001+i), "7", []byte(answer(fmt.Sprint(i*50), 2)))
		v.look(t, &b.Inbox, base)
		require.Equal(t, 1001+i, v.whole)
	}
	lost(Disconnected)(&b)
	v.look(t, &b.Inbox, base)
	live(&b)
	v.look(t, &b.Inbox, base)
	require.Equal(t, 1010, v.whole)
}
