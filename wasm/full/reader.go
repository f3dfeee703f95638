//go:build js && wasm

package main

import (
	"math"
	"strconv"
	"syscall/js"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// reader takes arguments apart. The first value that is not as it has to be is its
// fault, and what is read from then on is worthless. undefined and null are absent.
//
// Arguments are plain objects, made by the shell: what a getter throws could not be
// caught here.
type reader struct{ fault *fault.Fault }

func (r *reader) refuse(expected string, v js.Value) {
	if r.fault == nil {
		r.fault = fault.New(fault.BadInput, expected, v.Type().String())
	}
}

func absent(v js.Value) bool { return v.IsUndefined() || v.IsNull() }

// member is a member of an object, undefined when it is none.
func (r *reader) member(v js.Value, name string) js.Value {
	if v.Type() != js.TypeObject {
		r.refuse("an object with "+name, v)
		return js.Undefined()
	}
	return v.Get(name)
}

// text is text, "" when absent.
func (r *reader) text(v js.Value, name string) string {
	m := r.member(v, name)
	switch {
	case absent(m):
		return ""
	case m.Type() != js.TypeString:
		r.refuse(name+": text", m)
		return ""
	}
	return m.String()
}

// furthest bounds times and counts: a double holds every integer up to there.
const furthest = 1 << 53

// whole is an integer.
func (r *reader) whole(v js.Value, name string) (n int64, ok bool) {
	m := r.member(v, name)
	if absent(m) {
		return 0, false
	}
	if m.Type() == js.TypeNumber {
		if f := m.Float(); f == math.Trunc(f) && math.Abs(f) < furthest {
			return int64(f), true
		}
	}
	r.refuse(name+": an integer that a double holds exactly", m)
	return 0, false
}

// list is the elements of an array, none when absent.
func (r *reader) list(v js.Value, name string) (all []js.Value, ok bool) {
	m := r.member(v, name)
	if absent(m) {
		return nil, false
	}
	if !js.Global().Get("Array").Call("isArray", m).Bool() {
		r.refuse(name+": a list", m)
		return nil, false
	}
	all = make([]js.Value, m.Length())
	for i := range all {
		all[i] = m.Index(i)
	}
	return all, true
}

func (r *reader) scope(v js.Value, name string) listing.Scope {
	m := r.member(v, name)
	if absent(m) {
		return listing.Scope{}
	}
	return listing.Scope{TenantID: r.text(m, "tenantId"), ProjectID: r.text(m, "projectId"), SessionID: r.text(m, "sessionId")}
}

// options are those of a page. A limit may be any number.
func (r *reader) options(v js.Value, name string) (o listing.Options) {
	m := r.member(v, name)
	o.Page = r.text(m, "page")
	o.Now, _ = r.whole(m, "now")
	switch limit := r.member(m, "limit"); {
	case absent(limit):
	case limit.Type() != js.TypeNumber:
		r.refuse("limit: a number", limit)
	default:
		o.Limit = listing.LimitOf(limit.Float())
	}
	words, ok := r.list(m, "park")
	if !ok {
		return o
	}
	states := make([]string, len(words))
	for i, word := range words {
		if states[i] = word.String(); word.Type() != js.TypeString {
			r.refuse("park: a list of texts", word)
		}
	}
	found, err := listing.States(states...)
	if f, bad := err.(*fault.Fault); bad && r.fault == nil {
		r.fault = f
	}
	o.Park = found
	return o
}

func (r *reader) runs(v js.Value, name string) (runs []listing.Run) {
	rows, _ := r.list(v, name)
	for i, row := range rows {
		if runs = append(runs, r.run(row)); r.fault != nil {
			r.fault.Expected = name + "[" + strconv.Itoa(i) + "] with " + r.fault.Expected
			return nil
		}
	}
	return runs
}

func (r *reader) run(v js.Value) (run listing.Run) {
	run.RunScope = listing.RunScope{
		TenantID: r.text(v, "tenantId"), ProjectID: r.text(v, "projectId"), SessionID: r.text(v, "sessionId"),
		RunID: r.text(v, "runId"), ParentRunID: r.text(v, "parentRunId"),
	}
	checkpoints, _ := r.list(v, "checkpoints")
	for _, c := range checkpoints {
		at, ok := r.whole(c, "createdAt")
		if id := r.text(c, "id"); id != "" && ok {
			run.Checkpoints = append(run.Checkpoints, listing.Checkpoint{ID: id, CreatedAt: at})
		} else {
			r.refuse("checkpoints that have id and createdAt", c)
		}
	}
	parks, _ := r.list(v, "parks")
	for _, p := range parks {
		run.Parks = append(run.Parks, r.park(p))
	}
	return run
}

// park is what a row has to know of one. The request is JSON text.
func (r *reader) park(v js.Value) *park.Park {
	p := &park.Park{CheckpointID: r.text(v, "checkpointId"), TurnID: r.text(v, "turnId"), Request: []byte(r.text(v, "request"))}
	p.DecisionID = r.text(v, "decisionId")
	at, ok := r.whole(v, "parkedAt")
	if !ok {
		r.refuse("parks that have parkedAt", v)
	}
	p.ParkedAt = at
	p.DeadlineAt, p.HasDeadline = r.whole(v, "deadlineAt")
	p.ResolvedAt, p.Resolved = r.whole(v, "resolvedAt")
	return p
}
