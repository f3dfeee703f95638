package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/durable/disk"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/logfold"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

const runsHelp = `usage: tidemark runs [flags] LOG… | FOLDER… | URL | -
       tidemark runs [flags] --tenant T --project P --session S --log LOG RUNS

Lists the runs that have checkpoints, a page at a time, with how the question of
each stands. Runs come from logs (a checkpoint counts when a record commits it, and
none took it away again), or from a folder RUNS with the checkpoint documents of one
session, which has to be told whose it is; its log says how the questions stand. A
document that cannot be read is named apart, and hides no other.

  --tenant T, --project P   whose logs these are; "-" stands for what nobody said
  --session S    only this session; of RUNS: the one that it is of
  --log LOG      the log of that session
  --park STATES  only runs whose question is one of outstanding, expired, resolved,
                 with commas between; "" keeps none
  --limit N      rows of a page (100)
  --page TOKEN   the page behind, as the page before names it
  --now TIME     as of then: 2026-01-01T00:00:00Z or milliseconds since 1970 (now)
  --json         the page as one JSON object: {"entries","unreadable"?,"page"?}

examples:
  tidemark runs sessions/
  tidemark runs runs/s1 --tenant acme --project web --session s1 --log sessions/s1.jsonl

exit codes: 0 listed, 1 something is wrong with a log or a document, 2 wrong usage, or
something could not be read
`

// runsRun is one call of runs.
type runsRun struct {
	*logCommand
	scope listing.Scope
	log   string
	now   clock
	park  parkStates
	limit float64
	page  string
}

func runRuns(args []string, c console) int {
	r := runsRun{limit: listing.DefaultLimit}
	l, rest, code, done := begin("runs", runsHelp, args, c, func(flags *flag.FlagSet) {
		flags.StringVar(&r.scope.TenantID, "tenant", "", "")
		flags.StringVar(&r.scope.ProjectID, "project", "", "")
		flags.StringVar(&r.scope.SessionID, "session", "", "")
		flags.StringVar(&r.log, "log", "", "")
		flags.StringVar(&r.page, "page", "", "")
		flags.Float64Var(&r.limit, "limit", r.limit, "")
		r.now.declare(flags)
		r.park.declare(flags)
	})
	if done {
		return code
	}
	r.logCommand = l
	ctx, stop := l.interruptible()
	defer stop()
	page, err := r.list(ctx, rest)
	if err != nil {
		return r.refused(err)
	}
	r.print(page)
	return r.worst
}

// errSaid is what was said already.
var errSaid = errors.New("said already")

// misuse is a problem with the call.
type misuse string

func (m misuse) Error() string { return string(m) }

func (r *runsRun) list(ctx context.Context, args []string) (listing.Page, error) {
	if len(args) == 1 && isFolder(args[0]) && len(logsIn(args[0])) == 0 {
		return r.listFolder(ctx, args[0])
	}
	logs, problem := r.sources(args)
	switch {
	case problem != "":
		return listing.Page{}, misuse(problem)
	case r.log != "":
		return listing.Page{}, misuse("--log goes with a folder of checkpoint documents")
	}
	return r.listLogs(ctx, logs)
}

func (r *runsRun) options() listing.Options {
	return listing.Options{Park: r.park, Limit: listing.LimitOf(r.limit), Page: r.page, Now: r.now.ms}
}

// nobody stands for a tenant or project that was not named.
const nobody = "-"

func (r *runsRun) listLogs(ctx context.Context, logs []string) (page listing.Page, err error) {
	scope := r.scope
	if scope.TenantID == "" {
		scope.TenantID = nobody
	}
	if scope.ProjectID == "" {
		scope.ProjectID = nobody
	}
	var index listing.Index
	for _, source := range logs {
		f := r.fold(ctx, source, logfold.Options{})
		if f == nil {
			continue
		}
		r.findings(source, f)
		of := listing.RunScope{TenantID: scope.TenantID, ProjectID: scope.ProjectID, SessionID: sessionName(source, f)}
		if err = enter(&index, of, f); err != nil {
			return page, err
		}
	}
	if r.worst == exitUsage {
		return page, errSaid
	}
	return index.Page(scope, r.options())
}

// sessionName is the session of a log, by its records, else by its name.
func sessionName(source string, f *logfold.Fold) string {
	if session := f.Standing().Session; session != "" {
		return session
	}
	name := strings.TrimSuffix(filepath.Base(source), ".gz")
	return strings.TrimSuffix(name, ".jsonl")
}

// enter puts the runs of a log into an index: a run is a turn.
func enter(index *listing.Index, run listing.RunScope, f *logfold.Fold) error {
	for _, w := range f.Checkpoints() {
		if run.RunID = w.TurnID; run.RunID == "" {
			continue
		}
		if err := index.Put(run, listing.Checkpoint{ID: w.CheckpointID, CreatedAt: w.At}); err != nil {
			return err
		}
	}
	parks := map[string][]*park.Park{}
	for _, p := range f.Parks().Parks() {
		parks[p.TurnID] = append(parks[p.TurnID], p)
	}
	delete(parks, "")
	for turn, of := range parks {
		run.RunID = turn
		if err := index.SetParks(run, of); err != nil {
			return err
		}
	}
	return nil
}

// listFolder lists checkpoint documents, with the questions of their log.
func (r *runsRun) listFolder(ctx context.Context, path string) (page listing.Page, err error) {
	options := disk.Options{Of: r.scope}
	if r.log != "" {
		options.Parks = func(ctx context.Context) ([]*park.Park, error) {
			f := r.fold(ctx, r.log, logfold.Options{})
			if f == nil {
				return nil, errSaid
			}
			r.findings(r.log, f)
			return f.Parks().Parks(), nil
		}
	}
	store, err := disk.New(path, options)
	if err != nil {
		return page, err
	}
	return store.List(ctx, r.scope, r.options())
}

// refusals say what to do about what a listing refuses.
var refusals = []struct {
	id     fault.ID
	advice string
}{
	{fault.ScopeHole, "this folder has no logs; to list checkpoint documents, name --tenant, --project and --session"},
	{fault.NoAttribution, "this folder has no logs; to list checkpoint documents, name --tenant, --project and --session"},
	{fault.CannotList, "--log LOG names the log that says how the questions of these runs stand"},
	{fault.BadPageToken, "--page takes the token of the page before, of the same scope"},
}

func (r *runsRun) refused(err error) int {
	var m misuse
	switch {
	case errors.Is(err, errSaid):
		return exitUsage
	case errors.As(err, &m):
		return r.misused(string(m))
	}
	for _, known := range refusals {
		if errors.Is(err, known.id) {
			return r.misused(known.advice)
		}
	}
	fmt.Fprintln(r.err, "tidemark runs:", err)
	return exitUsage
}

func (r *runsRun) print(page listing.Page) {
	if len(page.Unreadable) > 0 {
		r.ends(exitFound)
	}
	if r.json {
		r.line(page.AppendJSON(nil))
		return
	}
	for i := range page.Entries {
		e := &page.Entries[i]
		fmt.Fprintf(r.out, "%s, session %s\n  %s, newest %s of %s\n", safe(e.RunID), safe(e.SessionID),
			plural(e.CheckpointCount, "checkpoint"), safe(e.LatestCheckpointID), timeText(e.LatestCheckpointAt))
		if p := e.Park; p != nil {
			fmt.Fprintf(r.out, "  %s: %s, asked %s\n", p.State, safe(p.RequestType), timeText(p.ParkedAt))
		}
	}
	for _, u := range page.Unreadable {
		rule := u.Fault.Rule()
		fmt.Fprintf(r.out, "%s %s, session %s: %s cannot be read, %s%s\n  → %s\n", r.mark(false), safe(u.RunID), safe(u.SessionID),
			safe(u.CheckpointID), rule.Name, particulars(u.Fault.Expected, u.Fault.Found), rule.Hint)
	}
	fmt.Fprint(r.out, plural(len(page.Entries), "run"))
	if page.Next != "" {
		fmt.Fprintf(r.out, "; there are more: --page %s", page.Next)
	}
	fmt.Fprintln(r.out)
}
