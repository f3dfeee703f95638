// Command boundaries checks the architecture of this repository: who imports
// whom, what the lean module links, whether docs/design.md still says so, what
// may not be committed, and which protocol rules the tests name.
//
// `make boundaries` runs it from the repository's root and fails on any
// finding. The table it checks against is [packages]; nothing else decides.
//
// It reads source text and asks the go command and git; it changes nothing.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

const module = "github.com/tidemark-stream/tidemark"

// Finding is one thing that may not stay as it is.
type Finding struct {
	Where string // file, file:line or package
	What  string // what was found there
	Why   string // the rule it breaks
	Do    string // the way out
}

func (f Finding) String() string {
	return fmt.Sprintf("%s: %s\n\twhy: %s\n\tdo:  %s\n", f.Where, f.What, f.Why, f.Do)
}

// Check looks at the tree under root from one side. An error means that it
// could not look, not that it found something.
type check func(root string) ([]Finding, error)

var checks = []check{checkImports, checkClosure, checkDesign, checkTree, checkLinks, checkCitations}

func main() {
	pure := flag.Bool("pure", false, "list the pure packages that exist, for go test")
	uncited := flag.Bool("uncited", false, "list the protocol rules that no test names")
	flag.Parse()
	if err := run(*pure, *uncited); err != nil {
		fmt.Fprintln(os.Stderr, "boundaries:", err)
		os.Exit(1)
	}
}

func run(pure, uncited bool) error {
	root, err := findRoot()
	switch {
	case err != nil:
		return err
	case pure:
		return listPure(root)
	case uncited:
		return listUncited(root)
	}
	return checkAll(root)
}

func checkAll(root string) error {
	count := 0
	for _, c := range checks {
		found, err := c(root)
		if err != nil {
			return err
		}
		for _, f := range found {
			fmt.Print(f)
		}
		count += len(found)
	}
	if count > 0 {
		return fmt.Errorf("%d findings", count)
	}
	fmt.Println("boundaries: nothing found")
	return nil
}

// findRoot is the folder of go.mod, wherever in the repository we were started.
func findRoot() (string, error) {
	out, err := output("", nil, "go", "list", "-m", "-f", "{{.Dir}}")
	return strings.TrimSpace(out), err
}

// output runs a command in dir and answers its standard output; what it said on
// standard error is part of the error.
func output(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, said.String())
	}
	return string(out), nil
}
