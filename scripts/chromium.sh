#!/usr/bin/env bash
# Prints the path of a Chromium or Chrome, or says on stderr where it looked and fails. Where to look is known by
# web/scripts/chromium.mjs. Installs one only where that is plainly wanted: root on Debian or a relative of it.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "chromium: $1" >&2; }

find_one() { node web/scripts/chromium.mjs; }

can_install() { [[ $(id -u) == 0 && -e /etc/debian_version ]] && command -v apt-get >/dev/null; }

install_one() {
	say "none found; installing the package 'chromium' with apt-get"
	{
		apt-get update -q &&
			DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium
	} >&2
}

# What the caller named is used or refused, never replaced by something else.
if [[ -n ${CHROMIUM:-} ]] || ! can_install; then
	find_one
	exit
fi

find_one 2>/dev/null && exit 0
install_one || say "apt-get did not bring one; its output is above"
find_one
