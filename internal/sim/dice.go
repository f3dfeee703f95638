package sim

import "math/bits"

// dice is the only source of chance in a world (splitmix64).
type dice struct{ state uint64 }

func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number from 0 to n-1; n is at least 1.
func (d *dice) below(n int) int {
	high, _ := bits.Mul64(d.next(), uint64(n))
	return int(high)
}

// between is a number from least to most.
func (d *dice) between(least, most int) int { return least + d.below(most-least+1) }

// one is true once in n times.
func (d *dice) one(n int) bool { return d.below(n) == 0 }

// percent is true p times in a hundred.
func (d *dice) percent(p int) bool { return d.below(100) < p }

// fraction is a number in [0, 1).
func (d *dice) fraction() float64 { return float64(d.next()>>11) / (1 << 53) }
