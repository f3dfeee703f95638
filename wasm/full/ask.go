//go:build js && wasm

package main

import (
	"runtime"
	"syscall/js"

	"github.com/norunners/vert"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// host is the object that the glue calls global. Arguments and results lie there
// as objects: the call is an export, since a function that JavaScript calls through
// syscall/js costs some 50 µs more and could not be told from one that died.
var host = js.Global()

// Operations of ask.
const (
	askReport = 1 + iota
	askVerified
	askDecision
	askKeys
	askOpenRuns
	askOpenFolder
	askPage
)

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
	case askReport:
		return module.Report(h, now)
	case askVerified:
		return module.Verified(h)
	case askDecision:
		return module.Decision(n)
	case askKeys:
		return module.Keys(r.text(argument, "tool"), n)
	case askOpenRuns:
		runs := r.runs(argument, "runs")
		if r.fault != nil {
			return nil, nil
		}
		return module.OpenRuns(runs)
	case askOpenFolder:
		of, runs := r.scope(argument, "of"), r.runs(argument, "runs")
		return module.OpenFolder(of, runs), nil
	case askPage:
		scope, options := r.scope(argument, "scope"), r.options(argument, "options")
		if r.fault != nil {
			return nil, nil
		}
		return module.Page(h, scope, options)
	}
	return nil, fault.New(fault.BadInput, "an operation of this module", "an unknown operation")
}
