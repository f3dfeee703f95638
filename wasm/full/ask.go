//go:build js && wasm

package main

import (
	"runtime"
	"syscall/js"

	"github.com/norunners/vert"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/wasm/full/seam"
)

// host is the object that the glue calls global. Arguments and results lie there
// as objects: the call is an export, since a function that JavaScript calls through
// syscall/js costs some 50 µs more and could not be told from one that died.
var host = js.Global()

// ask answers a question about a handle, with n bytes in the input room and an
// object as host.argument for those that want one. 1: the answer is host.answer;
// 0: a fault is at Output.
//
//go:wasmexport ask
func ask(op, h, n int32, now float64) int32 {
	defer runtime.Gosched() // lets finalizers give back what JavaScript holds for us
	r := reader{}
	answer, err := perform(&r, op, h, int(n), now)
	if r.fault != nil {
		err = r.fault
	}
	if err != nil {
		module.Refuse(err)
		return 0
	}
	host.Set("answer", vert.ValueOf(answer).JSValue())
	return 1
}

func perform(r *reader, op, h int32, n int, now float64) (any, error) {
	argument := host.Get("argument")
	switch op {
	case seam.AskReport:
		return module.Report(h, now)
	case seam.AskVerified:
		return module.Verified(h)
	case seam.AskDecision:
		return module.Decision(n)
	case seam.AskKeys:
		return module.Keys(r.text(argument, "tool"), n)
	case seam.AskOpenRuns:
		runs := r.runs(argument, "runs")
		if r.fault != nil {
			return nil, nil
		}
		return module.OpenRuns(runs)
	case seam.AskOpenFolder:
		of, runs := r.scope(argument, "of"), r.runs(argument, "runs")
		return module.OpenFolder(of, runs), nil
	case seam.AskPage:
		scope, options := r.scope(argument, "scope"), r.options(argument, "options")
		if r.fault != nil {
			return nil, nil
		}
		return module.Page(h, scope, options)
	}
	return nil, fault.New(fault.BadInput, "an operation of this module", "an unknown operation")
}
