package fault_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestNumberCompare(t *testing.T) {
	tests := []struct {
		n    fault.Number
		to   int
		want int
	}{
		{"0", 0, 0}, {"-0", 0, 0}, {"403", 403, 0}, {"403.0", 403, 0}, {"4.03e2", 403, 0}, {"40300e-2", 403, 0},
		{"4.03E+2", 403, 0}, {"402.9", 403, -1}, {"403.1", 403, 1}, {"499.999", 500, -1}, {"500.0001", 500, 1},
		{"-403", 403, -1}, {"-1", 0, -1}, {"1e999999999999999999999", 500, 1}, {"1e-99999999999999999999", 0, 0},
		{"-1e999999999", 0, -1}, {"0e999999999", 0, 0}, {"12345678901234567890123", 500, 1},
		{"0.00000000000000000000000000403e29", 403, 0},
		{fault.Number("0." + strings.Repeat("0", 1000) + "403e1003"), 403, 0},
		{fault.Number("403" + strings.Repeat("0", 1000) + "e-1000"), 403, 0},
		{fault.Number("0.2" + strings.Repeat("0", 1000)), 1, -1},
		{fault.Number("500." + strings.Repeat("3", 1000)), 500, 1},
	}
	for _, tt := range tests {
		order, ok := tt.n.Compare(tt.to)
		assert.True(t, ok, string(tt.n))
		assert.Equal(t, tt.want, order, "%s against %d", tt.n, tt.to)
	}
	for _, n := range []fault.Number{"", " 1", "1 ", "+1", "01", "1.", ".5", "1e", "NaN", "0x10", "\"1\"", "null", "1,2", "-"} {
		assert.False(t, n.IsSet(), string(n))
		_, ok := n.Compare(1)
		assert.False(t, ok, string(n))
	}
	assert.Equal(t, fault.Number("-9223372036854775808"), fault.Int(math.MinInt64))
}

// Whatever a number looks like, it compares with a status as a double does.
func FuzzNumberCompare(f *testing.F) {
	for _, seed := range []string{"403", "4.03e2", "-0.5e-3", "500.00000000000001", "1e400", "99999999999999999999", "1e-400", "x"} {
		f.Add(seed, 500)
	}
	f.Fuzz(func(t *testing.T, text string, status int) {
		status %= 1000
		order, ok := fault.Number(text).Compare(status)
		if !ok {
			return
		}
		want, _ := strconv.ParseFloat(text, 64) // out of range: infinite, as here
		if math.Abs(want-float64(status)) < 1e-9 {
			return // closer than a status ever is; the last digit may round either way
		}
		require.Equal(t, want > float64(status), order > 0, "%s against %d", text, status)
		require.Equal(t, want < float64(status), order < 0, "%s against %d", text, status)
	})
}
