package main

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-stream/tidemark/internal/sim"
)

// sweep plays many worlds.
type sweep struct {
	from, seeds uint64
	jobs        int
	enough      int
	tell        func(*sim.Failure)
	progress    func(done uint64) // nil: none

	next   atomic.Uint64 // seeds that were begun
	done   atomic.Uint64
	broken atomic.Int64
	mu     sync.Mutex // of tell
}

// every is how often progress is told.
const every = 5 * time.Second

// run answers how many worlds were played, and in how many a rule was broken.
func (s *sweep) run() (done uint64, broken int) {
	stop := make(chan struct{})
	var watching, playing sync.WaitGroup
	if s.progress != nil {
		watching.Go(func() { s.watch(stop) })
	}
	for range max(1, s.jobs) {
		playing.Go(s.play)
	}
	playing.Wait()
	close(stop)
	watching.Wait()
	return s.done.Load(), int(s.broken.Load())
}

func (s *sweep) watch(stop chan struct{}) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
			s.progress(s.done.Load())
		}
	}
}

func (s *sweep) play() {
	for s.broken.Load() < int64(s.enough) {
		i := s.next.Add(1) - 1
		if i >= s.seeds {
			return
		}
		if f := sim.Run(s.from + i); f != nil {
			s.broken.Add(1)
			s.mu.Lock()
			s.tell(f)
			s.mu.Unlock()
		}
		s.done.Add(1)
	}
}
