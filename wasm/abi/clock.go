package abi

// furthest bounds a clock: a double holds every millisecond up to there.
const furthest = 1 << 53

// Millis is a time of the host in whole milliseconds since 1970, which may lie before
// that. False: the number is no time, or beyond what a double holds.
func Millis(now float64) (ms int64, ok bool) {
	return int64(now), now > -furthest && now < furthest
}
