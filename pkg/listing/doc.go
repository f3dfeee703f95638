// Package listing says which runs have durable state: rows of runs within a
// scope, in an order that never moves, page by page.
//
// The calls you need:
//
//	var x listing.Index                            // in memory, or a store that has one
//	err := x.Put(run, listing.Checkpoint{ID: "cp_1", CreatedAt: 1767225600000})
//	err = x.SetParks(run, fold.Parks())
//	page, err := x.Page(listing.Scope{TenantID: "t1"}, listing.Options{Now: now})
//	more, err := x.Page(listing.Scope{TenantID: "t1"}, listing.Options{Now: now, Page: page.Next})
//
// A store that holds runs in another way gives them in the order of [Key] to
// [Select], which does the rest.
//
// # What it never does
//
// It reads no log and no folder, has no clock, starts no goroutine, and guesses
// neither a tenant nor whether a run has ended: stored state cannot tell a run
// that is over from one that broke off.
//
// # Invariants
//
//   - Rows come in the order of (run, tenant, project, session), by code unit.
//     None of these ever changes, so a walk shows each run at most once and misses
//     only what was put behind its position meanwhile.
//   - A page token belongs to its scope. It is a position, no secret and no right
//     to anything: whoever may ask for a scope is for the caller to check.
//   - A page costs what is on it, wherever in the listing it stands, unless a filter
//     has to look at rows that it does not keep.
//   - Values here belong to one goroutine at a time.
package listing
