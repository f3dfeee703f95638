package checkpoint_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
)

// proofs that share a pass come to what each comes to by itself, whatever byte
// of the log is changed, and wherever it ends.
func TestProofsTogether(t *testing.T) {
	lines, first := committed()
	second := start(lines[:4])
	second.CheckpointID = "c2"
	later := second.AppendJSON(nil)
	receipt, err := checkpoint.ReceiptOf(later)
	require.NoError(t, err)
	text := strings.TrimPrefix(string(receipt.AppendWritten(nil, "t1")), `{"type":"checkpoint_written","turnId":"t1",`)
	lines = append(lines[:4:4], line(5, "checkpoint_written,"+strings.TrimSuffix(text, "}")))
	documents := map[string][]byte{"c1": first, "c2": later, "c3": first, "none": []byte("{}")}

	together := func(lines []string) (held int) {
		t.Helper()
		var all checkpoint.Proofs
		shared, alone := map[string]*checkpoint.Proof{}, map[string]*checkpoint.Proof{}
		for id, text := range documents {
			shared[id], alone[id] = all.Prove(id, text), checkpoint.Prove(id, text)
		}
		for _, l := range lines {
			all.Add([]byte(l))
			for _, p := range alone {
				p.Add([]byte(l))
			}
		}
		for id := range documents {
			want, wanted := alone[id].Result()
			got, err := shared[id].Result()
			require.Equal(t, wanted, err, id)
			require.Equal(t, want, got, id)
			if err == nil {
				held++
			}
		}
		return held
	}
	require.Equal(t, 2, together(lines), "c1 and c2")
	for n := range len(lines) + 1 {
		together(lines[:n])
	}
	text = strings.Join(lines, "\n")
	for at := range text {
		flips(text, at, func(text string) { together(strings.Split(text, "\n")) })
	}
}
