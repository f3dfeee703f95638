#!/usr/bin/env bash
# Are the three things that make does not bring itself here, and new enough?
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
	echo "tools: $1" >&2
	exit 1
}

need() { # command, what it is, where to get it
	command -v "$1" >/dev/null || fail "no '$1' on PATH. $2 is needed: $3"
}

go_wanted=$(awk '$1 == "go" { print $2; exit }' go.mod)
node_wanted=20

need go "Go $go_wanted or newer" "https://go.dev/dl/"
need node "Node.js $node_wanted or newer" "https://nodejs.org/"
need npm "npm, which comes with Node.js," "https://nodejs.org/"

# Run in this module, go fetches or refuses a toolchain by what go.mod says; the answer is its own.
go version >/dev/null || fail "this Go cannot use go.mod, which asks for Go $go_wanted"

node_found=$(node --version)
node_major=${node_found#v}
node_major=${node_major%%.*}
((node_major >= node_wanted)) || fail "Node.js $node_found found, $node_wanted or newer is needed"
