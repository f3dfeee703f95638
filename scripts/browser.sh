#!/usr/bin/env bash
# The browser tests: with a browser they run, without one they are said not to have run,
# and on a CI machine (CI=true) that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
note=build/browser-not-run

mkdir -p build
rm -f "$note"

if CHROMIUM=$(bash scripts/chromium.sh); then
	export CHROMIUM
	exec npm --prefix web run test:browser
fi

if [[ ${CI:-} == true ]]; then
	echo "browser tests: FAILED. CI is true and there is no Chromium (see above)" >&2
	exit 1
fi
echo "no Chromium was found" >"$note"
echo "browser tests: NOT RUN, no Chromium was found (see above)" >&2
