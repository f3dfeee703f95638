package park

import (
	"fmt"
	"strings"
	"testing"
)

// logLines are n records of about 500 bytes, of which one in a hundred is about a park.
func logLines(n int) (lines [][]byte, size int64) {
	body := strings.Repeat("what a turn says, with \\n and so on. ", 9)
	for i := range n {
		line := fmt.Sprintf(`{"v":1,"type":"message","seq":%d,"gen":7,"ts":"2026-01-01T00:00:00.000Z","sessionId":"01JB4M5T9Q8RZX2V7K3N6P0WYC","turnId":"01JB4M5TB2E5H8D1F4G7J0KMNS","text":"%s"}`, i+1, body)
		switch i % 200 {
		case 0:
			line = ask(fmt.Sprint("d", i/200%1000), 1, due10)
		case 100:
			line = answer(fmt.Sprint("d", i/200%1000), 2)
		}
		lines = append(lines, []byte(line))
		size += int64(len(line)) + 1
	}
	return lines, size
}

func BenchmarkFold(b *testing.B) {
	lines, size := logLines(10_000)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		var f Fold
		for _, line := range lines {
			f.Add(line)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(lines)), "ns/record")
}

// BenchmarkSkip is what a record costs that is about no park.
func BenchmarkSkip(b *testing.B) {
	for name, line := range skipped() {
		b.Run(name, func(b *testing.B) {
			var f Fold
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				f.Add(line)
			}
		})
	}
}

// skipped are records that a fold passes over: type in front, behind, and absent.
func skipped() map[string][]byte {
	lines, _ := logLines(2)
	line := string(lines[1])
	return map[string][]byte{
		"front": []byte(line), "behind": []byte(strings.Replace(line, `"type":"message",`, ``, 1)[:len(line)-len(`"type":"message",`)-1] + `,"type":"message"}`),
		"none": []byte(strings.Replace(line, `"type":"message",`, ``, 1)), "escaped": []byte(strings.Replace(line, `"type":"message"`, `"\u0074ype":"m\u0065ssage"`, 1)),
	}
}

// A record that is passed over costs no allocation, wherever its type stands.
func TestSkippedRecordsAllocateNothing(t *testing.T) {
	var f Fold
	for name, line := range skipped() {
		if n := testing.AllocsPerRun(10, func() {
			if f.Add(line) != None {
				t.Fatal(name)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
