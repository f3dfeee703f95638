package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

const designPage = "docs/design.md"

var quoted = regexp.MustCompile("`([^`]+)`")

// checkDesign compares the table of docs/design.md with ours, row by row.
func checkDesign(root string) ([]Finding, error) {
	text, err := os.ReadFile(filepath.Join(root, designPage))
	if err != nil {
		return nil, err
	}
	return compareDesign(readDesign(string(text))), nil
}

// readDesign answers the last column of each table row by package, in the
// names of the page. Rows about folders that hold no Go are left out.
func readDesign(text string) map[string]string {
	rows := map[string]string{}
	for _, line := range strings.Split(text, "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if !strings.HasPrefix(line, "| `") || len(cells) != 3 {
			continue
		}
		for _, name := range quoted.FindAllStringSubmatch(cells[0], -1) {
			if !strings.HasSuffix(name[1], "/") {
				rows[name[1]] = strings.TrimSpace(cells[2])
			}
		}
	}
	return rows
}

func compareDesign(rows map[string]string) []Finding {
	const do = "make docs/design.md and internal/boundaries/table.go say the same"
	var found []Finding
	for _, p := range packages {
		told, ok := rows[p.path]
		delete(rows, p.path)
		if want := cell(p); !ok || told != want {
			found = append(found, Finding{designPage, "says " + quote(told) + " about " + p.path,
				"the checked table says " + quote(want), do})
		}
	}
	for path := range rows {
		found = append(found, Finding{designPage, "has a row for " + path, "the checked table has none", do})
	}
	return found
}

// cell is what the last column of a package's row has to say.
func cell(p pkg) string {
	if len(p.may) == 0 {
		return "–"
	}
	names := make([]string, len(p.may))
	for i, m := range p.may {
		names[i] = short(m)
	}
	return strings.Join(names, ", ")
}

func quote(s string) string { return "“" + s + "”" }
