package demo

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/decision"
	"github.com/tidemark-stream/tidemark/pkg/events/typed"
)

// How long the three kinds of question wait: one is short enough to see it run out.
const (
	pushWaits     = 75 * time.Second
	planWaits     = 2 * time.Minute
	questionWaits = 30 * time.Second
)

// quietScenes are what an agent does while it waits for somebody.
var quietScenes = []scene{repair, guarded, roughWeather, compacted}

// pushes makes a change and asks before the call that cannot be taken back.
func pushes(t *turn, p project) {
	t.begin("Mend " + p.file + " in " + p.repo + ": it " + p.symptom + ". Ask me before you push.")
	t.round("", "I'll look at the place and change it.", p.read(), p.edit())
	calls := []call{{
		tool: "run", input: map[string]any{"command": "git push origin mend-" + p.repo}, result: "pushed mend-" + p.repo,
	}}
	t.propose("Small, and tested. But a push is not mine to decide.", "The change is ready to push, once you say so.", calls)
	push := calls[0]
	shown := map[string]any{"toolUseId": push.id, "toolName": push.tool, "input": push.input}
	t.add(&typed.ToolReviewRequested{ToolCalls: []typed.Raw{raw(shown)}, Iteration: typed.IntOf(int64(t.iteration))})
	t.ask(&ask{
		wait: pushWaits, reason: "waiting for a review", before: nothing,
		request: map[string]any{"type": "tool_review", "title": "Push the change to " + p.file, "project": p.repo, "toolCalls": []any{shown}},
		then:    func(t *turn, id typed.CheckpointID, r reply) { t.reviewed(p, push, id, r) },
	})
}

func nothing(*turn, typed.CheckpointID) {}

// reviewed goes on behind the review of a call.
func (t *turn) reviewed(p project, c call, id typed.CheckpointID, r reply) {
	if r.idle() {
		t.leave(id, "Nobody reviewed the push. The branch stays where it is.")
		return
	}
	t.resume(id)
	input, allowed := r.allowed(c)
	switch {
	case r.Action == decision.Abort:
		t.add(&typed.ToolReviewCompleted{Decision: typed.ReviewDecisionRejected})
		t.fail("The turn was stopped by whoever reviewed it.", "aborted")
		return
	case !allowed:
		t.add(&typed.ToolReviewCompleted{Decision: typed.ReviewDecisionRejected})
		t.add(&typed.ToolCompleted{ToolUseID: c.id, ToolName: c.tool, Result: "declined: " + r.words("no reason given"), IsError: true})
		t.close(true)
		t.round("", fmt.Sprintf("Not pushed. You said: %s The change waits on the branch mend-%s.", r.words("nothing more."), p.repo))
	default:
		t.add(&typed.ToolReviewCompleted{Decision: reviewWord[r.Action]})
		c.input, c.result = input, "done: "+fmt.Sprint(input["command"])
		t.run(c)
		t.close(true)
		t.round("", fmt.Sprintf("Done, as you allowed it: `%s`. `%s` now does this: %s.", input["command"], p.file, p.fix))
	}
	t.end()
}

var reviewWord = map[string]typed.ReviewDecision{
	decision.ApproveTools: typed.ReviewDecisionApproved,
	decision.ModifyTools:  typed.ReviewDecisionModified,
}

// allowed is the input that a call may run with: the one that was shown, or the one
// that it was changed to. Of a change that is not about this call nothing is
// allowed.
func (r reply) allowed(c call) (map[string]any, bool) {
	if !r.Approves() || reviewWord[r.Action] == "" {
		return nil, false
	}
	if r.Action == decision.ApproveTools {
		return c.input, true
	}
	for _, m := range r.Modifications {
		var change struct {
			ToolUseID typed.ToolUseID `json:"toolUseId"`
			Input     map[string]any  `json:"input"`
		}
		if json.Unmarshal(m, &change) == nil && change.ToolUseID == c.id && change.Input["command"] != nil {
			return change.Input, true
		}
	}
	return nil, false
}

// words are the feedback of an answer, or else what stands for none.
func (r reply) words(none string) string {
	if r.Feedback == nil || *r.Feedback == "" {
		return none
	}
	return *r.Feedback
}

// plans puts a plan on the table and does nothing of it before it is approved.
func plans(t *turn, p project) {
	t.begin("Plan how to mend " + p.repo + ": it " + p.symptom + ". I decide whether you go ahead.")
	t.round("Three steps that can each be checked.", "Here is what I would do, in this order.")
	steps := []string{"write a test that fails", p.fix, "run everything that depends on " + p.file}
	id := t.plan("Mend "+p.file, steps...)
	t.ask(&ask{
		wait: planWaits, reason: "waiting for the plan to be approved", before: nothing,
		request: map[string]any{"type": "plan_approval", "title": "Mend " + p.file, "project": p.repo, "planId": id, "steps": steps},
		then:    func(t *turn, at typed.CheckpointID, r reply) { t.decidedOn(p, id, at, r) },
	})
}

// decidedOn goes on behind the decision on a plan.
func (t *turn) decidedOn(p project, plan typed.PlanID, id typed.CheckpointID, r reply) {
	if r.idle() {
		t.leave(id, "Nobody decided on the plan. Nothing of it was done.")
		return
	}
	t.resume(id)
	switch {
	case r.Action == decision.Abort:
		t.add(&typed.PlanRejected{PlanID: plan})
		t.fail("The turn was stopped by whoever looked at the plan.", "aborted")
		return
	case r.Action != decision.ApprovePlan:
		t.add(&typed.PlanRejected{PlanID: plan, Reason: typed.Some(r.words("not approved"))})
		t.round("", fmt.Sprintf("Understood, nothing of it is done. You said: %s", r.words("nothing more.")))
	default:
		t.add(&typed.PlanApproved{PlanID: plan})
		t.work(plan, "s1", "", "First a test that fails for the right reason.", p.tested("FAIL "+p.test+": "+p.symptom, true))
		t.work(plan, "s2", "", "Now the change: "+p.fix+".", p.edit())
		t.work(plan, "s3", "", "And everything that depends on it.", p.tested("ok   all packages", false))
		t.add(&typed.PlanCompleted{PlanID: plan})
		t.round("", "The plan is carried out, as you approved it. All three checks pass.")
	}
	t.end()
}

// wonders asks what only a person can know.
func wonders(t *turn, p project) {
	t.begin("Mend " + p.file + " in " + p.repo + ". When something is a matter of taste, ask.")
	calls := []call{{tool: "ask_user", input: map[string]any{"question": p.question}}}
	t.propose("This is a matter of taste, so I should not guess.", "One question before I start.", calls)
	asking := calls[0]
	t.add(&typed.ToolExecuting{ToolUseID: asking.id, ToolName: asking.tool, Input: raw(asking.input)})
	t.ask(&ask{
		wait: questionWaits, reason: "waiting for an answer",
		before: func(t *turn, id typed.CheckpointID) {
			t.add(&typed.UserQuestionAsked{CheckpointID: id, QuestionID: string(asking.id), Question: p.question})
		},
		request: map[string]any{
			"type": "user_question", "title": p.question, "project": p.repo, "questionId": asking.id,
			"choices": []string{p.choice, "You decide."},
		},
		then: func(t *turn, id typed.CheckpointID, r reply) { t.told(p, asking, id, r) },
	})
}

// told goes on behind a question: with an answer, or without one. No answer is no
// consent.
func (t *turn) told(p project, c call, id typed.CheckpointID, r reply) {
	text, answered := r.text()
	answer := &typed.UserQuestionAnswered{CheckpointID: id, Answered: answered}
	if answered {
		answer.QuestionID = typed.Some(string(c.id))
	}
	if r.idle() {
		t.add(answer)
		t.leave(id, "Nobody answered the question. I have not started.")
		return
	}
	t.resume(id)
	t.add(answer)
	if !answered {
		text = "no answer"
	}
	t.add(&typed.ToolCompleted{ToolUseID: c.id, ToolName: c.tool, Result: text, IsError: !answered})
	t.close(true)
	if answered {
		t.round("", "Thank you. Making the change.", p.edit())
		t.round("", fmt.Sprintf("Done: %s. As you said: %s", p.fix, text))
	} else {
		t.round("", "Then I leave it as it is, and have changed nothing.")
	}
	t.end()
}

// text is the answer to a question in words. The action is one that this package
// has made up: the catalog of decisions has none for it, and no answer but this
// one is taken for words.
func (r reply) text() (text string, ok bool) {
	var said struct {
		Text string `json:"text"`
	}
	if r.Action != "answer" || json.Unmarshal(r.Raw, &said) != nil || said.Text == "" {
		return "", false
	}
	return said.Text, true
}

// resume takes a turn up again behind an answer.
func (t *turn) resume(id typed.CheckpointID) {
	t.add(&typed.TurnResuming{FromCheckpointID: id, ResolvedDecisionID: typed.Some(string(id))})
}

// leave lets a turn pause for good.
func (t *turn) leave(id typed.CheckpointID, why string) {
	t.add(&typed.TurnPaused{CheckpointID: id, Reason: why})
}
