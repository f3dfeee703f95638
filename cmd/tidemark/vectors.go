package main

import (
	"errors"
	"flag"
	"fmt"

	"github.com/tidemark-stream/tidemark/internal/vectors"
)

const vectorsHelp = `usage: tidemark vectors PATH…

Runs vector and case files (docs/vectors.md) against the core, natively. A PATH
is a file, or a folder that is searched for .json files. Each vector that fails
is printed with what was expected and what came out; the last line counts:

  N passed, N failed, N skipped

Skipped are the kinds that are not built yet; they were not run. A key that no
kind knows, a file that holds no vectors and a folder without files are failures.

examples:
  tidemark vectors testdata
  tidemark vectors testdata/vectors/replay.json testdata/cases

exit codes: 0 all passed or were skipped, 1 something failed, 2 wrong usage
`

// runVectors runs vector files and reports on them.
func runVectors(args []string, c console) int {
	flags := flag.NewFlagSet("tidemark vectors", flag.ContinueOnError)
	flags.SetOutput(c.err)
	flags.Usage = func() {}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(c.out, vectorsHelp)
			return exitOK
		}
		return exitUsage
	}
	if flags.NArg() == 0 {
		fmt.Fprint(c.err, vectorsHelp)
		return exitUsage
	}
	counts := vectors.Run(c.out, flags.Args()...)
	fmt.Fprintln(c.out, counts)
	if counts.Failed > 0 {
		return exitFound
	}
	return exitOK
}
