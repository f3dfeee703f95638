package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const protocolPage = "docs/protocol.md"

var (
	defined  = regexp.MustCompile(`(?m)^- \*\*(R-\d+)\*\*`)
	cited    = regexp.MustCompile(`\bR-\d+\b`)
	citedIn  = []string{".go", ".ts", ".mjs", ".js", ".json", ".txt"}
	testFile = regexp.MustCompile(`_test\.go$|\.test\.(ts|mjs|js)$|/testdata/|/test/|/logtest/`)
)

// citations are the rules by number, and for each rule a source file names the
// first one that does.
type citations struct {
	rules  []string
	source map[string]string // in any source
	test   map[string]string // in a test
}

// checkCitations finds rule numbers in the sources that the protocol does not
// have, and numbers that it gives twice.
func checkCitations(root string) ([]Finding, error) {
	c, err := readCitations(root)
	if err != nil {
		return nil, err
	}
	var found []Finding
	for i, rule := range c.rules {
		if slices.Index(c.rules, rule) < i {
			found = append(found, Finding{protocolPage, rule + " stands twice", "one number is one statement", "give the newer one a free number"})
		}
	}
	for rule, file := range c.source {
		if !slices.Contains(c.rules, rule) {
			found = append(found, Finding{file, "names " + rule, "docs/protocol.md has no such rule in force", "name the rule that is meant, or write it"})
		}
	}
	slices.SortFunc(found, func(a, b Finding) int { return strings.Compare(a.What, b.What) })
	return found, nil
}

// listUncited prints the rules that no test names. It is a list of work, not a
// finding: some rules are kept by what cannot be written down as one test.
func listUncited(root string) error {
	c, err := readCitations(root)
	if err != nil {
		return err
	}
	count := 0
	for _, rule := range c.rules {
		if _, ok := c.test[rule]; !ok {
			fmt.Println(rule)
			count++
		}
	}
	fmt.Printf("%d of %d rules are named by no test\n", count, len(c.rules))
	return nil
}

func readCitations(root string) (citations, error) {
	c := citations{source: map[string]string{}, test: map[string]string{}}
	page, err := os.ReadFile(filepath.Join(root, protocolPage))
	if err != nil {
		return c, err
	}
	for _, m := range defined.FindAllSubmatch(page, -1) {
		c.rules = append(c.rules, string(m[1]))
	}
	for _, folder := range append([]string{"web", "testdata"}, goFolders...) {
		if err := c.readFolder(root, folder); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c citations) readFolder(root, folder string) error {
	top := filepath.Join(root, folder)
	if _, err := os.Stat(top); err != nil {
		return nil //nolint:nilerr // a folder that is not there names no rule
	}
	return filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(mustRel(root, path))
		if d.IsDir() {
			if d.Name() == "node_modules" || d.Name() == "dist" || name == "internal/boundaries" {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains(citedIn, filepath.Ext(name)) {
			return nil
		}
		return c.readFile(path, name)
	})
}

func (c citations) readFile(path, name string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, rule := range cited.FindAllString(string(text), -1) {
		note(c.source, rule, name)
		if testFile.MatchString("/" + name) {
			note(c.test, rule, name)
		}
	}
	return nil
}

func note(first map[string]string, rule, name string) {
	if _, ok := first[rule]; !ok {
		first[rule] = name
	}
}
