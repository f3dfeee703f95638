package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-stream/tidemark/internal/datetime"
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/check"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/logfold"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// logCommand is one call of a command that folds logs: parks, runs and verify.
type logCommand struct {
	checkRun // opens sources, and shows how far a long one is
	name     string
	json     bool
	colour   bool
	worst    int // exit code so far
}

// begin reads flags, which may stand anywhere among the arguments. done: there is
// nothing more to do but to exit with the code.
func begin(name, help string, args []string, c console, declare func(*flag.FlagSet)) (l *logCommand, rest []string, code int, done bool) {
	l = &logCommand{checkRun: checkRun{console: c, stop: func() {}}, name: name}
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&l.json, "json", false, "")
	declare(flags)
	rest, err := parseAnywhere(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(c.out, help)
		return l, nil, exitOK, true
	case err != nil:
		return l, nil, l.misused(mend(flags, err)), true
	}
	l.colour, _ = terminal(c.out)
	return l, rest, exitOK, false
}

func parseAnywhere(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for len(args) > 0 {
		if err = flags.Parse(args); err != nil {
			return nil, err
		}
		left := flags.Args()
		if end := len(args) - len(left); len(left) == 0 || end > 0 && args[end-1] == "--" {
			return append(rest, left...), nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
	return rest, nil
}

// flagWords put what package flag says into the words of the help.
var flagWords = strings.NewReplacer("for flag -", "for --", "flag needs an argument: -", "nothing stands behind --",
	"parse error", "not a number it takes", "value out of range", "not a number it takes")

// mend names the flag that a mistyped one may stand for.
func mend(flags *flag.FlagSet, err error) string {
	typed, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return flagWords.Replace(err.Error())
	}
	text := "there is no flag --" + strings.TrimPrefix(typed, "-")
	flags.VisitAll(func(f *flag.Flag) {
		if sameLetters(typed, f.Name) || distance(typed, f.Name) <= slips(f.Name) {
			text += "; did you mean --" + f.Name + "?"
		}
	})
	return text
}

// misused says what is wrong with the call.
func (l *logCommand) misused(problem string) int {
	fmt.Fprint(l.err, check.Problem(l.name, problem))
	return exitUsage
}

// ends keeps the worst exit code.
func (l *logCommand) ends(code int) { l.worst = max(l.worst, code) }

// interruptible is a context that Ctrl-C ends.
func (l *logCommand) interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	l.stop = stop
	return ctx, stop
}

// logSuffixes are the endings of logs in a folder.
var logSuffixes = []string{".jsonl", ".jsonl.gz"}

func isLog(name string) bool {
	return name[0] != '.' && slices.ContainsFunc(logSuffixes, func(s string) bool { return strings.HasSuffix(name, s) })
}

// logsIn are the logs of a folder, none for a path that is no folder.
func logsIn(path string) (logs []string) {
	entries, _ := os.ReadDir(path)
	for _, e := range entries {
		if !e.IsDir() && isLog(e.Name()) {
			logs = append(logs, filepath.Join(path, e.Name()))
		}
	}
	return logs
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// sources are the logs that arguments name, folders replaced by what is in them.
func (l *logCommand) sources(args []string) (logs []string, problem string) {
	for _, arg := range args {
		switch inside := logsIn(arg); {
		case len(inside) > 0:
			logs = append(logs, inside...)
		case isFolder(arg):
			return nil, arg + " has no logs in it: files <session>.jsonl"
		default:
			logs = append(logs, arg)
		}
	}
	if len(logs) == 0 {
		return nil, "needs a log, a folder of logs, a URL of records, or - for standard input"
	}
	return logs, ""
}

// fold folds one log. nil: it could not be read to its end, and that was said.
func (l *logCommand) fold(ctx context.Context, source string, o logfold.Options) *logfold.Fold {
	f := logfold.New(o)
	in, why := l.open(ctx, source)
	if why == nil {
		defer in.close()
		why = l.feed(ctx, in, f)
	}
	if why != nil {
		l.unreadableLog(displayName(source), why)
		return nil
	}
	f.End()
	return f
}

func (l *logCommand) feed(ctx context.Context, in *recording, f *logfold.Fold) *trouble {
	show := newProgress(l.err, in)
	defer show.clear()
	defer context.AfterFunc(ctx, func() {
		l.stop()
		in.interrupt()
	})()
	for buffer := make([]byte, 1<<20); ; show.update() {
		n, err := in.body.Read(buffer)
		f.Write(buffer[:n])
		switch {
		case ctx.Err() != nil:
			return &trouble{check.CauseOther, "it was broken off"}
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return causeOf(err)
		}
	}
}

func (l *logCommand) unreadableLog(name string, why *trouble) {
	l.command.Style.JSON = l.json
	l.unreadable(name, why)
	l.ends(exitUsage)
}

// shown is how many findings of a log are named.
const shown = 3

// findings says what is wrong with a log, since what was folded of it may then be
// wrong too. It answers how many there are.
func (l *logCommand) findings(source string, f *logfold.Fold) int64 {
	first, total := f.Findings()
	if total == 0 {
		return 0
	}
	l.ends(exitFound)
	name := displayName(source)
	for i := range first {
		if n := &first[i]; l.json {
			l.printFinding(name, n)
		} else if i < shown {
			fmt.Fprintf(l.out, "%s %s line %d: %s%s\n", l.mark(false), safe(name), n.Line, fault.RuleOf(n.Rule).Message, particulars(n.Expected, n.Found))
		}
	}
	if !l.json {
		fmt.Fprintf(l.out, "  → %d in all; tidemark check%s explains them. What follows is as far as the log can be read.\n", total, strings.TrimSuffix(" "+safe(source), " -"))
	}
	return total
}

func (l *logCommand) printFinding(name string, n *logfold.Finding) {
	w := rawjson.Begin(nil)
	w.Text("log", name)
	w.Text("rule", n.Rule.String())
	w.Int("line", n.Line)
	w.Int("offset", n.Offset)
	if n.Seq > 0 {
		w.Int("seq", int64(n.Seq))
	}
	w.Known("expected", n.Expected)
	w.Known("found", n.Found)
	l.line(w.End())
}

func particulars(expected, found string) string {
	var parts []string
	for _, p := range []struct{ label, text string }{{"expected ", expected}, {"found ", found}} {
		if p.text != "" {
			parts = append(parts, p.label+safe(p.text))
		}
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func (l *logCommand) line(text []byte) { l.out.Write(append(text, '\n')) }

// mark is a tick or a cross.
func (l *logCommand) mark(good bool) string {
	text, colour := "✗", "\x1b[31m"
	if good {
		text, colour = "✓", "\x1b[32m"
	}
	if l.colour {
		return colour + text + "\x1b[0m"
	}
	return text
}

// safe is text from a log as a terminal may see it.
func safe(text string) string {
	if quoted := strconv.QuoteToGraphic(text); quoted[1:len(quoted)-1] != text {
		return quoted
	}
	return text
}

func timeText(ms int64) string { return string(datetime.Append(nil, ms)) }

// clock is a flag with a time: date-time text, or ms since 1970.
type clock struct{ ms int64 }

func (c *clock) declare(flags *flag.FlagSet) {
	c.ms = time.Now().UnixMilli()
	flags.Func("now", "", func(text string) (err error) {
		ms, ok := datetime.Parse([]byte(text))
		if !ok {
			if ms, err = strconv.ParseInt(text, 10, 64); err != nil {
				return errors.New("as in 2026-01-01T00:00:00Z, or milliseconds since 1970")
			}
		}
		c.ms = ms
		return nil
	})
}

// parkStates is a flag with states of a park, which may be repeated. nil: all; empty: none.
type parkStates []park.State

func (s *parkStates) declare(flags *flag.FlagSet) {
	flags.Func("park", "", func(text string) error {
		states, err := listing.StatesIn(text)
		if err != nil {
			return errors.New("states are outstanding, expired and resolved")
		}
		*s = append(append(parkStates{}, *s...), states...)
		return nil
	})
}

func (s parkStates) has(state park.State) bool { return s == nil || slices.Contains(s, state) }

// plural is a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
