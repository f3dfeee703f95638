package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// leanModule is what a page has to fetch.
const leanModule = "wasm/lean"

// linked are the packages that no part of the lean module may bring in, not
// even the standard library on its own account. reflect is not among them: it
// comes with encoding/binary, and what of it is not called is not linked.
var linked = []string{
	"fmt", "encoding/json", "encoding/hex", "time", "os", "crypto", "regexp", "net", "context", "log", "syscall",
}

// checkClosure holds everything the lean module links against the lists: what
// is far below an innocent import costs as much as what stands in our files.
func checkClosure(root string) ([]Finding, error) {
	if files, err := filepath.Glob(filepath.Join(root, leanModule, "*.go")); err != nil || len(files) == 0 {
		return nil, err // a row without a package, which checkRows reports
	}
	out, err := output(root, []string{"GOOS=js", "GOARCH=wasm"}, "go", "list", "-deps", "./"+leanModule)
	if err != nil {
		return nil, err
	}
	return judgeClosure(strings.Fields(out), func(dep string) string { return reason(root, dep) }), nil
}

// judgeClosure answers the findings among the dependencies; why explains one.
func judgeClosure(deps []string, why func(string) string) []Finding {
	var found []Finding
	for _, dep := range deps {
		if ours, ok := strings.CutPrefix(dep, module+"/"); ok {
			found = append(found, judgeOurs(ours)...)
			continue
		}
		if slices.ContainsFunc(linked, func(name string) bool { return covers(name, dep) }) {
			found = append(found, Finding{leanModule, "links " + dep + why(dep),
				"it costs every page 60 to 270 KB", "find the import that brings it in and do without"})
		}
	}
	return found
}

func judgeOurs(ours string) []Finding {
	if p, ok := lookup(ours); ok && p.kind < lean {
		return []Finding{{leanModule, "links " + ours, "that package is not kept small enough for pages",
			"keep the lean module off it, or make the package lean in internal/boundaries/table.go and in fact"}}
	}
	return nil
}

// reason names the packages of the closure that import dep directly.
func reason(root, dep string) string {
	format := `{{$p := .ImportPath}}{{range .Imports}}{{if eq . "` + dep + `"}}{{$p}} {{end}}{{end}}`
	out, err := output(root, []string{"GOOS=js", "GOARCH=wasm"}, "go", "list", "-deps", "-f", format, "./"+leanModule)
	if err != nil || strings.TrimSpace(out) == "" {
		return ""
	}
	return ", imported by " + strings.Join(strings.Fields(out), " and ")
}
