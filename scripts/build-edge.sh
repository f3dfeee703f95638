#!/usr/bin/env bash
# Builds the worker in Go into a folder, which is emptied before: build-edge.sh [FOLDER], default build/edge.
# What is beside app.wasm is written by github.com/syumai/workers. Its wasm_exec.js is the toolchain's with another global
# object, and has to be of the same toolchain as app.wasm: a Go that it does not fit yet fails here and not in a worker.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-build/edge}

mkdir -p "$(dirname "$out")"
go run github.com/syumai/workers/cmd/workers-assets-gen -mode=go -o "$out"

replaced=$(diff "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$out/wasm_exec.js" | sed -n 's/^<[[:space:]]*//p' || true)
known=$'async run(instance) {\nglobalThis,\n[globalThis, 5],\n})();'
[[ $replaced == "$known" ]] || {
	echo "build-edge: wasm_exec.js of github.com/syumai/workers is not that of $(go env GOVERSION):" "$replaced" >&2
	exit 1
}

bash scripts/build-wasm.sh ./wasm/edge "$out/app.wasm"
cp LICENSE wasm/edge/THIRD-PARTY-LICENSES.txt "$out/"
