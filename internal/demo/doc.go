// Package demo is an agent that never stops working, and a server that breaks on
// request: what the demo page shows, and what a consumer can be tried out on.
//
//	d, err := demo.New(ctx, demo.Options{})
//	go d.Run(ctx)
//	http.Handle("/", d)
//
// The agent plays one session without end. Its turns come from a script: eight
// kinds of turn, which together hold every live event type of the catalog, about
// projects that are picked by a seeded generator. A turn is worked out before it
// is played, by pure functions; only the agent itself knows about time.
//
// Beside it a second session is played whose log nobody takes a lease of: there a
// log that was lost and has grown again looks like the one before, number by number.
//
// Three more sessions ask before they act: their turns commit a checkpoint, put a
// question with a deadline, and go on as it was answered over HTTP, or stay paused
// when nobody came. Whoever takes such a log over waits on, so no question is open
// that nobody waits for.
//
// Faults are real. They change the log, the subscriptions and the connections
// that every route is served from, so that whoever watches gets the same fault at
// the same moment; no frame is made up for anybody. See docs/serve.md for the
// routes and what each fault does.
//
// The package never touches the network by itself, and keeps everything in memory:
// the last 20,000 records of the session and the logs of its last few children.
package demo
