#!/usr/bin/env bash
# The tests in every engine beside Chromium and Node, too. Where to look for engines is known by web/scripts/engines.mjs. Those
# from npm are fetched; the browsers are installed only where that is plainly wanted: root on Debian or a relative of it.
# What is missing is said, and on a CI machine (CI=true) that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=web/test/engines

say() { echo "engines: $*" >&2; }

missing() { node web/scripts/engines.mjs --missing; }

can_install() { [[ $(id -u) == 0 && -e /etc/debian_version ]] && command -v apt-get >/dev/null; }

declare -A packages_of=([chromium]="chromium" [firefox]="firefox-esr" [webkit]="webkit2gtk-driver xvfb xauth")

install() { # names of engines
	local wanted=()
	for name in "$@"; do
		read -ra debian <<<"${packages_of[$name]:-}"
		wanted+=("${debian[@]}")
	done
	((${#wanted[@]} > 0)) || return 0
	say "installing ${wanted[*]} with apt-get"
	apt-get update -q >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${wanted[@]}" >&2 ||
		say "apt-get did not bring all of them; its output is above"
}

if [[ ! -e $packages/node_modules/.package-lock.json || $packages/package-lock.json -nt $packages/node_modules/.package-lock.json ]]; then
	npm --prefix $packages ci --no-audit --no-fund --loglevel=error && touch $packages/node_modules/.package-lock.json ||
		say "npm did not bring Deno and Bun"
fi

lacking=$(missing)
if [[ -n $lacking ]] && can_install; then
	# shellcheck disable=SC2086 # one word for each name
	install $lacking
	lacking=$(missing)
fi

node web/scripts/engines.mjs >&2
if [[ -n $lacking && ${CI:-} == true ]]; then
	say "FAILED. CI is true, and these are not here:" $lacking
	exit 1
fi

npm --prefix web run test:engines

if [[ -n $lacking ]]; then
	echo "make test-engines: passed, but NOT RUN IN" $lacking "(not found, see above)"
else
	echo "make test-engines: passed"
fi
