// Command tidemark serves, checks and explains session streams, and lists and proves
// what their logs hold.
//
// Run "tidemark help" for the commands. Exit codes: 0 when all is well, 1 when
// a command found something wrong, 2 when it could not be run as asked.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/tidemark-stream/tidemark"
)

// Exit codes.
const (
	exitOK    = 0
	exitFound = 1 // the command did its work and found something wrong
	exitUsage = 2 // the command could not be run as asked
)

// console is what a command reads and writes, so that a test can stand in.
type console struct {
	in       io.Reader
	out, err io.Writer
}

// command is one line of the table: run gets the arguments behind the name and
// answers the exit code.
type command struct {
	name    string
	summary string // half a line for "tidemark help"
	run     func(args []string, c console) int
}

// commands are all there are, in the order in which help lists them.
func commands() []command {
	return []command{
		{"check", "find what is missing, doubled or out of order in a recording", runCheck},
		{"explain", "print a rule of the catalog, or list them", runExplain},
		{"gen", "write the generated files, or compare them (--check)", runGen},
		{"parks", "list the questions to humans that logs hold, and how they stand", runParks},
		{"runs", "list the runs that have checkpoints, page by page", runRuns},
		{"serve", "serve session logs over SSE, or the demo", runServe},
		{"vectors", "run vector and case files against the core", runVectors},
		{"verify", "compute the digest chain of a log, and prove checkpoints against it", runVerify},
		{"version", "print the version", runVersion},
	}
}

func main() {
	os.Exit(run(os.Args[1:], console{os.Stdin, os.Stdout, os.Stderr}))
}

func run(args []string, c console) int {
	if len(args) == 0 {
		help(c.err)
		return exitUsage
	}
	name := args[0]
	switch name {
	case "help", "-h", "--help", "-help":
		help(c.out)
		return exitOK
	case "--version", "-version":
		name = "version"
	}
	for _, cmd := range commands() {
		if cmd.name == name {
			return cmd.run(args[1:], c)
		}
	}
	unknown(name, c.err)
	return exitUsage
}

func help(w io.Writer) {
	fmt.Fprintf(w, "tidemark %s: session streams that refuse a splice\n\nusage: tidemark <command> [arguments]\n\n", tidemark.Version())
	for _, cmd := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", cmd.name, cmd.summary)
	}
	fmt.Fprintf(w, "  %-10s %s\n\nEach command explains itself with --help.\n", "help", "print this")
}

func unknown(name string, w io.Writer) {
	fmt.Fprintf(w, "tidemark: there is no command %q\n", name)
	for _, near := range suggestions(name) {
		fmt.Fprintf(w, "  did you mean: tidemark %s\n", near)
	}
	fmt.Fprintln(w, "  tidemark help lists all commands")
}

func runVersion(args []string, c console) int {
	if len(args) > 0 {
		fmt.Fprintln(c.err, "tidemark version takes no arguments")
		return exitUsage
	}
	fmt.Fprintln(c.out, tidemark.Version())
	return exitOK
}
