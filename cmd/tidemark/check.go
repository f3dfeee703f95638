package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/check"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// runCheck reads recordings and prints what is wrong in them. What it prints and
// how it exits is all decided by package check; here is where bytes come from.
func runCheck(args []string, c console) int {
	command, problem := check.ParseArgs(args)
	switch {
	case problem != "":
		fmt.Fprint(c.err, check.Problem("check", problem))
		return check.ExitUsage
	case command.Help:
		fmt.Fprint(c.out, check.Usage)
		return check.ExitClean
	}
	command.Style.Colour, command.Style.Width = terminal(c.out)
	promise, why, ok := readProfile(command.Profile)
	if !ok {
		fmt.Fprint(c.err, check.Problem("check", check.ProfileProblem(command.Profile, why)))
		return check.ExitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := checkRun{command: command, console: c, profile: promise, stop: stop}
	for _, source := range command.Sources {
		run.total.Add(run.check(ctx, source))
		if ctx.Err() != nil {
			break
		}
	}
	c.out.Write(run.total.AppendText(nil, command.Style))
	return run.total.Exit(command.Style)
}

// readProfile finds a profile by name, else reads it from a file. why says what is
// wrong with the file, "" when there is none.
func readProfile(name string) (p *profile.Profile, why string, ok bool) {
	if name == "" {
		return nil, "", true
	}
	if p, ok = profile.Named(name); ok {
		return p, "", true
	}
	text, err := os.ReadFile(name)
	if err == nil {
		p, err = profile.Parse(text)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", false
	case err != nil:
		return nil, err.Error(), false
	}
	return p, "", true
}

// checkRun is one call of the command.
type checkRun struct {
	console
	command check.Command
	profile *profile.Profile
	total   check.Total
	stop    func() // hands Ctrl-C back, so that a second one ends the process
}

// check reads one source from end to end.
func (r *checkRun) check(ctx context.Context, source string) check.Verdict {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	name := displayName(source)
	in, why := r.open(ctx, source)
	if why != nil {
		return r.unreadable(name, why)
	}
	defer in.close()
	if r.command.Millis > 0 { // from here on, so that a slow answer is not cut short
		defer time.AfterFunc(time.Duration(r.command.Millis)*time.Millisecond, cancel).Stop()
	}
	options := check.Options{Name: name, Format: r.command.Format, Profile: r.profile}
	if options.Format == check.Auto {
		options.Format = in.format
	}
	report := check.NewReport(options, r.command.Style)
	stopped, err := r.read(ctx, in, report)
	text := report.Close(stopped || err != nil)
	if report.Fault() != nil && !r.command.Style.JSON {
		r.err.Write(text)
		return check.Unreadable
	}
	r.out.Write(text)
	if err != nil {
		return r.unreadable(name, causeOf(err))
	}
	return report.Verdict()
}

// read feeds a report until the source ends, or the reading is stopped.
func (r *checkRun) read(ctx context.Context, in *recording, report *check.Report) (stopped bool, err error) {
	show := newProgress(r.err, in)
	defer show.clear()
	release := context.AfterFunc(ctx, func() {
		r.stop()
		in.interrupt()
	})
	defer release()
	buffer := make([]byte, 1<<20)
	for ctx.Err() == nil {
		n, err := in.body.Read(buffer)
		if n > 0 {
			show.update()
			show.around(func() { r.out.Write(report.Write(buffer[:n])) }, r.command.Style.JSON)
		}
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			return false, nil
		case ctx.Err() != nil:
			return true, nil
		default:
			return false, err
		}
	}
	return true, nil
}

func (r *checkRun) unreadable(name string, t *trouble) check.Verdict {
	to := r.err
	if r.command.Style.JSON {
		to = r.out
	}
	to.Write(check.AppendTrouble(nil, name, t.cause, t.detail, r.command.Style))
	return check.Unreadable
}

func displayName(source string) string {
	if source == "-" {
		return "standard input"
	}
	return source
}
