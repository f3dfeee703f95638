package guardrail

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Input judges the messages that are about to be sent. A rewrite replaces the text
// of the newest user message; without one there is nothing to replace, and it
// blocks.
//
// Messages that cannot be read, or could be read in two ways, are a
// [fault.BadInput]. When ctx ends the chain breaks off with its cause, at once,
// whether the check that runs heeds it or not. With an error the Result is the zero
// one, and nothing is to be recorded.
func (c Chain) Input(ctx context.Context, given Context) (Result, error) {
	newest, err := newestUser(given.Messages)
	if err != nil {
		return Result{}, err
	}
	given.Text = ""
	if newest >= 0 {
		if given.Text, err = TextOf(given.Messages[newest]); err != nil {
			return Result{}, err
		}
	}
	return c.run(ctx, Input, given, func(messages [][]byte, text string) error {
		if newest < 0 {
			return errors.New("a rewrite of the newest user message, and there is none")
		}
		message, err := WithText(messages[newest], text)
		if err == nil {
			messages[newest] = message
		}
		return err
	})
}

// Output judges the final text of the assistant, which is given as Text. A rewrite
// replaces it; the messages stay. For ctx see [Chain.Input].
func (c Chain) Output(ctx context.Context, given Context) (Result, error) {
	return c.run(ctx, Output, given, func([][]byte, string) error { return nil })
}

// chained is a chain while it runs.
type chained struct {
	stage  Stage
	now    Context // as the next guardrail sees it
	put    func(messages [][]byte, text string) error
	result Result
}

func (c Chain) run(ctx context.Context, stage Stage, given Context, put func([][]byte, string) error) (Result, error) {
	given.Messages = slices.Clone(given.Messages)
	run := chained{stage: stage, now: given, put: put, result: Result{Action: Pass}}
	for i := 0; i < len(c) && ctx.Err() == nil; i++ {
		v, err := c[i].judge(ctx, run.now)
		if ctx.Err() != nil || !run.apply(c[i].Name, v, err) {
			break
		}
	}
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	run.result.Text, run.result.Messages = run.now.Text, run.now.Messages
	return run.result, nil
}

// failedReason is what a record says of a guardrail that did not judge. Why is in
// Result.Err, since it may hold what no record should.
const failedReason = "The guardrail could not judge, which counts as a block."

// apply does what a verdict says; err is why it is none. False: it blocks.
func (r *chained) apply(name string, v Verdict, err error) bool {
	if err == nil && v.Action == Rewrite {
		err = r.put(r.now.Messages, v.Output)
	}
	if err != nil {
		v, r.result.Err = Verdict{Action: Block, Reason: failedReason}, err
	}
	if v.Action == Pass {
		return true
	}
	r.result.Action = v.Action
	r.result.Triggered = append(r.result.Triggered, Triggered{r.now.TurnID, r.stage, v.Action, name, v.Reason})
	if v.Action == Rewrite {
		r.now.Text = v.Output
	}
	return v.Action == Rewrite
}

// answer is what a check came back with.
type answer struct {
	Verdict
	err error
}

// judge asks one guardrail on a goroutine of its own, so that a check that heeds no
// context holds up nobody. The error says why it did not judge.
func (g Guardrail) judge(ctx context.Context, shown Context) (Verdict, error) {
	if g.Check == nil {
		return Verdict{}, errors.New("a guardrail without a check")
	}
	shown.Messages = slices.Clone(shown.Messages)
	done := make(chan answer, 1)
	go g.ask(ctx, shown, done)
	select {
	case <-ctx.Done():
		return Verdict{}, context.Cause(ctx)
	case a := <-done:
		return a.judged()
	}
}

// ask answers in any case, also when the check panics or ends its goroutine.
func (g Guardrail) ask(ctx context.Context, shown Context, done chan<- answer) {
	a := answer{err: errors.New("a check that ended without an answer")}
	defer func() {
		if p := recover(); p != nil {
			a.err = fmt.Errorf("a check that panicked: %v", p)
		}
		done <- a
	}()
	a.Verdict, a.err = g.Check(ctx, shown)
}

// judged is the verdict, unless there is none: the check failed, or its action is
// not known.
func (a answer) judged() (Verdict, error) {
	if a.err == nil && a.Action != Pass && a.Action != Block && a.Action != Rewrite {
		a.err = fault.New(fault.BadInput, "pass, block or rewrite", fault.Clip([]byte(a.Action)))
	}
	return a.Verdict, a.err
}
