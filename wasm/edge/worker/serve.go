//go:build js && wasm

package worker

import (
	"context"
	"net/http"
	"net/url"
	"syscall/js"

	"github.com/syumai/workers"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/wire"
)

// Serve answers the request that this program was started for, and does not return: the
// program is forgotten with its request.
func Serve(h http.Handler) {
	workers.ServeNonBlock(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serve(h, w, r) }))
	guard(js.Global().Get("context").Get("binding"))
	workers.Ready()
	select {}
}

// guard answers a request whose address Go cannot read, such as one with a broken
// escape. Below, it would be an error of the worker.
func guard(binding js.Value) {
	answer := binding.Get("handleRequest")
	binding.Set("handleRequest", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if _, err := url.Parse(args[0].Get("url").String()); err != nil {
			return refusal(http.StatusBadRequest, fault.New(fault.InvalidOptions, "an address that can be read", "one with a broken escape"))
		}
		return answer.Invoke(args[0])
	}))
}

func refusal(status int, f *fault.Fault) js.Value {
	return js.Global().Get("Response").New(string(wire.AppendProblem(nil, status, f)), map[string]any{
		"status": status, "headers": map[string]any{"content-type": "application/problem+json", "cache-control": "no-store"},
	})
}

func serve(h http.Handler, w http.ResponseWriter, r *http.Request) {
	ctx, leave := context.WithCancel(r.Context())
	defer leave()
	r = r.WithContext(ctx)
	r.Header = whole(r.Header)
	a := &answer{ResponseWriter: w, ctx: ctx, leave: leave, mute: r.Method == http.MethodHead, waiter: newWaiter()}
	defer func() { a.end(recover()) }()
	h.ServeHTTP(a, r)
}

// unfinished is what the response writer below can do beside.
type unfinished interface {
	WriteRawJSBody(body js.Value) // gives it a stream as the body
	Ready()                       // sends the head
}

// answer is a response writer whose body is a stream of the platform, with the way
// back: what is not read is not written, who leaves is seen.
type answer struct {
	http.ResponseWriter
	ctx    context.Context
	leave  func()
	mute   bool // no body goes out
	begun  bool
	writer js.Value
	waiter *waiter
}

var bytesClass = js.Global().Get("Uint8Array")

// Flush sends the head. Bytes are never held back.
func (a *answer) Flush() {
	if a.begun || a.mute {
		return
	}
	a.begun = true
	stream := js.Global().Get("IdentityTransformStream").New()
	a.writer = stream.Get("writable").Call("getWriter")
	a.watch()
	below := a.ResponseWriter.(unfinished)
	below.WriteRawJSBody(stream.Get("readable"))
	below.Ready()
}

// watch ends the request when the consumer has left, also while nothing is written.
func (a *answer) watch() {
	stay := js.FuncOf(func(js.Value, []js.Value) any { return nil })
	left := js.FuncOf(func(js.Value, []js.Value) any {
		a.leave()
		return nil
	})
	a.writer.Get("closed").Call("then", stay, left)
}

// Write waits until the consumer takes the bytes.
func (a *answer) Write(p []byte) (int, error) {
	if a.mute || len(p) == 0 {
		return len(p), nil
	}
	a.Flush()
	chunk := bytesClass.New(len(p))
	js.CopyBytesToJS(chunk, p)
	if _, err := a.waiter.wait(a.ctx, a.writer.Call("write", chunk)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// end closes the answer, or breaks it off after a panic.
func (a *answer) end(thrown any) {
	if thrown != nil {
		a.breakOff(thrown)
	} else if a.begun && a.ctx.Err() == nil {
		_, _ = a.waiter.wait(a.ctx, a.writer.Call("close"))
	}
}

// breakOff lets no answer look whole that is not: one that is asked to break off, begun
// or not, and one that was begun by a handler that fails. What else a handler panics
// with ends the program, and its stack is in the log.
func (a *answer) breakOff(thrown any) {
	if thrown == http.ErrAbortHandler {
		a.Flush()
	}
	if a.begun {
		_, _ = newWaiter().wait(context.WithoutCancel(a.ctx), a.writer.Call("abort", js.Global().Get("Error").New("broken off")))
	}
	if thrown != http.ErrAbortHandler {
		panic(thrown)
	}
}
