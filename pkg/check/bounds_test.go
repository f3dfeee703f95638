package check_test

import (
	"encoding/base64"
	"fmt"
	"iter"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tidemark-stream/tidemark/pkg/check"
)

// large is about how many bytes of events a large recording has.
const large = 64 << 20

// blocks yields the events of a large recording, some hundred at a time, each
// between two texts. What it yields is one buffer, over and over.
func blocks(before, after string) iter.Seq[[]byte] {
	pad := strings.Repeat("x", 900)
	return func(yield func([]byte) bool) {
		block, size := make([]byte, 0, 512<<10), 0
		for seq := int64(1); size < large; {
			block = block[:0]
			for range 300 {
				block = append(append(block, before...), `{"v":1,"type":"memory_consolidated","sessionId":"s","seq":`...)
				block = append(append(append(strconv.AppendInt(block, seq, 10), `,"pad":"`...), pad...), `"}`...)
				block = append(block, after...)
				seq++
			}
			size += len(block)
			if !yield(block) {
				return
			}
		}
	}
}

// packed yields a HAR whose one entry has the bytes of a stream in base64.
func packed(stream iter.Seq[[]byte]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		yield([]byte(`{"log":{"entries":[{"response":{"content":{"mimeType":"text/event-stream","text":"`))
		var left, out []byte
		for block := range stream {
			left = append(left, block...)
			n := len(left) / 3 * 3
			out = base64.StdEncoding.AppendEncode(out[:0], left[:n])
			left = left[:copy(left, left[n:])]
			yield(out)
		}
		yield(append(base64.StdEncoding.AppendEncode(out[:0], left), `","encoding":"base64"}}}]}}`...))
	}
}

// A recording is never held in memory: all that is ever allocated for one of
// 64 MB, the making of it included, is a small part of it.
func TestMemoryIsBounded(t *testing.T) {
	for format, recording := range map[check.Format]iter.Seq[[]byte]{
		check.JSONL: blocks("", "\n"),
		check.SSE:   blocks("data: ", "\n\n"),
		check.HAR:   packed(blocks("data: ", "\n\n")),
	} {
		c := check.New(check.Options{Format: format})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for block := range recording {
			for len(block) > 0 {
				block = block[c.Write(block):]
				for _, ok := c.Next(); ok; _, ok = c.Next() {
				}
			}
		}
		c.Close()
		runtime.ReadMemStats(&after)
		s := c.Summary()
		assert.GreaterOrEqual(t, s.Bytes, int64(large))
		assert.Greater(t, s.Recorded, int64(60_000))
		assert.Zero(t, s.Findings(check.Error))
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20), format)
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
