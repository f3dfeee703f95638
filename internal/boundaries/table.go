package main

import (
	"path"
	"slices"
	"strings"
)

// kind is how far from the outside world a package stays.
type kind uint8

const (
	testkit kind = iota // for tests of others: may use what tests use, and only they import it
	driver              // may use the whole standard library
	pure                // decides: no I/O, no clock, no randomness
	lean                // pure, and small enough to be linked into the lean module
)

// pkg is one row of the house: a package with the packages inside its folder
// that have no row of their own, and the packages directly below it. It may
// import those and whatever they may import.
type pkg struct {
	path string // below the module
	kind kind
	may  []string
}

// rootPackage is the one that stands in the root of the module.
const rootPackage = "."

// everything, as the only entry of a row, allows all packages of the module.
const everything = "everything"

// packages is the house. docs/design.md shows the same table to people, and
// [checkDesign] compares the two.
var packages = []pkg{
	{"internal/rawjson", lean, nil},
	{"internal/datetime", lean, nil},
	{"internal/codeunit", lean, nil},
	{"pkg/fault", lean, []string{"internal/rawjson"}},
	{"pkg/events", lean, []string{"pkg/fault", "internal/rawjson"}},
	{"pkg/events/catalog", pure, []string{"pkg/events"}},
	{"pkg/events/typed", pure, []string{"pkg/events"}},
	{"pkg/profile", lean, []string{"pkg/events", "pkg/fault", "internal/rawjson"}},
	{"pkg/sse", lean, []string{"pkg/fault"}},
	{"pkg/cursor", lean, []string{"pkg/profile", "pkg/events", "pkg/fault"}},
	{"pkg/replay", lean, []string{"pkg/cursor"}},
	{"pkg/link", lean, []string{"pkg/replay", "pkg/sse"}},
	{"pkg/ask", lean, []string{"pkg/cursor"}},
	{"pkg/wire", lean, []string{"pkg/replay", "pkg/sse"}},
	{"pkg/relay", lean, []string{"pkg/ask", "pkg/link", "pkg/wire"}},
	{"internal/relayhost", pure, []string{"pkg/relay"}},
	{"pkg/park", lean, []string{"pkg/events", "internal/datetime"}},
	{"internal/sha256", pure, nil},
	{"pkg/checkpoint", pure, []string{"pkg/events", "internal/datetime", "internal/codeunit", "internal/sha256"}},
	{"pkg/durable", driver, []string{"internal/wholefile", "pkg/sessionlog", "pkg/checkpoint", "pkg/listing", "pkg/decision", "pkg/park"}},
	{"pkg/durable/storetest", testkit, []string{"pkg/durable"}},
	{"pkg/listing", pure, []string{"pkg/park", "internal/codeunit"}},
	{"internal/canonical", pure, []string{"internal/codeunit", "pkg/fault"}},
	{"pkg/decision", pure, []string{"pkg/park", "internal/canonical"}},
	{"pkg/logfold", pure, []string{"pkg/checkpoint", "pkg/decision", "pkg/park"}},
	{"pkg/guardrail", driver, []string{"pkg/fault"}},
	{"pkg/client", driver, []string{"pkg/link"}},
	{"pkg/check", pure, []string{"pkg/sse", "pkg/cursor", "pkg/profile", "pkg/events", "pkg/fault"}},
	{"pkg/sessionlog", driver, []string{"internal/wholefile", "pkg/events", "pkg/cursor", "pkg/replay"}},
	{"pkg/sessionlog/logtest", testkit, []string{"pkg/sessionlog"}},
	{"pkg/serve", driver, []string{"pkg/sessionlog", "pkg/ask", "pkg/wire", "pkg/durable"}},
	{"pkg/edge", driver, []string{"pkg/relay"}},
	{"wasm/abi", lean, []string{"pkg/relay", "pkg/park"}},
	{"wasm/lean", lean, []string{"wasm/abi"}},
	{"wasm/calls", lean, []string{"wasm/abi"}},
	{"wasm/relay", lean, []string{"wasm/abi"}},
	{"wasm/edge", driver, []string{"pkg/edge"}},
	{"wasm/check", pure, []string{"wasm/check/seam"}},
	{"wasm/check/seam", pure, []string{"wasm/abi", "pkg/check"}},
	{"wasm/full", driver, []string{"wasm/full/seam"}},
	{"wasm/full/seam", pure, []string{"wasm/abi", "pkg/logfold", "pkg/listing"}},
	{"cmd/tidemark", driver, []string{everything}},
	{rootPackage, driver, nil},
	{"internal/gen", driver, []string{"pkg/events/catalog", "wasm/abi", "wasm/full/seam", "wasm/check/seam"}},
	{"internal/vectors", driver, []string{"wasm/abi", "pkg/durable", "internal/relayhost"}},
	{"internal/demo", driver, []string{"pkg/serve", "pkg/events/typed"}},
	{"internal/sim", driver, []string{"pkg/link"}},
	{"internal/flaky", testkit, []string{"pkg/replay", "pkg/sse"}},
	{"internal/wasmstrip", driver, nil},
	{"internal/wholefile", driver, nil},
	{"internal/boundaries", driver, nil},
	{"scripts/empty", lean, nil},
}

// foreign is what packages may import that is neither ours nor the standard
// library's, by the row of the package.
var foreign = map[string][]string{
	"wasm/full": {"github.com/norunners/vert"}, // makes objects of results; the module of the inspector alone pays for it

	"wasm/edge": {"github.com/syumai/workers", "github.com/syumai/workers/cloudflare"}, // what a worker in Go is to its platform
}

// outside is a list of standard packages that packages of a kind do not import,
// each name covering the packages below it.
type outside struct {
	kind  kind // this one and stricter
	names []string
	why   string
	do    string
}

var forbidden = []outside{
	{
		kind: pure,
		names: []string{
			"net", "os", "time", "context", "sync", "math/rand", "crypto/rand", "syscall", "log",
		},
		why: "a pure package has no I/O, no clock, no randomness and no goroutines",
		do:  "take the value as an argument, or move the code into a driver (pkg/serve, wasm/, web/, cmd/)",
	},
	{
		kind: lean,
		names: []string{
			"fmt", "encoding/json", "reflect", "crypto", "encoding/hex", "regexp",
		},
		why: "the package is linked into the lean module, and this import costs every page 60 to 270 KB",
		do:  "use strconv, errors, bytes or internal/rawjson, or move the code to a package that lean does not reach",
	},
}

// lookup answers the row of a package: its own, else that of the nearest folder
// around it.
func lookup(name string) (pkg, bool) {
	for {
		i := slices.IndexFunc(packages, func(p pkg) bool { return p.path == name })
		if i >= 0 {
			return packages[i], true
		}
		if name = path.Dir(name); name == rootPackage {
			return pkg{}, false
		}
	}
}

// allowed reports whether packages of the row from may import those of the row to.
func allowed(from, to pkg) bool {
	if from.path == to.path {
		return true
	}
	if to.kind == testkit {
		return false
	}
	return slices.ContainsFunc(from.may, func(name string) bool {
		below, ok := lookup(name)
		return name == everything || ok && allowed(below, to)
	})
}

// forbids answers the list that keeps a package of kind k from a standard import.
func forbids(k kind, name string) (outside, bool) {
	for _, o := range forbidden {
		if k >= o.kind && slices.ContainsFunc(o.names, func(n string) bool { return covers(n, name) }) {
			return o, true
		}
	}
	return outside{}, false
}

func covers(name, imported string) bool {
	return imported == name || strings.HasPrefix(imported, name+"/")
}

// short is a package's name in docs/design.md.
func short(p string) string {
	for _, prefix := range []string{"pkg/", "internal/", "wasm/"} {
		if s, ok := strings.CutPrefix(p, prefix); ok {
			return s
		}
	}
	return path.Clean(p)
}
