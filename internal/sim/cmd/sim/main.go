// Command sim plays worlds of internal/sim: all seeds from -from on, -seeds of
// them. It tells the story of each world in which a rule was broken, and exits
// with 1 when there was one.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/tidemark-stream/tidemark/internal/sim"
)

func main() {
	var s sweep
	flag.Uint64Var(&s.from, "from", 1, "the first seed")
	flag.Uint64Var(&s.seeds, "seeds", 100_000, "how many seeds")
	flag.IntVar(&s.jobs, "jobs", 1, "how many worlds at once")
	flag.IntVar(&s.enough, "enough", 3, "stop after so many broken worlds")
	lines := flag.Int("lines", 40, "how many lines of a story to tell")
	quiet := flag.Bool("quiet", false, "no progress, and of each broken world only what was broken")
	flag.Parse()

	began := time.Now()
	s.tell = func(f *sim.Failure) {
		if *quiet {
			fmt.Printf("world %d: %s\n", f.Seed, f.What)
			return
		}
		fmt.Println(f.Tell(*lines))
	}
	if !*quiet {
		s.progress = func(done uint64) {
			fmt.Fprintf(os.Stderr, "%d of %d worlds, %.0f a second\n", done, s.seeds, float64(done)/time.Since(began).Seconds())
		}
	}
	done, broken := s.run()
	took := time.Since(began)
	fmt.Printf("%d worlds from seed %d in %s (%.0f a second): %d broken\n",
		done, s.from, took.Round(time.Millisecond), float64(done)/took.Seconds(), broken)
	if broken > 0 {
		os.Exit(1)
	}
}
