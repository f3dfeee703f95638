package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/tidemark-stream/tidemark/internal/gen"
	"github.com/tidemark-stream/tidemark/pkg/check"
)

const genHelp = `usage: tidemark gen [--check] [--root DIR]

Writes what is made from the Go tables of a clone: TypeScript types, schema, catalog,
docs/events.md and docs/faults.md. It names the files that it changed.

  --check     write nothing, and name the files that are not as they should be
  --root DIR  a folder inside the clone (the current one)

exit codes: 0 all is as it should be, 1 --check found a file that is not, 2 wrong
usage, or the files could not be made
`

// runGen writes what is generated, or says what is not as it should be.
func runGen(args []string, c console) int {
	flags := flag.NewFlagSet("tidemark gen", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	compare := flags.Bool("check", false, "")
	dir := flags.String("root", ".", "")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(c.out, genHelp)
		return exitOK
	case err != nil:
		return genMisused(mend(flags, err), c)
	case flags.NArg() > 0:
		return genMisused(fmt.Sprintf("takes no arguments besides flags, got %q", flags.Arg(0)), c)
	}
	root, err := gen.Root(*dir)
	if err == nil && *compare {
		return report(root, c)
	}
	if err == nil {
		err = write(root, c)
	}
	if err != nil {
		fmt.Fprintln(c.err, "tidemark gen:", err)
		return exitUsage
	}
	return exitOK
}

func genMisused(problem string, c console) int {
	fmt.Fprint(c.err, check.Problem("gen", problem))
	return exitUsage
}

func write(root string, c console) error {
	files, err := gen.Files(root)
	if err != nil {
		return err
	}
	changed, err := gen.Write(root, files)
	for _, path := range changed {
		fmt.Fprintln(c.out, "wrote", path)
	}
	if err == nil {
		fmt.Fprintf(c.out, "%d generated files, %d changed\n", len(files), len(changed))
	}
	return err
}

func report(root string, c console) int {
	files, err := gen.Files(root)
	if err != nil {
		fmt.Fprintln(c.err, "tidemark gen:", err)
		return exitUsage
	}
	drifted, err := gen.Drift(root, files)
	if err != nil {
		fmt.Fprintln(c.err, "tidemark gen:", err)
		return exitUsage
	}
	for _, d := range drifted {
		fmt.Fprintln(c.out, d)
	}
	if len(drifted) > 0 {
		fmt.Fprintf(c.out, "%d of %d generated files have drifted: run make gen, or mend the source\n", len(drifted), len(files))
		return exitFound
	}
	fmt.Fprintf(c.out, "%d generated files are as they should be\n", len(files))
	return exitOK
}
