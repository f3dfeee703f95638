// Package memory keeps session logs in memory: for tests, demos and streams that
// need not outlive their process.
//
//	store := memory.New(memory.Options{})
//	log, err := store.Create(ctx, "s1")
//
// It implements sessionlog.Store with all its obligations, but those that speak
// of restarts. It never writes to disk and never blocks a writer on a reader. A
// log can be bounded; then it prunes its oldest events by itself.
package memory
