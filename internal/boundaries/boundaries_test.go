package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestJudgeImport(t *testing.T) {
	tests := map[string]struct {
		from, name string
		why        string // part of the reason; "" when the import is fine
	}{
		"a package directly below":            {"pkg/cursor", module + "/pkg/profile", ""},
		"a package further below":             {"pkg/link", module + "/pkg/fault", ""},
		"a package of the same row":           {"pkg/sessionlog/memory", module + "/pkg/sessionlog", ""},
		"anything, from the command":          {"cmd/tidemark", module + "/pkg/serve", ""},
		"a small standard package":            {"pkg/events", "strconv", ""},
		"fmt, where only purity is asked":     {"pkg/check", "fmt", ""},
		"the clock, in a driver":              {"pkg/serve", "time", ""},
		"a package above":                     {"pkg/events", module + "/pkg/cursor", "does not put it below"},
		"a package beside":                    {"pkg/sse", module + "/pkg/events", "does not put it below"},
		"a bigger row inside a smaller one":   {"pkg/events", module + "/pkg/events/typed", "does not put it below"},
		"a test kit, from the command":        {"cmd/tidemark", module + "/pkg/sessionlog/logtest", "does not put it below"},
		"a test kit, from its own folder":     {"pkg/sessionlog/disk", module + "/pkg/sessionlog/logtest", "does not put it below"},
		"the root, from a package":            {"pkg/link", module, "does not put it below"},
		"somebody else's, in a test kit":      {"pkg/sessionlog/logtest", "example.com/x", ""},
		"the root, from the command":          {"cmd/tidemark", module, ""},
		"the clock, in a pure package":        {"pkg/check", "time", "no clock"},
		"the clock, in a lean package":        {"pkg/link", "time", "no clock"},
		"a package inside a forbidden one":    {"pkg/replay", "net/http", "no I/O"},
		"fmt, in a lean package":              {"pkg/cursor", "fmt", "60 to 270 KB"},
		"crypto, in a lean package":           {"wasm/abi", "crypto/sha256", "60 to 270 KB"},
		"vert, in the full module":            {"wasm/full", "github.com/norunners/vert", ""},
		"vert, in what is behind it":          {"wasm/full/seam", "github.com/norunners/vert", "standard library only"},
		"vert, in the lean module":            {"wasm/lean", "github.com/norunners/vert", "standard library only"},
		"somebody else's module, in a driver": {"pkg/serve", "example.com/x", "standard library only"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f, bad := judge(imported{test.from, "x.go:1", test.name})
			if bad != (test.why != "") {
				t.Fatalf("finding: %v, want %v (%v)", bad, test.why != "", f)
			}
			if bad && !strings.Contains(f.Why, test.why) {
				t.Errorf("why is %q, want it to say %q", f.Why, test.why)
			}
		})
	}
}

func TestCoversWholeNames(t *testing.T) {
	for imported, want := range map[string]bool{"net": true, "net/url": true, "netip": false, "internal/net": false} {
		if got := covers("net", imported); got != want {
			t.Errorf("net covers %s: %v", imported, got)
		}
	}
}

func TestTableIsSound(t *testing.T) {
	for _, p := range packages {
		for _, name := range p.may {
			below, ok := lookup(name)
			if name == everything {
				continue
			}
			if !ok || below.path != name {
				t.Errorf("%s may import %s, which has no row", p.path, name)
			}
			if below.kind < p.kind {
				t.Errorf("%s may import %s, which promises less", p.path, name)
			}
			if allowed(below, p) {
				t.Errorf("%s and %s may import each other", p.path, name)
			}
		}
	}
}

func TestReadImportsSeesAllTagsAndNoTests(t *testing.T) {
	root := tree(t, map[string]string{
		"pkg/fault/a.go":               "package fault\n\nimport \"strconv\"\n\nvar _ = strconv.Itoa\n",
		"pkg/fault/b_js.go":            "//go:build js\n\npackage fault\n\nimport (\n\t\"os\"\n)\n\nvar _ = os.Args\n",
		"pkg/fault/a_test.go":          "package fault\n\nimport \"time\"\n\nvar _ = time.Now\n",
		"pkg/fault/testdata/x/x.go":    "package x\n\nimport \"net\"\n",
		"web/node_modules/golang/z.go": "package z\n\nimport \"net\"\n",
		"r.go":                         "package r\n\nimport \"embed\"\n",
	})
	all, seen, err := readImports(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []imported{{".", "r.go:3", "embed"}, {"pkg/fault", "pkg/fault/a.go:3", "strconv"}, {"pkg/fault", "pkg/fault/b_js.go:6", "os"}}
	if !slices.Equal(all, want) || !slices.Equal(seen, []string{".", "pkg/fault"}) {
		t.Errorf("got %v in %v, want %v", all, seen, want)
	}
}

func TestRowsAndPackagesMatch(t *testing.T) {
	seen := []string{"pkg/sessionlog/memory", "pkg/unheard"}
	found := checkRows(seen)
	if !mentions(found, "pkg/unheard") {
		t.Error("a package without a row is not found")
	}
	if !mentions(found, "a row for pkg/fault") {
		t.Error("a row without a package is not found")
	}
	if mentions(found, "sessionlog/memory") {
		t.Error("a package inside a row's folder is taken for one without a row")
	}
}

func TestJudgeClosure(t *testing.T) {
	deps := []string{"runtime", "internal/strconv", "internal/syscall/x", module + "/pkg/fault", module + "/pkg/serve", "time"}
	found := judgeClosure(deps, func(dep string) string { return ", imported by x" })
	if len(found) != 2 || !mentions(found, "pkg/serve") || !mentions(found, "links time, imported by x") {
		t.Errorf("got %v", found)
	}
}

func TestCompareDesign(t *testing.T) {
	page := "| package | x | may import |\n|---|---|---|\n| `web/` | page | – |\n"
	for _, p := range packages {
		page += "| `" + p.path + "` | words | " + cell(p) + " |\n"
	}
	if found := compareDesign(readDesign(page)); len(found) != 0 {
		t.Errorf("the same table differs: %v", found)
	}
	other := strings.Replace(page, "| replay, sse |", "| replay |", 1) + "| `pkg/ghost` | words | – |\n"
	found := compareDesign(readDesign(other))
	if len(found) != 2 || !mentions(found, "“replay” about pkg/link") || !mentions(found, "pkg/ghost") {
		t.Errorf("got %v", found)
	}
}

func TestJudgeFile(t *testing.T) {
	home := "/" + "home/ada/x"
	tests := map[string]struct {
		name, data string
		what       string // part of the finding; "" when the file is fine
	}{
		"text":                        {"a.go", "package a\n", ""},
		"a picture":                   {"docs/demo.png", "\x89PNG\x00\x00", ""},
		"an address":                  {"a.md", "https://example.com/home/ada", ""},
		"a route":                     {"a.go", `"/v1/sessions/a/log"`, ""},
		"a binary":                    {"tidemark", "\x7fELF\x00\x01", "no text"},
		"a large file":                {"a.json", strings.Repeat("x", maxFile+1), "bytes"},
		"a home folder":               {"a.md", "see " + home, "one machine"},
		"a home folder at the start":  {"a.md", home, "one machine"},
		"a home folder in quotes":     {"a.json", `{"p":"` + home + `"}`, "one machine"},
		"a registry in a lock file":   {"web/package-lock.json", `"resolved": "https://r.example/x.tgz"`, "registry"},
		"such a word in another file": {"a.md", `"resolved": "https://r.example/x.tgz"`, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			found := judgeFile(test.name, []byte(test.data))
			if test.what == "" && len(found) != 0 {
				t.Fatalf("found %v", found)
			}
			if test.what != "" && !mentions(found, test.what) {
				t.Fatalf("found %v, want one about %q", found, test.what)
			}
		})
	}
}

func TestCitations(t *testing.T) {
	root := tree(t, map[string]string{
		"docs/protocol.md":            "- **R-01** One.\n- **R-02** Two.\n- **R-02** Two again.\n| R-300 – R-319 | later |\n",
		"pkg/a/a.go":                  "// R-01 and R-77\npackage a\n",
		"pkg/a/a_test.go":             "package a // R-02\n",
		"web/node_modules/x/index.js": "// R-88\n",
	})
	found, err := checkCitations(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 2 || !mentions(found, "R-02 stands twice") || !mentions(found, "names R-77") {
		t.Errorf("found %v", found)
	}
	c, err := readCitations(root)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := c.test["R-01"]; ok || c.test["R-02"] != "pkg/a/a_test.go" {
		t.Errorf("named by tests: %v", c.test)
	}
}

func mentions(found []Finding, part string) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return strings.Contains(f.String(), part) })
}

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
