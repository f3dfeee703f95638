package serve_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// Readers that are cut off again and again, at any frame, and come back with the
// last id they saw, hold every event once and in order, while the log grows.
func TestReadersThatAreCutOff(t *testing.T) {
	const total, readers = 300, 4
	store := memory.New(memory.Options{TailEvents: 16})
	log := created(t, store, "s", 20)
	server, _ := serving(t, store, serve.Options{PageSize: 7})
	var group sync.WaitGroup
	group.Go(func() { grow(t, log, total-20) })
	got := make([][]string, readers)
	for i := range readers {
		group.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(i)))
			for last := ""; len(got[i]) < total; {
				var header []string
				if last != "" {
					header = []string{"Last-Event-ID", last}
				}
				r := connect(t, server.URL+"/v1/sessions/s/events", header...)
				for n := 1 + random.IntN(40); n > 0 && len(got[i]) < total; n-- {
					frame := r.frame()
					if frame == "" {
						break
					}
					if id, ok := strings.CutPrefix(frame, "id: "); ok {
						last, _, _ = strings.Cut(id, "\n")
						got[i] = append(got[i], last)
					}
				}
				r.close()
			}
		})
	}
	group.Wait()
	want := make([]string, total)
	for i := range want {
		want[i] = fmt.Sprintf("s:%d", i+1)
	}
	for i := range readers {
		require.Equal(t, want, got[i])
	}
}
