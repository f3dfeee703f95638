package link

// Timing of a connection, in milliseconds (R-185 to R-191; of a resync, R-103).
const (
	backoffBase  Millis = 2_000  // widest wait before the second attempt
	backoffMost  Millis = 30_000 // widest wait ever
	retryLeast   Millis = 100    // clamp of the SSE retry field
	retryMost    Millis = 60_000
	afterMost    Millis = 3_600_000 // of Retry-After: a slip of digits must not end a stream
	openProgress Millis = 5_000     // a connection open this long is progress
	resyncPause  Millis = 5_000     // between two resyncs that do not wait
	watchdogSpan Millis = 45_000    // silence after which a connection is dead
)

// delay is full jitter above a floor: the floor is what the server asked for,
// the rest is uniform, so that clients that broke together return apart.
func delay(floor Millis, attempt int, random float64) Millis {
	span := backoffMost
	if attempt < 4 {
		span = min(backoffMost, backoffBase<<attempt)
	}
	return floor + Millis(random*float64(span))
}

func clampRetry(ms int64) Millis { return max(retryLeast, min(retryMost, Millis(ms))) }
