#!/usr/bin/env bash
# Runs one Go test binary for js/wasm in Node, for `go test -exec`.
# Go's start-up copies arguments and environment into 8 KB, which a full shell overflows:
# only what a test can need goes in.
set -euo pipefail
runner=$(go env GOROOT)/lib/wasm/go_js_wasm_exec
exec env -i PATH="$PATH" HOME="${HOME:-/}" TMPDIR="${TMPDIR:-}" PWD="$PWD" "$runner" "$@"
