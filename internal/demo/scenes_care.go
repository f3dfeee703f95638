package demo

import (
	"fmt"

	"github.com/tidemark-stream/tidemark/pkg/events/typed"
)

// reviewed asks before it acts: a question to the user, and a review of a call,
// for which the turn is parked.
func reviewed(t *turn, p project) {
	t.begin("Change " + p.file + ", but ask me before anything is pushed.")
	t.add(&typed.ApprovalPolicyChanged{From: "auto", To: "ask-before-push", Reason: "the user asked for it"})
	t.round(
		"One thing in here is a matter of taste. I should ask, not guess.",
		"One question before I start.",
		t.asked(p),
	)
	t.round("", "Thanks. Making the change.", p.read(), p.edit())
	push := call{tool: "run", input: map[string]any{"command": "git push origin mend-" + p.repo}, result: "pushed mend-" + p.repo}
	push.during = t.parked
	t.round("The change is small and tested. The push needs a yes.", "The change is ready. Waiting for your go-ahead to push.", push)
	t.round("", fmt.Sprintf("Pushed. `%s` now does this: %s. As you said: %s", p.file, p.fix, p.choice))
	t.end()
}

// asked is a call that waits for the user's answer.
func (t *turn) asked(p project) call {
	c := call{tool: "ask_user", input: map[string]any{"question": p.question}, result: p.choice}
	c.during = func(id typed.ToolUseID) {
		checkpoint, question := t.checkpoint(), string(id)
		t.add(&typed.UserQuestionAsked{CheckpointID: checkpoint, QuestionID: question, Question: p.question})
		t.park(checkpoint, "question", "waiting for an answer")
		t.add(&typed.UserQuestionAnswered{CheckpointID: checkpoint, QuestionID: typed.Some(question), Answered: true})
	}
	return c
}

// parked is a review by a human in the middle of a call.
func (t *turn) parked(typed.ToolUseID) {
	t.add(&typed.ToolReviewRequested{
		ToolCalls: []typed.Raw{raw(map[string]any{"toolName": "run", "summary": "git push"})}, Iteration: typed.IntOf(int64(t.iteration)),
	})
	t.park(t.checkpoint(), "tool_review", "waiting for a review")
	t.add(&typed.ToolReviewCompleted{Decision: typed.ReviewDecisionApproved})
}

// park puts the turn aside until a human has decided, with the records of that.
func (t *turn) park(id typed.CheckpointID, question, reason string) {
	t.add(&typed.CheckpointCreated{CheckpointID: id, Iteration: typed.IntOf(int64(t.iteration))})
	t.note("checkpoint_written", usualPause, map[string]any{"checkpointId": id})
	t.note("decision_requested", usualPause, map[string]any{
		"decisionId": id, "checkpointId": id, "request": map[string]any{"type": question},
	})
	t.add(&typed.TurnPaused{CheckpointID: id, Reason: reason})
	t.note("decision_resolved", 2*pauses["turn_resuming"], map[string]any{
		"decisionId": id, "decision": map[string]any{"action": "approve"},
		"resolvedBy": map[string]any{"kind": "user", "role": "owner", "tenantId": "ten_demo"},
	})
	t.add(&typed.TurnResuming{FromCheckpointID: id, ResolvedDecisionID: typed.Some(string(id))})
}

// roughWeather is a turn whose provider has a bad day.
func roughWeather(t *turn, p project) {
	t.begin(fmt.Sprintf("Users say %s %s. There is a screenshot in the ticket.", p.repo, p.symptom))
	t.add(&typed.MessageHistoryRepaired{
		Source: typed.RepairSourceFreshHistory, DuplicateToolResultsRemoved: "1",
		OrphanedToolResultsRemoved: "0", SyntheticToolResultsInserted: "1",
	})
	t.round("The ticket first, then the code.", "I'll read the code that the ticket is about.", p.read())
	t.add(&typed.ProviderRetry{
		Iteration: "2", Attempt: "1", MaxRetries: "3", DelayMs: "800", Code: "rate_limit",
		Status: typed.Some(typed.Int("429")), ServerDirected: true,
	})
	t.add(&typed.ProviderFallback{
		Iteration: "2", FromIndex: "0", FromProviderID: "north", FromModel: typed.Some(model),
		ToIndex: "1", ToProviderID: "south", ToModel: typed.Some(smaller), Code: "rate_limit",
		Status: typed.Some(typed.Int("429")), Reason: "the first provider asks to slow down",
	})
	t.add(&typed.CapabilityWarning{
		Capability: typed.CapabilityVision, ContentSource: typed.Some(typed.ContentSourceToolResult),
		ProviderID: "south", Message: "this provider cannot see the screenshot; its description is sent instead",
	})
	t.round("No picture, but the description is enough.", "Going on with another provider. The description names the place well enough.", p.tested("FAIL "+p.test, true))
	t.round("", fmt.Sprintf("I can reproduce what the ticket shows: it %s, because %s. I'd %s.", p.symptom, p.cause, p.fix))
	t.end()
}

// compacted is a long turn in which the context gets too large.
func compacted(t *turn, p project) {
	t.begin("Go through all callers of " + p.file + " and tell me which of them rely on the old behaviour.")
	for _, part := range []string{"the first third", "the second third"} {
		t.round("", "Reading "+part+" of the callers.", call{
			tool: "search", input: map[string]any{"query": p.code, "part": part},
			progress: []string{"40 files", "90 files"}, result: "27 callers in " + part,
		})
	}
	n := typed.IntOf(int64(t.iteration))
	t.add(&typed.CompactionToolResultsCleared{
		Iteration: n, ClearedCount: "6", StubbedCount: typed.Some(typed.Int("2")), CharsReclaimed: "184220", ReclaimedTokens: "46055",
	})
	t.add(&typed.CompactionFailed{Iteration: n, Cause: typed.CompactionFailureSplitToolPair, Messages: "58"})
	t.add(&typed.CompactionShed{Iteration: n, Reason: typed.ShedReasonThreshold, Messages: []typed.Raw{
		raw(map[string]any{"role": "assistant", "content": "Reading the first third of the callers."}),
	}})
	t.note("compaction", usualPause, map[string]any{
		"summary":        map[string]any{"text": "54 callers read so far; 3 rely on the old behaviour."},
		"keptMessageIds": []typed.MessageID{t.lastID},
	})
	t.add(&typed.CompactionCompleted{
		Iteration: n, MessagesBefore: "58", MessagesAfter: "9", TokensBefore: "171300", TokensAfter: "22140",
		MeasuredBy: typed.TokenMeasureEstimate, ContextWindowTokens: typed.IntOf(contextOf), WindowSource: typed.WindowSourceModelTable,
	})
	t.round("Three so far. One third is left.", "Reading the last third.", call{
		tool: "search", input: map[string]any{"query": p.code, "part": "the last third"}, result: "19 callers in the last third",
	})
	t.round("", "73 callers, of which 3 rely on it. All three are in tests, and each says so in a comment.")
	t.end()
	t.add(&typed.MemoryConsolidated{MemoryID: t.script.newID("mem"), Title: "Callers of " + p.file, Decisions: "1", Discoveries: "3", Failures: "0"})
}

// guarded is a turn whose answer may not go out as the model wrote it.
func guarded(t *turn, p project) {
	t.begin("How do I run the tests of " + p.repo + " against staging?")
	t.round("The command is in the readme, with the token beside it.", "The readme has it.", p.read())
	const token = "STAGING_TOKEN=stg-4471"
	t.round("", fmt.Sprintf("Set %s and run `%s`. It takes about a minute.", token, p.command))
	t.add(&typed.GuardrailTriggered{
		Stage: typed.GuardrailStageOutput, Action: typed.GuardrailActionRewrite,
		Guardrail: typed.Some("secrets"), Reason: typed.Some("the answer held what looks like a token"),
	})
	t.answer = fmt.Sprintf("Set STAGING_TOKEN to your own token and run `%s`. It takes about a minute.", p.command)
	t.note("message_replaced", usualPause, map[string]any{
		"targetMessageId": t.lastID, "content": map[string]any{"role": "assistant", "content": t.answer},
	})
	t.end()
}
