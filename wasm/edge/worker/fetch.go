//go:build js && wasm

package worker

import (
	"context"
	"errors"
	"io"
	"net/http"
	"syscall/js"
)

// Transport makes requests by the fetch of the platform. Redirects are answered and not
// followed. A request has no body. The zero Transport is ready.
type Transport struct{}

var errBody = errors.New("worker: a request that is made by Transport has no body")

// RoundTrip makes one request. Its context ends it at any time, the reading of the body
// included.
func (Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil && r.Body != http.NoBody {
		return nil, errBody
	}
	abort := js.Global().Get("AbortController").New()
	unwatch := context.AfterFunc(r.Context(), func() { abort.Call("abort") })
	w := newWaiter()
	// Called as a method of what Go takes for the global object, fetch refuses.
	answer, err := w.wait(r.Context(), js.Global().Get("fetch").Invoke(r.URL.String(), map[string]any{
		"method": r.Method, "headers": headersOf(r.Header), "redirect": "manual", "signal": abort.Get("signal"),
	}))
	if err != nil {
		unwatch()
		return nil, err
	}
	b := &body{ctx: r.Context(), waiter: w, close: func() { unwatch(); abort.Call("abort") }}
	if stream := answer.Get("body"); stream.Truthy() {
		b.reader = stream.Call("getReader")
	}
	return &http.Response{
		StatusCode: answer.Get("status").Int(), Status: http.StatusText(answer.Get("status").Int()), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: headerOf(answer.Get("headers")), Body: b, ContentLength: -1, Request: r,
	}, nil
}

// headersOf is a header as the platform takes it: pairs of name and value.
func headersOf(header http.Header) (pairs []any) {
	pairs = []any{}
	for name, values := range header {
		for _, value := range values {
			pairs = append(pairs, []any{name, value})
		}
	}
	return pairs
}

// headerOf reads a header. A value is one line, commas and all; cookies are one line each.
func headerOf(headers js.Value) http.Header {
	out := http.Header{}
	pairs := js.Global().Get("Array").Call("from", headers)
	for i := range pairs.Length() {
		pair := pairs.Index(i)
		out.Add(pair.Index(0).String(), pair.Index(1).String())
	}
	return out
}

// body is that of an answer.
type body struct {
	ctx    context.Context
	reader js.Value // undefined: there is none
	waiter *waiter
	rest   []byte // of what came last
	buffer []byte
	close  func()
}

// Read answers what has come, and waits only when that is nothing.
func (b *body) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		if err := b.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

func (b *body) next() error {
	if b.reader.IsUndefined() {
		return io.EOF
	}
	read, err := b.waiter.wait(b.ctx, b.reader.Call("read"))
	if err != nil {
		return err
	}
	if read.Get("done").Bool() {
		return io.EOF
	}
	chunk := read.Get("value")
	if n := chunk.Length(); n > len(b.buffer) {
		b.buffer = make([]byte, n)
	}
	b.rest = b.buffer[:js.CopyBytesToGo(b.buffer, chunk)]
	return nil
}

// Close ends the request, wherever it is.
func (b *body) Close() error {
	b.close()
	return nil
}
