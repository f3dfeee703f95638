package logfold_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/logfold"
)

// endless makes records of 500 bytes on the fly: events and texts of a turn for
// the most part, and in every thousand a question that is answered.
type endless struct {
	seq   int
	chunk []byte
}

const chunkSize = 64 << 10

var filler = strings.Repeat(`The quick brown fox \"jumps\" over the lazy dog. `, 8)

func (e *endless) appendRecord(dst []byte) []byte {
	e.seq++
	from := len(dst)
	dst = append(dst, `{"v":1,"type":"`...)
	switch e.seq % 1000 {
	case 500:
		dst = append(dst, `decision_requested","turnId":"t1","decisionId":"d","checkpointId":"c","request":{"type":"tool_review"}`...)
	case 501:
		dst = append(dst, `decision_resolved","turnId":"t1","decisionId":"d","decision":{"action":"approve_tools"},"resolvedBy":{"kind":"user"}`...)
	default:
		dst = append(dst, `tool_call_completed","turnId":"t1","toolCallId":"call_0001","iteration":12,"ok":true`...)
	}
	dst = append(dst, `,"seq":`...)
	dst = strconv.AppendInt(dst, int64(e.seq), 10)
	dst = append(dst, `,"gen":3,"ts":"2026-01-01T00:00:01.000Z","result":{"exitCode":0,"text":"`...)
	rest := max(0, 500-len(`"}}`)-1-(len(dst)-from))
	dst = append(dst, filler[:rest&^1]...)
	if strings.HasSuffix(filler[:rest&^1], `\`) {
		dst = append(dst, '"')
	}
	return append(dst, "\"}}\n"...)
}

// writeTo writes that many records in chunks, as a network would.
func (e *endless) writeTo(f *logfold.Fold, records int) (size int64) {
	for range records {
		e.chunk = e.appendRecord(e.chunk)
		if len(e.chunk) >= chunkSize {
			f.Write(e.chunk)
			size += int64(len(e.chunk))
			e.chunk = e.chunk[:0]
		}
	}
	f.Write(e.chunk)
	size += int64(len(e.chunk))
	e.chunk = e.chunk[:0]
	f.End()
	return size
}

// BenchmarkMillion folds 1,000,000 records, 500 MB that are made on the fly; the
// time to make them is in it.
func BenchmarkMillion(b *testing.B) {
	for name, o := range map[string]logfold.Options{"digest": {Digest: true}, "plain": {}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f := logfold.New(o)
				size := (&endless{}).writeTo(f, 1_000_000)
				_, total := f.Findings()
				require.Zero(b, total)
				require.EqualValues(b, 1_000_000, f.Standing().LastSeq)
				b.SetBytes(size)
			}
		})
	}
}

// BenchmarkFold folds a log of 5 MB that lies in memory.
func BenchmarkFold(b *testing.B) {
	var log []byte
	for e := (&endless{}); e.seq < 10_000; {
		log = e.appendRecord(log)
	}
	for name, o := range map[string]logfold.Options{"digest": {Digest: true}, "plain": {}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(log)))
			for b.Loop() {
				f := logfold.New(o)
				for at := 0; at < len(log); at += chunkSize {
					f.Write(log[at:min(at+chunkSize, len(log))])
				}
				f.End()
			}
		})
	}
}
