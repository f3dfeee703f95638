package flaky

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

// Transport answers the requests of an http.Client by a handler, without a socket:
// in a test with virtual time nothing waits for the network. What the handler
// writes is read as it is written, a handler that panics breaks the body, and a
// request that is given up ends the handler's context.
func Transport(handler http.Handler) http.RoundTripper { return transport{handler} }

type transport struct{ handler http.Handler }

var errBroken = errors.New("flaky: the connection broke")

// RoundTrip runs the handler and answers when it has a status.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	read, write := io.Pipe()
	a := &answerWriter{header: http.Header{}, body: write, answered: make(chan int, 1)}
	go a.run(t.handler, r.Clone(ctx))
	stop := context.AfterFunc(ctx, func() { read.CloseWithError(context.Cause(ctx)) })
	body := &body{read, func() { stop(); cancel() }}
	select {
	case status := <-a.answered:
		if status == 0 {
			body.Close()
			return nil, errBroken
		}
		return &http.Response{
			StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: a.sent, Body: body, ContentLength: -1, Request: r,
		}, nil
	case <-ctx.Done():
		body.Close()
		return nil, context.Cause(ctx)
	}
}

// body is what the client reads.
type body struct {
	*io.PipeReader
	done func()
}

// Close gives the request up.
func (b *body) Close() error {
	b.done()
	return b.PipeReader.Close()
}

// answerWriter is what the handler writes to.
type answerWriter struct {
	header, sent http.Header
	body         *io.PipeWriter
	once         sync.Once
	answered     chan int // the status; 0: there is none
}

func (a *answerWriter) run(handler http.Handler, r *http.Request) {
	broken := errBroken
	defer func() {
		if thrown := recover(); thrown != nil && thrown != http.ErrAbortHandler {
			panic(thrown)
		}
		a.begin(0)
		a.body.CloseWithError(broken)
	}()
	handler.ServeHTTP(a, r)
	a.begin(http.StatusOK)
	broken = nil
}

func (a *answerWriter) begin(status int) {
	a.once.Do(func() {
		a.sent = a.header.Clone()
		a.answered <- status
	})
}

// Header is that of the answer.
func (a *answerWriter) Header() http.Header { return a.header }

// WriteHeader begins the answer.
func (a *answerWriter) WriteHeader(status int) { a.begin(status) }

// Write hands bytes to whoever reads, and waits for that.
func (a *answerWriter) Write(b []byte) (int, error) {
	a.begin(http.StatusOK)
	if len(b) == 0 {
		return 0, nil
	}
	return a.body.Write(b)
}

// Flush has nothing to do: nothing is held back.
func (a *answerWriter) Flush() {}
