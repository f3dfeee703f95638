// Package logtest holds the tests that every session log has to pass.
//
//	func TestObligations(t *testing.T) {
//		logtest.Run(t, logtest.Subject{New: func(t *testing.T, o logtest.Options) sessionlog.Store { … }})
//	}
//
// Each test is named after the obligation of package sessionlog that it checks.
// What a store says it cannot do (survive a restart, say) is not run and not
// counted. Run them with the race detector.
package logtest

import (
	"testing"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// Options are what a test wants of a store.
type Options struct {
	TailEvents int              // bound of one subscriber's buffer, in events; 0: the store's default
	Now        func() time.Time // record time
}

// Subject is the store under test.
type Subject struct {
	// New makes an empty store, closed at the end of the test.
	New func(t *testing.T, o Options) sessionlog.Store

	// Reopen closes a store and opens what it left behind; nil when nothing
	// outlives it.
	Reopen func(t *testing.T, s sessionlog.Store, o Options) sessionlog.Store

	// Lose takes from a session's log everything above keep, behind the back of
	// whoever writes it.
	Lose func(t *testing.T, s sessionlog.Store, session string, keep events.Seq)
}

// Run runs all tests.
func Run(t *testing.T, s Subject) {
	groups := []map[string]func(*testing.T, Subject){appending, reading, recording, tailing, leasing, pruning, losing, storing}
	if s.Reopen != nil {
		groups = append(groups, reopening)
	}
	for _, group := range groups {
		for name, test := range group {
			t.Run(name, func(t *testing.T) { test(t, s) })
		}
	}
}
