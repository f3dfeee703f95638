#!/usr/bin/env bash
# Builds one Go command as a module for JavaScript hosts: build-wasm.sh PACKAGE OUT.wasm
# The one place for the flags of every module we ship, and of the empty program they are compared with.
set -euo pipefail
cd "$(dirname "$0")/.."

flags=(-trimpath -ldflags='-s -w')

(($# == 2)) || {
	echo "usage: build-wasm.sh PACKAGE OUT.wasm (from the root of the repository)" >&2
	exit 2
}
mkdir -p "$(dirname "$2")"
GOOS=js GOARCH=wasm go build "${flags[@]}" -o "$2" "$1"
