package check_test

import (
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tidemark-stream/tidemark/pkg/check"
)

// allocated is how many bytes reading a recording of about 64 MB takes in all.
// feed hands on pieces of it.
func allocated(o check.Options, feed func(write func(string))) (total uint64, s check.Summary) {
	c := check.New(o)
	var before, after runtime.MemStats
	piece := make([]byte, 0, 1<<20)
	runtime.ReadMemStats(&before)
	feed(func(text string) {
		piece = append(piece[:0], text...)
		for rest := piece; len(rest) > 0; {
			rest = rest[c.Write(rest):]
			for _, ok := c.Next(); ok; _, ok = c.Next() {
			}
		}
	})
	c.Close()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, c.Summary()
}

const large = 64 << 20

// A recording is never held in memory: all that is ever allocated for one of
// 64 MB is a small part of it.
func TestMemoryIsBounded(t *testing.T) {
	event := func(seq int) string {
		return `{"v":1,"type":"memory_consolidated","sessionId":"s","seq":` + fmt.Sprint(seq) + `,"pad":"` + strings.Repeat("x", 900) + "\"}"
	}
	block := func(first int, line func(int) string) string {
		var b strings.Builder
		for i := range 400 {
			b.WriteString(line(first + i))
		}
		return b.String()
	}
	const blocks = large / 400_000
	formats := map[check.Format]func(write func(string)){
		check.JSONL: func(write func(string)) {
			for i := range blocks {
				write(block(400*i+1, func(seq int) string { return event(seq) + "\n" }))
			}
		},
		check.SSE: func(write func(string)) {
			for i := range blocks {
				write(block(400*i+1, func(seq int) string { return "data: " + event(seq) + "\n\n" }))
			}
		},
		check.HAR: func(write func(string)) {
			write(`{"log":{"entries":[{"response":{"content":{"mimeType":"text/event-stream","text":"`)
			var left string
			for i := range blocks * 3 / 4 {
				text := left + block(400*i+1, func(seq int) string { return "data: " + event(seq) + "\n\n" })
				n := len(text) / 3 * 3
				left = text[n:]
				write(base64.StdEncoding.EncodeToString([]byte(text[:n])))
			}
			write(base64.StdEncoding.EncodeToString([]byte(left)) + `","encoding":"base64"}}}]}}`)
		},
	}
	for format, feed := range formats {
		own := uint64(0)
		_, _ = allocated(check.Options{Format: format}, func(write func(string)) {})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		feed(func(string) {})
		runtime.ReadMemStats(&after)
		own = after.TotalAlloc - before.TotalAlloc
		total, s := allocated(check.Options{Format: format}, feed)
		assert.Greater(t, s.Bytes, int64(large*9/10), format)
		assert.Zero(t, s.Findings(check.Error), format)
		assert.Less(t, int64(total-own), int64(4<<20), "%s: %d bytes in all", format, total-own)
	}
}

func TestManySessions(t *testing.T) {
	var b strings.Builder
	for i := range 50 {
		b.WriteString(record(fmt.Sprintf("s%d:1", i)) + "\n")
	}
	found, s := run(check.Options{MaxSessions: 10}, b.String(), 0)
	assert.Equal(t, []string{"limit, line 11"}, briefs(found))
	assert.Equal(t, "sessions", found[0].What)
	assert.EqualValues(t, 50, s.Recorded)
	assert.Len(t, s.Sessions, 10)
}

func TestManyOfEverythingElse(t *testing.T) {
	lines := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i) + "\n")
		}
		return b.String()
	}
	for what, text := range map[string]string{
		"generations": lines(1100, func(i int) string { return record(fmt.Sprintf("%d@g%d", i+1, i)) }),
		"open turns": lines(300, func(i int) string {
			return fmt.Sprintf(`{"type":"turn_started","sessionId":"s","seq":%d,"turnId":"t%d"}`, i+1, i)
		}),
		"unknown types": lines(300, func(i int) string { return fmt.Sprintf(`{"type":"x%d","sessionId":"s","seq":%d}`, i, i+1) }),
	} {
		found, s := run(check.Options{}, text, 0)
		limits := 0
		for _, f := range found {
			if f.Kind == check.Limit {
				limits++
				assert.Equal(t, what, f.What)
			}
		}
		assert.Equal(t, 1, limits, what)
		assert.Zero(t, s.Findings(check.Error), what)
	}
}

// Of very many holes the oldest are forgotten; then a late event is out of order,
// never a double that it may not be.
func TestManyHoles(t *testing.T) {
	var log []string
	for i := range 1500 {
		log = append(log, fmt.Sprint(2*i+1))
	}
	log = append(log, "2", "2998", "2998", "2997")
	found, s := run(check.Options{}, jsonl(log...), 0)
	assert.EqualValues(t, 1499, s.Kinds[check.Hole])
	assert.Equal(t, []string{
		"disorder, s, expected 3000, found 2, line 1501", "disorder, s, expected 3000, found 2998, line 1502",
		"double, s, expected 3000, found 2998, line 1503", "double, s, expected 3000, found 2997, line 1504",
	}, briefs(found[1499:]))
}

func TestWriteStopsWhenFindingsHaveToBeTaken(t *testing.T) {
	bad := []byte(strings.Repeat("x\n", 1<<20))
	c := check.New(check.Options{Format: check.JSONL})
	n := c.Write(bad)
	assert.Less(t, n, 1<<18)
	assert.Zero(t, c.Write(bad), "nothing was taken")
	count := 0
	for _, ok := c.Next(); ok; _, ok = c.Next() {
		count++
	}
	assert.Equal(t, n/2, count)
	assert.Positive(t, c.Write(bad))
}
