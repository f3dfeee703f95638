//go:build js && wasm

package worker

import (
	"context"
	"errors"
	"syscall/js"
)

// waiter waits for promises, one after another. Its two callbacks are made once: one for
// each promise would cost more than what is waited for, and stay.
type waiter struct {
	kept, broken js.Func
	settled      chan outcome
}

type outcome struct {
	value js.Value
	err   error
}

func newWaiter() *waiter {
	w := &waiter{settled: make(chan outcome, 1)}
	w.kept = js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.settled <- outcome{value: args[0]}
		return nil
	})
	w.broken = js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.settled <- outcome{err: errors.New(js.Global().Get("String").Invoke(args[0]).String())}
		return nil
	})
	return w
}

// wait answers what the promise becomes. Once ctx is done it answers that, and the
// waiter must not be used again: the promise that was left may still settle.
func (w *waiter) wait(ctx context.Context, promise js.Value) (js.Value, error) {
	promise.Call("then", w.kept, w.broken)
	select {
	case o := <-w.settled:
		return o.value, o.err
	case <-ctx.Done():
		return js.Undefined(), context.Cause(ctx)
	}
}
