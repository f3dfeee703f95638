package sim

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// Failure is a world in which a rule was broken.
type Failure struct {
	Seed  uint64
	What  string   // what was broken, and by what
	Story []string // what had happened, the latest last
}

// storyMost is how many lines of a story are told.
const storyMost = 40

// Rerun is the command that plays the world again.
func (f *Failure) Rerun() string {
	return fmt.Sprintf("go run ./internal/sim/cmd/sim -from %d -seeds 1", f.Seed)
}

// String is the end of the story, what was broken, and how to play it again.
func (f *Failure) String() string { return f.Tell(storyMost) }

// Tell is String with as many lines of the story as are asked for.
func (f *Failure) Tell(lines int) string {
	story := f.Story[max(0, len(f.Story)-lines):]
	return fmt.Sprintf("world %d\n%s\n\n  %s\n\nrun it again: %s\n", f.Seed, strings.Join(story, "\n"), f.What, f.Rerun())
}

// violation is what a world panics with when a rule was broken.
type violation string

// fail ends the world.
func (w *world) fail(format string, args ...any) { panic(violation(fmt.Sprintf(format, args...))) }

// Run plays the world of a seed. nil: every rule was kept.
func Run(seed uint64) *Failure {
	if what, _ := play(seed, false); what == "" {
		return nil
	}
	what, story := play(seed, true)
	return &Failure{Seed: seed, What: what, Story: story}
}

// Story is all that happens in a world.
func Story(seed uint64) []string {
	_, story := play(seed, true)
	return story
}

// play plays one world, and tells it on request.
func play(seed uint64, telling bool) (what string, story []string) {
	w := newWorld(seed, telling)
	defer func() {
		switch p := recover().(type) {
		case nil:
		case violation:
			what = string(p)
		default:
			what = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
		story = w.story
	}()
	w.play()
	return "", nil
}
