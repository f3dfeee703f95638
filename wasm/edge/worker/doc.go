// Package worker runs an http.Handler as a Cloudflare Worker, through
// github.com/syumai/workers, for handlers that stream. The whole of a worker that
// relays one server:
//
//	options, err := worker.Options(cloudflare.Getenv)
//	…
//	options.Transport = worker.Transport{}
//	handler, err := edge.New(options)
//	…
//	worker.Serve(handler)
//
// Serve in place of workers.Serve, and Transport in place of its fetch client, differ in
// what a stream needs: the head of an answer is sent by the first Flush; a consumer that
// leaves ends the context of its request; http.ErrAbortHandler breaks the answer off; a
// context that is done aborts the request to the server; header values keep their
// commas; and nothing is left behind by each read.
//
// Every request has a Go program of its own, started for it and forgotten after it. That
// is how github.com/syumai/workers does it, and what it costs: see docs/edge.md.
package worker
