// Package disk keeps the checkpoint documents of one session in a folder.
//
//	store, err := disk.New("runs/s1", disk.Options{Of: listing.Scope{TenantID: "acme", ProjectID: "web", SessionID: "s1"}})
//
// It implements durable.Store, and durable.Lister when it is told how the questions
// of the session stand.
//
// # Files
//
//	<base>/<run>/<checkpoint>.json                     a run that nothing started
//	<base>/<parent run>/children/<run>/<checkpoint>.json   a run that another one started
//
// A document is a file with its bytes and nothing else. A run that was started by
// a child lies below that child at the top, so two levels reach all of them; a
// folder at the top may be there for its children only. No path names tenant,
// project or session: the store is told once whose runs these are, and refuses
// those of others.
//
// The folder of a run may be a symbolic link to one elsewhere: it takes documents and
// is listed like any other. A link that leads nowhere is no run.
//
// Of an id, what is no ASCII letter, digit or one of - _ . + @ ~ ! = , ( ) stands as
// %XX, and so does a point at the start or the end. Different ids have different
// names, on a file system that tells large letters from small ones.
//
// # Crashes
//
// A document is written beside its place, made durable, and put there by a rename:
// after a crash there is the old document, the new one, or none, and never half of
// one. What a crash left beside it is called .tidemark-*.tmp and is no document. The
// first document that a store puts has it look for them in all folders of the session,
// and remove those to which nothing was written for a day: then no write can still be
// at it, of whichever process. A store that only reads removes nothing.
package disk
