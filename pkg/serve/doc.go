// Package serve answers HTTP requests for session logs, as docs/protocol.md says
//
//
//	store, err := disk.New("logs", disk.Options{}) // pkg/sessionlog/disk: a folder of session logs; or memory
//	handler := serve.New(store, serve.Options{Authorize: mayRead})
//	http.Handle("/v1/", handler)
//
// Whoever writes the session appends to a log of the same store, and what is appended
// is served. Middleware in front has to let flushes through (a writer with Unwrap does,
// see [http.ResponseController]).
//
// The routes:
//
//	GET  /v1/sessions/{sessionId}/events      the session as server-sent events: head, replay, live tail
//	GET  /v1/sessions/{sessionId}/log         one page of the log: {head, events, more}
//	GET  /v1/sessions/{sessionId}/transcript  the folded state and the cursor it stands at
//	GET  /v1/sessions/{sessionId}/records     the lines of the log, byte for byte
//	POST /v1/sessions/{sessionId}/decisions/{decisionId}  answers a question
//	GET  /v1/runs                             which runs have durable state, by pages
//
// The last two need to be told how (see [Durable]).
//
// What goes out is what the log answered: nothing is sorted, filled or left out
// to make a stream look whole. The handler judges cursors against heads (package
// replay) and refuses; whether events connect is for the consumer to check, and
// it can, because it gets them as they are. Only the overlap of page and tail is
// removed.
//
// The handler sends no event twice to heal a stream, keeps no state for a client
// beyond its connection, and decides nothing about retries.
package serve
