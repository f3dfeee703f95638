// Package flaky is an event-stream server for tests that knows the truth and
// misbehaves on purpose.
//
// It serves a recorded stream of a few kilobytes: three sessions, one of them
// unfenced, records and drafts, a replay and a live tail. To any cursor it owes
// what an honest server would owe, unless a [Fault] says otherwise for that
// connection: the body is cut or stalls at a byte, a record is dropped, doubled or
// swapped, the head lies, the answer is no stream at all.
//
// In a Go test, with a script for the first connections (what comes after them is
// honest):
//
//	server := flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "cut", At: 1200}}})
//	client := &http.Client{Transport: flaky.Transport(server)} // no socket, or:
//	web := httptest.NewServer(server)
//
// From anywhere else, with the query of each request:
//
//	go run ./internal/flaky/cmd/flaky -addr 127.0.0.1:0
//
//	/v1/sessions/{id}/events?session=…&cursor=…   the stream, as in docs/protocol.md
//	    fault=cut&at=1200       a fault, with what it needs: at, record, status, retryAfter, pause, token
//	    times=2                 it meets the first two connections of a run; "always": all. Default 1
//	    run=NAME                whose connections are counted together; default ""
//	    eol=crlf                or cr: how lines end
//	    drip=1                  every byte by itself
//	/log                        the truth: each session's records as the log holds them, and how long the stream is
//	/asked?run=NAME             the cursors that each connection of a run asked for
//	/faults                     the kinds of fault, each with what it does
//
// Every page may read all of it (CORS is open). Names are never looked up, nothing
// is kept on disk. A [Server] may be used by many goroutines at once.
//
// The truth never depends on a fault: whatever a connection was sent, the log is
// the one that [Log] answers.
package flaky
