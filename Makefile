# Everything a person or a machine does here is a target of this file; `make help` lists them.
# The work itself stands in Go, in scripts/ and in web/package.json, each runnable by hand.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory --warn-undefined-variables

GO_DIRS    := cmd internal pkg scripts wasm
GO_SOURCES := $(shell find internal pkg wasm -name "*.go" -not -name "*_test.go") $(wildcard *.go) go.mod version.txt
WEB_DEPS   := web/node_modules/.package-lock.json
BENCH      ?= .
SEEDS      ?= 1000000
FROM       ?= 1
JOBS       ?= 1
ADDR       ?= 127.0.0.1:8080
ARGS       ?=

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

## Use

.PHONY: run
run: build ## Serve the demo page and its endless session (ADDR=host:port)
	@go build -o build/tidemark ./cmd/tidemark
	@exec build/tidemark serve --demo --addr $(ADDR) $(ARGS)

.PHONY: test
test: tools check test-go test-wasm test-web vectors test-browser ## Go, wasm, Node and Chromium, set-up included
	@bash scripts/summary.sh

.PHONY: build
build: web demo ## The npm package and the modules, into web/dist, and the demo page

.PHONY: setup
setup: tools $(WEB_DEPS) ## npm packages and a browser for the tests
	@bash scripts/chromium.sh >/dev/null || echo "setup: the browser tests will not run here"

.PHONY: clean
clean: ## Remove everything that was built or fetched
	@rm -rf build tidemark web/dist web/demo/dist web/LICENSE web/*.tgz web/node_modules web/test/engines/node_modules
	@rm -rf $(addprefix web/edge-worker/,build node_modules .wrangler)

## Parts of the tests

.PHONY: check
check: fmt-check vet gen-check boundaries ## Format, vet, drift, boundaries

.PHONY: fmt-check
fmt-check:
	@bad=$$(gofmt -l *.go $(GO_DIRS)); [[ -z $$bad ]] || { echo "gofmt would change:" $$bad; exit 1; }

.PHONY: vet
vet: # twice, because files with a js build tag are invisible to the first
	@go vet ./...
	@GOOS=js GOARCH=wasm go vet ./pkg/... ./wasm/... ./internal/rawjson/...

.PHONY: gen
gen: ## Write what is made from the Go tables (types, numbers, schema, pages, catalog)
	@go run ./cmd/tidemark gen

.PHONY: gen-check
gen-check: ## Fail when generated files differ from their tables
	@go run ./cmd/tidemark gen --check

.PHONY: boundaries
boundaries: ## Who imports whom, what the lean module links, what may not be committed
	@go run ./internal/boundaries

.PHONY: rules
rules: ## Rules of docs/protocol.md that no test names
	@go run ./internal/boundaries -uncited

.PHONY: test-go
test-go: ## Go tests, native
	@go test ./...

.PHONY: test-wasm
test-wasm: tools ## The tests of the pure packages again, as wasm in Node
	@GOOS=js GOARCH=wasm go test -exec "$(CURDIR)/scripts/wasm-exec.sh" $$(go run ./internal/boundaries -pure)

.PHONY: race
race: ## The tests of the drivers under the race detector (needs a C compiler)
	@go test -race ./pkg/sessionlog/... ./pkg/durable/... ./pkg/guardrail/... ./pkg/serve/... ./pkg/client/... ./pkg/edge/... ./cmd/...

.PHONY: test-web
test-web: build ## The built npm package under node --test
	@npm --prefix web test

.PHONY: sim
sim: ## Play seeded worlds to the core (SEEDS=n FROM=seed JOBS=n)
	@go run ./internal/sim/cmd/sim -seeds $(SEEDS) -from $(FROM) -jobs $(JOBS)

.PHONY: sim-mutants
sim-mutants: ## Take single rules out of the core, and see the seeds notice
	@go run ./internal/sim/mutants $(ARGS)

.PHONY: vectors
vectors: build ## All vectors and cases: native Go, built wasm, TypeScript API
	@go run ./cmd/tidemark vectors testdata
	@npm --prefix web run vectors -- "$(CURDIR)/testdata"

.PHONY: test-browser
test-browser: build ## The demo in a real Chromium, every fault button pressed
	@bash scripts/browser.sh

.PHONY: test-engines
test-engines: build ## The same checks in Chromium, Firefox, WebKit, Node, Deno and Bun
	@bash scripts/engines.sh

.PHONY: size-edge
size-edge: build web/edge-worker/node_modules/.package-lock.json ## Size of the edge worker as it would be uploaded; fails over budget
	@npm --prefix web/edge-worker run --silent size

web/edge-worker/node_modules/.package-lock.json: web/edge-worker/package.json web/edge-worker/package-lock.json
	@npm --prefix web/edge-worker ci --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: test-edge
test-edge: build edge ## The edge workers in a real workerd, against a server that misbehaves
	@npm --prefix web run test:edge

## Numbers

.PHONY: bench
bench: build ## Native benchmarks, then paired ones in Node and Chromium (BENCH=pattern)
	@go test -run '^$$' -bench '$(BENCH)' -benchmem ./pkg/... ./wasm/abi/...
	@npm --prefix web run bench
	@npm --prefix web run bench:inspect
	@npm --prefix web run bench:inbox
	@npm --prefix web run bench:memory
	@npm --prefix web run bench:page

.PHONY: bench-edge
bench-edge: build ## What the edge worker costs in workerd, next to a plain one (Linux)
	@npm --prefix web run --silent bench:edge

.PHONY: bench-log
bench-log: build ## A log of 1,000,000 records, 500 MB: native, then in the module
	@go test -run '^$$' -bench Million -benchtime 1x ./pkg/logfold
	@RECORDS=1000000 ROUNDS=3 npm --prefix web run --silent bench:inspect

.PHONY: size
size: build edge build/empty.wasm build/linked.wasm ## Sizes of the modules and the JavaScript shell; fails over budget
	@node scripts/size.mjs web/dist/tidemark.wasm build/linked.wasm build/empty.wasm web/dist/calls.wasm web/dist/full.wasm web/dist/relay.wasm build/edge

build/linked.wasm: $(GO_SOURCES) scripts/build-wasm.sh
	@bash scripts/build-wasm.sh --linked ./wasm/lean $@

build/empty.wasm: scripts/empty/main.go scripts/build-wasm.sh
	@bash scripts/build-wasm.sh --linked ./scripts/empty $@

## Pieces

.PHONY: edge
edge: ## The worker in Go, into build/edge, which is emptied before
	@bash scripts/build-edge.sh

.PHONY: tools
tools:
	@bash scripts/tools.sh

# npm's build empties web/dist and fills it with the shell, the toolchain's glue and the modules; which those are is known
# there alone (web/scripts/build.mjs), and how each is built by scripts/build-wasm.sh alone.
.PHONY: web
web: $(WEB_DEPS) ## The npm package with its modules
	@npm --prefix web run build

.PHONY: demo
demo: web ## The demo page, into web/demo/dist
	@npm --prefix web run --silent demo

$(WEB_DEPS): web/package.json web/package-lock.json | tools
	@npm --prefix web ci --no-audit --no-fund --loglevel=error
	@touch $@
