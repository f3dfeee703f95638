package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// imported is one import line of one file that is no test.
type imported struct {
	from string // package, below the module
	at   string // file:line
	name string // import path
}

// goFolders are where our Go stands, besides the root itself; web/node_modules
// has Go of others.
var goFolders = []string{"cmd", "internal", "pkg", "scripts", "wasm"}

// checkImports holds every import of every file against the table, build tags
// or not. Test files may import what they like.
func checkImports(root string) ([]Finding, error) {
	all, seen, err := readImports(root)
	if err != nil {
		return nil, err
	}
	found := checkRows(seen)
	for _, i := range all {
		if f, bad := judge(i); bad {
			found = append(found, f)
		}
	}
	return found, nil
}

// checkRows compares the packages of the table with those of the tree.
func checkRows(seen []string) []Finding {
	var found []Finding
	for _, s := range seen {
		if _, ok := lookup(s); !ok {
			found = append(found, Finding{s, "a package without a row",
				"every package has its place in the house",
				"add it to internal/boundaries/table.go and to docs/design.md"})
		}
	}
	for _, p := range packages {
		if !slices.ContainsFunc(seen, func(s string) bool { return rowOf(s) == p.path }) {
			found = append(found, Finding{"internal/boundaries/table.go", "a row for " + p.path + ", which has no Go files",
				"the table describes what is there", "remove the row, here and in docs/design.md"})
		}
	}
	return found
}

func rowOf(name string) string {
	p, _ := lookup(name)
	return p.path
}

// judge answers the finding about one import, if it is one.
func judge(i imported) (Finding, bool) {
	p, ok := lookup(i.from)
	if !ok {
		return Finding{}, false // reported once, by checkRows
	}
	if to, ours := below(i.name); ours {
		row, known := lookup(to)
		return Finding{i.at, fmt.Sprintf("%s imports %s", i.from, to),
			"docs/design.md does not put it below: " + mayImport(p),
			"move the code to the side that may know both, or argue for a change of the table"}, known && !allowed(p, row)
	}
	if strings.Contains(strings.SplitN(i.name, "/", 2)[0], ".") && !slices.Contains(foreign[p.path], i.name) {
		return Finding{i.at, fmt.Sprintf("%s imports %s", i.from, i.name),
			"what we ship depends on the standard library only",
			"write the few lines that are needed, or use it in tests"}, p.kind != testkit
	}
	o, bad := forbids(p.kind, i.name)
	return Finding{i.at, fmt.Sprintf("%s imports %s", i.from, i.name), o.why, o.do}, bad
}

// below is the package of ours that an import path names.
func below(name string) (string, bool) {
	if name == module {
		return rootPackage, true
	}
	return strings.CutPrefix(name, module+"/")
}

func mayImport(p pkg) string {
	if len(p.may) == 0 {
		return "it may import nothing of ours"
	}
	return "it may import " + strings.Join(p.may, ", ") + " and what those may import"
}

// readImports answers all imports, and the packages that have Go files.
func readImports(root string) (all []imported, seen []string, err error) {
	files, err := sources(root)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range files {
		from := filepath.ToSlash(mustRel(root, filepath.Dir(path)))
		if !slices.Contains(seen, from) {
			seen = append(seen, from)
		}
		got, err := fileImports(root, from, path)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, got...)
	}
	return all, seen, nil
}

// sources are our Go files but the tests, whatever they are built for.
func sources(root string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(root, "*.go"))
	for _, folder := range goFolders {
		if err != nil {
			return nil, err
		}
		err = filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") {
				files = append(files, path)
			}
			if os.IsNotExist(err) {
				return nil
			}
			return err
		})
	}
	return slices.DeleteFunc(files, notSource), err
}

func notSource(path string) bool {
	return strings.HasSuffix(path, "_test.go") || strings.Contains(filepath.ToSlash(path), "/testdata/")
}

func fileImports(root, from, path string) ([]imported, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var got []imported
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		at := fmt.Sprintf("%s:%d", filepath.ToSlash(mustRel(root, path)), set.Position(spec.Pos()).Line)
		got = append(got, imported{from, at, name})
	}
	return got, nil
}

// mustRel is the path below root; every path here was made from root.
func mustRel(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		panic(err)
	}
	return rel
}

// listPure prints the packages whose tests also run as wasm, one a line.
func listPure(root string) error {
	_, seen, err := readImports(root)
	if err != nil {
		return err
	}
	for _, name := range seen {
		if p, ok := lookup(name); ok && p.kind >= pure && !slices.Contains(commands, name) {
			fmt.Println("./" + name)
		}
	}
	return nil
}

// commands are the main packages among the pure ones: exports only, no tests.
var commands = []string{leanModule, "wasm/calls", "wasm/check", "scripts/empty"}
