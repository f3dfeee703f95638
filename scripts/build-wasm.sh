#!/usr/bin/env bash
# Builds one Go command as a module for JavaScript hosts: build-wasm.sh [--linked] PACKAGE OUT.wasm
# The one place for the flags of every module we ship, and of the empty program they are compared with.
# What ships has the names and lines of stack traces taken out (internal/wasmstrip); --linked leaves them.
set -euo pipefail
cd "$(dirname "$0")/.."

flags=(-trimpath -ldflags='-s -w')

linked=
if [[ ${1-} == --linked ]]; then
	linked=1
	shift
fi
(($# == 2)) || {
	echo "usage: build-wasm.sh [--linked] PACKAGE OUT.wasm (from the root of the repository)" >&2
	exit 2
}
mkdir -p "$(dirname "$2")"
GOOS=js GOARCH=wasm go build "${flags[@]}" -o "$2" "$1"
[[ -n $linked ]] || go run ./internal/wasmstrip "$2"
