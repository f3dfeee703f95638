package typed

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

func TestIntegers(t *testing.T) {
	cases := []struct {
		text    Int
		integer bool
		value   int64
		fits    bool
	}{
		{"0", true, 0, true}, {"", true, 0, true}, {"-0", true, 0, true}, {"42", true, 42, true},
		{"1e3", true, 1000, true}, {"1E+3", true, 1000, true}, {"10.00", true, 10, true}, {"1.25e2", true, 125, true},
		{"-2500e-2", true, -25, true}, {"0e999999999999999999999", true, 0, true}, {"0.000", true, 0, true},
		{"9223372036854775807", true, math.MaxInt64, true}, {"-9223372036854775808", true, math.MinInt64, true},
		{"9223372036854775808", true, 0, false}, {"12345678901234567890", true, 0, false},
		{"1e18", true, 1e18, true}, {"1e19", true, 0, false}, {"1e999999999999999999999", true, 0, false},
		{"1.5", false, 0, false}, {"1e-1", false, 0, false}, {"1.25e1", false, 0, false}, {"1e-999999999999999999999", false, 0, false},
	}
	for _, c := range cases {
		if c.text != "" {
			assert.Equal(t, c.integer, isInteger(string(c.text)), c.text)
		}
		n, ok := c.text.Int64()
		assert.Equal(t, c.fits, ok, c.text)
		if ok {
			assert.Equal(t, c.value, n, c.text)
		}
	}
	for _, bad := range []Int{"x", "1 ", "--1", "0x10", "1_000"} {
		_, ok := bad.Int64()
		assert.False(t, ok, bad)
	}
}

// The exact arithmetic of math/big is the judge of what is an integer.
func FuzzIntegers(f *testing.F) {
	for _, seed := range []string{"0", "-0.0", "1e3", "1.20e1", "1.2e0", "100e-2", "100e-3", "7.000", "123456789012345678901"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !rawjson.IsNumber([]byte(text)) || len(text) > 40 || strings.ContainsAny(text, "eE") && len(text) > 8 {
			return // the codec sees numbers only; the judge should not take all day
		}
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%q is a number here and none for math/big", text)
		}
		v, bad := integer().read([]byte(text))
		if bad != nil {
			if exact.IsInt() {
				t.Fatalf("%q is an integer", text)
			}
			return
		}
		if !exact.IsInt() {
			t.Fatalf("%q was read as an integer", text)
		}
		n, fits := v.Int64()
		if fits != exact.Num().IsInt64() || fits && n != exact.Num().Int64() {
			t.Fatalf("%q reads as %d, %v", text, n, fits)
		}
	})
}

func TestNumbers(t *testing.T) {
	for text, want := range map[Number]float64{"": 0, "1.50": 1.5, "-1e-2": -0.01, "12345678901234567890": 12345678901234567890} {
		got, ok := text.Float64()
		require.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	_, ok := Number("1e999").Float64()
	assert.False(t, ok)
	assert.Equal(t, Number("0.1"), NumberOf(0.1))
	assert.Equal(t, Int("-7"), IntOf(-7))
}

func TestOpt(t *testing.T) {
	var o Opt[int]
	assert.Equal(t, 5, o.Or(5))
	_, ok := o.Get()
	assert.False(t, ok || o.IsSet() || o.IsNull())
	o = Some(0)
	v, ok := o.Get()
	assert.True(t, ok && o.IsSet())
	assert.Equal(t, 0, v+o.Or(5))
}
