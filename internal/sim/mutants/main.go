// Command mutants shows that the worlds of internal/sim see each rule of the core:
// it takes one rule after another out of the resolver, the tracker and the link
// and plays seeds until one of them is broken. The sources stay as they are: a
// mutant is built with an overlay.
//
// It exits with 1 when the seeds did not catch a mutant, and when a rule is no
// longer written as the table has it.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"
)

func main() {
	var h hunt
	flag.IntVar(&h.seeds, "seeds", 60_000, "how many seeds to play each mutant at most")
	only := flag.String("only", "", "mutants whose rule or file matches this expression")
	flag.Parse()
	if err := run(&h, *only); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(h *hunt, only string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if h.dir, err = os.MkdirTemp("", "mutants"); err != nil {
		return err
	}
	defer os.RemoveAll(h.dir)
	missed := 0
	for i := range mutants {
		m := &mutants[i]
		if !wanted.MatchString(m.rule + " " + m.file) {
			continue
		}
		began := time.Now()
		verdict, caught := h.play(m)
		if !caught {
			missed++
		}
		fmt.Printf("%-9s %-22s %-62s %s (%.1f s)\n", word(caught), m.file[len("pkg/"):], m.rule, verdict, time.Since(began).Seconds())
	}
	if missed > 0 {
		return fmt.Errorf("%d rules can be taken out without a broken world", missed)
	}
	return nil
}

func word(caught bool) string {
	if caught {
		return "caught"
	}
	return "MISSED"
}
