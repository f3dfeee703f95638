package main

import (
	"errors"
	"flag"
	"fmt"

	"github.com/tidemark-stream/tidemark/internal/gen"
)

// runGen writes what is generated, or says what is not as it should be.
func runGen(args []string, c console) int {
	flags := flag.NewFlagSet("tidemark gen", flag.ContinueOnError)
	flags.SetOutput(c.err)
	check := flags.Bool("check", false, "write nothing; exit with 1 when a file is not as it should be")
	dir := flags.String("root", ".", "a folder inside the repository")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return exitOK
		}
		return exitUsage
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(c.err, "tidemark gen: takes no arguments besides flags, got %q\n", flags.Arg(0))
		return exitUsage
	}
	root, err := gen.Root(*dir)
	if err == nil && *check {
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
