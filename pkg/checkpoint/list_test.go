package checkpoint_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
)

func entries(ids string) (list []checkpoint.Entry) {
	for i, id := range strings.Fields(ids) {
		list = append(list, checkpoint.Entry{ID: id, CreatedAt: int64(i)})
	}
	return list
}

// oldest first; of two at the same time the higher id is newer.
func TestSort(t *testing.T) {
	list := []checkpoint.Entry{{ID: "b", CreatedAt: 5}, {ID: "z", CreatedAt: 1}, {ID: "a", CreatedAt: 5}, {ID: "B", CreatedAt: 5}}
	checkpoint.Sort(list)
	var got []string
	for _, e := range list {
		got = append(got, e.ID)
	}
	require.Equal(t, []string{"z", "B", "a", "b"}, got)
}

func TestEntry(t *testing.T) {
	d, err := checkpoint.Parse([]byte(full))
	require.NoError(t, err)
	require.JSONEq(t, `{"id":"c1","sessionId":"s:1","turnId":"t1","iteration":4,"createdAt":1767225601500,"throughSeq":9}`, string(d.Entry().AppendJSON(nil)))
}

// the oldest beyond the number to keep; what an unsettled park refers to
// stays and nothing goes in its place; the newest always stays.
func TestPrunePlan(t *testing.T) {
	for name, c := range map[string]struct {
		keep     int
		referred string
		want     string
	}{
		"two of four":          {2, "", "a b"},
		"all there are":        {4, "", ""},
		"more than there are":  {9, "", ""},
		"one at least":         {0, "", "a b c"},
		"below nothing":        {-3, "", "a b c"},
		"one is referred to":   {1, "b", "a c"},
		"all are referred to":  {1, "a b c", ""},
		"the newest is anyway": {1, "d", "a b c"},
	} {
		t.Run(name, func(t *testing.T) {
			got := checkpoint.PrunePlan(entries("a b c d"), c.keep, func(id string) bool { return strings.Contains(c.referred, id) })
			require.Equal(t, c.want, strings.Join(got, " "))
		})
	}
	require.Nil(t, checkpoint.PrunePlan(nil, 1, func(string) bool { return false }))
}

func TestPrunedRecord(t *testing.T) {
	require.Equal(t, `{"type":"checkpoint_pruned","turnId":"t1","checkpointIds":["a","\"b"]}`, string(checkpoint.AppendPruned(nil, "t1", []string{"a", `"b`})))
}

// what the log says exists.
func TestLedger(t *testing.T) {
	lines, _ := committed()
	var l checkpoint.Ledger
	require.False(t, l.Holds("t1", "c1"))
	for _, r := range lines {
		l.Add([]byte(r))
	}
	require.True(t, l.Holds("t1", "c1"))
	require.False(t, l.Holds("t2", "c1"), "of another turn")
	require.False(t, l.Holds("t1", "c2"))
	for _, damaged := range []string{`["c1"],`, `["c1",!]`, `["c1"`} {
		l.Add([]byte(`{"type":"checkpoint_pruned","checkpointIds":` + damaged))
		require.True(t, l.Holds("t1", "c1"), "a damaged record takes nothing away")
	}
	l.Add([]byte(line(6, `checkpoint_pruned,"checkpointIds":[7,"c1"]`)))
	require.False(t, l.Holds("t1", "c1"))
	l.Add([]byte(strings.Replace(lines[3], `"throughSeq":3`, `"throughSeq":"3"`, 1)))
	require.False(t, l.Holds("t1", "c1"), "a damaged record commits nothing")
}

func TestSummarize(t *testing.T) {
	d, err := checkpoint.Parse([]byte(full))
	require.NoError(t, err)
	of := func(contents ...string) checkpoint.Summary {
		var list []checkpoint.Message
		for _, c := range contents {
			list = append(list, checkpoint.Message{Content: []byte(c)})
		}
		return checkpoint.Summarize(&d, list)
	}
	s := of(`"a summary"`, `{"role":"assistant","content":"first"}`, `{"role":"assistant","content":[{"type":"text","text":"sec"},{"type":"image"},{"type":"text","text":"ond"}]}`,
		`{"role":"assistant","content":""}`, `{"role":"assistant","content":[{"type":"tool_use"}]}`, `{"role":"user","content":"no"}`)
	require.JSONEq(t, `{"iteration":4,"messageCount":6,"tokenUsage":{"input":1.50},"costInfo":{"usd":1e-3},"lastText":"second"}`, string(s.AppendJSON(nil)))
	require.Empty(t, of(`{"role":"user","content":"x"}`, `7`, `null`).LastText)
	require.NotContains(t, string(of().AppendJSON(nil)), "lastText")
}
