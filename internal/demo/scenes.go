package demo

import (
	"fmt"

	"github.com/tidemark-stream/tidemark/pkg/events/typed"
)

// scene is a kind of turn: it works one out.
type scene func(*turn, project)

// scenes are the kinds of turn, in the order in which they are played. One round
// through them holds every live event type.
var scenes = []scene{
	repair, planned, delegated, reviewed, roughWeather, compacted, guarded, stranded,
}

// Calls that several scenes make.

func (p project) read() call {
	return call{
		tool: "read_file", input: map[string]any{"path": p.file, "around": p.code},
		result: "…\n    " + p.code + "\n…",
	}
}

func (p project) edit() call {
	return call{
		tool: "edit_file", input: map[string]any{"path": p.file, "instruction": p.fix},
		progress: []string{"patch applied", "formatting"},
		result:   "1 file changed, 4 lines added, 1 removed: " + p.file,
	}
}

// tested is a run of the project's test.
func (p project) tested(result string, failed bool) call {
	return call{
		tool: "run", input: map[string]any{"command": p.command},
		progress: []string{"building", "running " + p.test, "collecting results"},
		result:   result, failed: failed,
	}
}

// repair finds a bug, mends it, and proves it in a sandbox.
func repair(t *turn, p project) {
	t.begin(fmt.Sprintf("Something in %s is wrong: it %s. Please find out why, and mend it.", p.repo, p.symptom))
	t.round(
		"I should see the code before I guess. The symptom points at "+p.file+", so I read that first and look for who calls it.",
		"I'll read `"+p.file+"` and see who depends on it.",
		p.read(),
		call{
			tool: "search", input: map[string]any{"query": p.test, "in": p.repo},
			progress: []string{"120 files", "260 files"}, result: "3 matches, all in the tests next to " + p.file,
		},
	)
	proof := p.tested("FAIL "+p.test+"\n2 of 200 runs", true)
	proof.during = t.sandboxed(p, 1)
	t.round("It reads as if "+p.cause+". A run has to show it.", "This looks like the reason: "+p.cause+". I'll reproduce it first.", proof)
	t.add(&typed.CheckpointCreated{CheckpointID: t.checkpoint(), Iteration: typed.IntOf(int64(t.iteration))})
	change := p.edit()
	change.during = t.hooked("formatter", "after_edit")
	again := p.tested("ok   200 of 200 runs", false)
	again.during = t.sandboxed(p, 0)
	t.round("", "Reproduced. Now the change: "+p.fix+".", change, again)
	t.round(
		"Two hundred clean runs against two failures before. That is enough to say it is gone.",
		fmt.Sprintf("Done. It happened because %s. I changed `%s` to %s, and `%s` now passes in 200 of 200 runs; before it failed in 2.",
			p.cause, p.file, p.fix, p.test),
	)
	t.end()
}

func (t *turn) checkpoint() typed.CheckpointID { return typed.CheckpointID(t.script.newID("chk")) }

// sandboxed runs the project's test in a fresh sandbox.
func (t *turn) sandboxed(p project, exit int64) func(typed.ToolUseID) {
	return func(typed.ToolUseID) {
		id := typed.SandboxID(t.script.newID("sbx"))
		t.add(&typed.SandboxCreated{SandboxID: id, Environment: "linux-small"})
		t.add(&typed.SandboxExec{
			SandboxID: id, Command: p.command, ExitCode: typed.IntOf(exit),
			DurationMs: typed.NumberOf(float64(1800 + t.script.rng.IntN(4000))),
		})
		t.add(&typed.SandboxDestroyed{SandboxID: id})
	}
}

func (t *turn) hooked(plugin, event string) func(typed.ToolUseID) {
	return func(typed.ToolUseID) {
		id := typed.PluginID("plg_" + plugin)
		t.add(&typed.PluginHookExecuting{PluginID: id, HookEvent: raw(event)})
		t.add(&typed.PluginHookCompleted{PluginID: id, HookEvent: raw(event), Result: raw(map[string]any{"outcome": "continue"})})
	}
}

// stranded is a turn that does not get there: the plan is turned down, the next one
// breaks off, and the provider gives up.
func stranded(t *turn, p project) {
	t.begin("Move " + p.repo + " to the new build image. Show me the plan first.")
	t.round("Two ways: all at once, or one job at a time. The first is shorter.", "Here is a plan that moves everything at once.")
	first := t.plan("Move "+p.repo+" in one step", "switch the base image", "mend what breaks")
	t.add(&typed.PlanRejected{PlanID: first, Reason: typed.Some("One job at a time, please.")})
	t.round("", "Understood: one job at a time, the tests first.")
	second := t.plan("Move "+p.repo+" job by job", "tests", "lint", "release")
	t.add(&typed.PlanApproved{PlanID: second})
	t.add(&typed.PlanStepUpdated{PlanID: second, StepID: "s1", Status: raw("running")})
	t.round("", "Starting with the test job, in the background.", call{
		tool: "run", input: map[string]any{"command": "make image-test", "background": true},
		progress: []string{"pulling the image"}, result: "started as job_" + p.repo,
	})
	t.add(&typed.BackgroundJobExited{
		JobID: "job_" + p.repo, Command: "make image-test", Status: typed.JobStatusExited, ExitCode: typed.Some(typed.Int("2")),
	})
	t.add(&typed.PlanStepUpdated{PlanID: second, StepID: "s1", Status: raw("failed")})
	t.add(&typed.PlanFailed{PlanID: second, Reason: typed.Some("the image has no package for this platform")})
	for attempt := range int64(3) {
		t.add(&typed.ProviderRetry{
			Iteration: typed.IntOf(int64(t.iteration)), Attempt: typed.IntOf(attempt + 1), MaxRetries: "3",
			DelayMs: typed.NumberOf(float64(int(500) << attempt)), Code: "overloaded", Status: typed.Some(typed.Int("529")),
		})
	}
	t.fail("The provider stayed overloaded after 3 attempts.", "provider_error")
}
