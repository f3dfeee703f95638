// Package edge is a relay as an http.Handler: it asks the server behind
// it what it was asked itself, judges what comes, and passes on what holds, byte for
// byte.
//
//	handler, err := edge.New(edge.Options{Upstream: "https://events.internal", Transport: http.DefaultTransport})
//	…
//	mux.Handle("/v1/sessions/{sessionId}/events", handler)
//
// The answer to one request is one relay; nothing is kept from one request to the next.
// What reads slowly is read slowly, and a consumer that goes away takes the connection
// behind it along. No request is ever made twice.
//
// The package leaves pages of history from a cache to tidemark/edge, and authorisation
// to the server, which sees the headers of the consumer. In a worker that is written in
// Go it runs through wasm/edge/worker.
package edge
