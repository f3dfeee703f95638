#!/usr/bin/env bash
# The last words of `make test`: what passed, and what did not run at all.
set -euo pipefail
cd "$(dirname "$0")/.."
note=build/browser-not-run

if [[ -e $note ]]; then
	echo "make test: passed, but the BROWSER TESTS WERE NOT RUN: $(<"$note")"
else
	echo "make test: passed"
fi
