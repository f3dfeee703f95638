package demo

import (
	"fmt"

	"github.com/tidemark-stream/tidemark/pkg/events/typed"
)

// plan puts a plan on the table, with steps s1, s2, …
func (t *turn) plan(title string, steps ...string) typed.PlanID {
	id := typed.PlanID(t.script.newID("plan"))
	e := &typed.PlanReady{PlanID: id, Title: title, Summary: typed.Some(fmt.Sprintf("%d steps, each with a check of its own", len(steps)))}
	for i, text := range steps {
		e.Steps = append(e.Steps, raw(map[string]any{"id": fmt.Sprintf("s%d", i+1), "title": text}))
	}
	t.add(e)
	return id
}

// planned carries out an approved plan, with tasks and an activity beside it.
func planned(t *turn, p project) {
	t.begin(fmt.Sprintf("%s %s. Plan the work, then do it.", p.repo, p.symptom))
	t.round(
		"I want three steps that can each be checked: a test that fails, the change, and a look at who else relies on it.",
		"Here is what I'd do, one step after another.",
	)
	id := t.plan("Mend "+p.file, "write a test that fails", p.fix, "run everything that depends on it")
	t.add(&typed.PlanApproved{PlanID: id})
	test, change := t.tasks(p)
	activity := typed.ActivityID(t.script.newID("act"))
	t.add(&typed.ActivityCreated{ActivityID: activity, ActivityType: raw("edit"), Description: "Working on " + p.file})
	t.work(id, "s1", test, "First a test that fails for the right reason.", p.tested("FAIL "+p.test+": "+p.symptom, true))
	t.work(id, "s2", change, "Now the change itself: "+p.fix+".", p.read(), p.edit())
	t.work(id, "s3", "", "And everything that depends on it.", p.tested("ok   all packages", false))
	t.add(&typed.ActivityUpdated{ActivityID: activity, Status: raw("completed"), Output: typed.Some(raw(map[string]any{"files": 2}))})
	t.add(&typed.PlanCompleted{PlanID: id})
	t.round("", fmt.Sprintf("All three steps are done. The test in %s failed before because %s, and passes now; nothing that depends on it changed.", p.repo, p.cause))
	t.end()
}

// tasks are two units of work, the second of which waits for the first.
func (t *turn) tasks(p project) (test, change typed.TaskID) {
	test, change = typed.TaskID(t.script.newID("task")), typed.TaskID(t.script.newID("task"))
	t.add(&typed.TaskCreated{TaskID: test, Subject: "A failing test for " + p.file, Status: raw("open"), Owner: typed.Some("main")})
	t.add(&typed.TaskCreated{TaskID: change, Subject: "Change " + p.file, Status: raw("blocked"), BlockedBy: typed.Some([]typed.TaskID{test})})
	return test, change
}

// work is one step of a plan.
func (t *turn) work(plan typed.PlanID, step string, task typed.TaskID, text string, calls ...call) {
	t.add(&typed.PlanStepUpdated{PlanID: plan, StepID: step, Status: raw("running")})
	t.round("", text, calls...)
	if task != "" {
		t.add(&typed.TaskUpdated{TaskID: task, Subject: text, Status: raw("done"), Owner: typed.Some("main")})
	}
	t.add(&typed.PlanStepUpdated{PlanID: plan, StepID: step, Status: raw("completed")})
}

// delegated hands reading to children, which work in sessions of their own.
func delegated(t *turn, p project) {
	t.begin(fmt.Sprintf("Before we change %s: how do others handle this? It %s.", p.file, p.symptom))
	t.round("Someone will have met this before. A search first.", "I'll look it up.")
	t.add(&typed.HostedTool{Iteration: typed.IntOf(int64(t.iteration)), Tool: raw(map[string]any{
		"type": "hosted-tool", "name": "web_search", "input": map[string]any{"query": p.cause},
		"output": map[string]any{"results": 5},
	})})
	t.round(
		"Five results, three worth reading. Two readers can share them while I look at our own history.",
		"Two readers can go through these in parallel; a third looks at our own history.",
		t.delegate(p, "Read how two libraries handle it", readOutside),
		t.delegate(p, "Find every earlier fix in "+p.repo, readHistory),
	)
	t.lost(p)
	t.round(
		"Both libraries agree, and our history shows one earlier attempt that was reverted.",
		fmt.Sprintf("Others do the same: %s. We tried once and took it back because no test held it; I'd do it again, with the test this time.", p.fix),
	)
	t.end()
}

// reading is what a child does in its only round.
type reading func(child *turn, p project) (result string)

func readOutside(child *turn, p project) string {
	child.round("Two code bases, one question.", "Reading both.", call{
		tool: "search", input: map[string]any{"query": p.cause}, progress: []string{"first library", "second library"}, result: "both: " + p.fix,
	})
	child.round("", "Both do the same: "+p.fix+".")
	return "Both libraries: " + p.fix + "."
}

func readHistory(child *turn, p project) string {
	child.round("", "Going through the log of "+p.file+".", call{
		tool: "run", input: map[string]any{"command": "git log --oneline -- " + p.file}, result: "14 commits, one of them a revert",
	})
	child.round("", "One earlier attempt, reverted two days later.")
	return "One earlier attempt, reverted two days later."
}

// delegate is a call that runs a child session. The parent's log keeps that the
// child was spawned, wrote and idled; what the child does is in its own log, and
// is only shown here.
func (t *turn) delegate(p project, description string, do reading) call {
	c := call{tool: "delegate", input: map[string]any{"description": description}}
	session := t.script.newID("ses_demo_child")
	task := typed.TaskID(t.script.newID("task"))
	c.result = "child " + session + " is done"
	c.during = func(id typed.ToolUseID) {
		t.add(&typed.AgentPending{
			TaskID: task, ParentAgentID: "main", ChildAgentID: "reader", Depth: "1",
			Workflow: typed.Some("reading"), Phase: typed.Some("sources"), PhaseOrder: typed.Some(typed.Int("0")),
		})
		t.add(&typed.ChildSessionSpawned{
			ChildSessionID: typed.SessionID(session), ToolCallID: id, Kind: raw("child"),
			Description: description, Path: "children/" + session + ".jsonl",
			Batch: typed.Some(typed.ChildBatch{BatchID: "batch_" + t.id, Name: "reading"}),
		})
		child := t.child(session)
		result := do(child, p)
		child.end()
		t.add(&typed.ChildSessionMessaged{ChildSessionID: typed.SessionID(session), MessageID: child.lastID})
		t.add(&typed.ChildSessionIdled{ChildSessionID: typed.SessionID(session)})
		t.add(&typed.AgentCompleted{TaskID: task, Result: raw(map[string]any{"output": result})})
	}
	return c
}

// child begins the turn of a child session.
func (t *turn) child(session string) *turn {
	child := &turn{
		script: t.script, session: session, list: t.list, lineage: raw(map[string]any{"depth": 1, "parentSessionId": t.session}),
	}
	child.note("session_started", usualPause, map[string]any{"parent": map[string]any{"sessionId": t.session, "turnId": t.id}})
	child.id = t.script.newID("turn")
	child.begin("Read, and report in one sentence.")
	return child
}

// lost are two delegations that come to nothing.
func (t *turn) lost(p project) {
	failed, canceled := typed.TaskID(t.script.newID("task")), typed.TaskID(t.script.newID("task"))
	for _, id := range []typed.TaskID{failed, canceled} {
		t.add(&typed.AgentPending{TaskID: id, ParentAgentID: "main", ChildAgentID: "searcher", Depth: "1"})
	}
	t.add(&typed.AgentFailed{TaskID: failed, Error: "the archive of " + p.repo + " did not answer"})
	t.add(&typed.AgentCanceled{TaskID: canceled, CancelCause: typed.Some(raw(map[string]any{"by": "parent", "reason": "no longer needed"}))})
}
