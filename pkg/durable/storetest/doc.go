// Package storetest holds the tests that every checkpoint store has to pass.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, storetest.Subject{New: func(t *testing.T) durable.Store { … }})
//	}
//
// What a store says it cannot do (survive a restart, list its runs) is not run and
// not counted. Run them with the race detector.
package storetest

import (
	"testing"

	"github.com/tidemark-stream/tidemark/pkg/durable"
)

// Subject is the store under test. It has to take runs of any session of the
// scopes that the tests use, all of tenant acme, project web, session s/1; with
// Many, of any tenant, project and session.
type Subject struct {
	// New makes an empty store.
	New func(t *testing.T) durable.Store

	// Reopen opens what a store left behind; nil when nothing outlives it.
	Reopen func(t *testing.T, s durable.Store) durable.Store

	// Many says that the store holds runs of many sessions.
	Many bool
}

// Run runs all tests.
func Run(t *testing.T, s Subject) {
	tests := map[string]func(*testing.T, Subject){
		"a document comes back byte for byte": comesBack,
		"the store keeps copies":              keepsCopies,
		"the same id overwrites":              overwrites,
		"what is not there":                   notThere,
		"delete":                              deletes,
		"ids in byte order":                   inOrder,
		"ids that are no file names":          awkward,
		"runs are apart":                      apart,
		"children":                            childRuns,
		"what is no document":                 refusals,
		"runs that skip a level":              holes,
		"canceled calls":                      canceled,
		"many at once":                        atOnce,
	}
	if _, ok := s.New(t).(durable.Lister); ok {
		tests["its runs are listed"] = listed
	}
	if s.Reopen != nil {
		tests["a document outlives a restart"] = outlives
	}
	if s.Many {
		tests["two tenants with the same run"] = tenants
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, s) })
	}
}
