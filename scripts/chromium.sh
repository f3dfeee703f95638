#!/usr/bin/env bash
# Prints the path of a Chromium or Chrome, or says on stderr where it looked and fails.
# Installs one only where that is plainly wanted: root on Debian or a relative of it.
set -euo pipefail

names=(chromium chromium-browser google-chrome google-chrome-stable)
mac_apps=("Google Chrome" "Chromium" "Google Chrome for Testing")
caches=("${PLAYWRIGHT_BROWSERS_PATH:-}" "${HOME:-}/.cache/ms-playwright" "${HOME:-}/Library/Caches/ms-playwright")

say() { echo "chromium: $1" >&2; }

take() { # prints the first argument that can be executed
	local path
	for path in "$@"; do
		if [[ -f $path && -x $path ]]; then
			echo "$path"
			return 0
		fi
	done
	return 1
}

from_path() {
	local name
	for name in "${names[@]}"; do
		command -v "$name" && return 0
	done
	return 1
}

from_usual_places() {
	local app root places=()
	for app in "${names[@]}"; do places+=("/usr/bin/$app" "/usr/local/bin/$app" "/snap/bin/$app"); done
	for app in "${mac_apps[@]}"; do
		for root in "" "${HOME:-}"; do places+=("$root/Applications/$app.app/Contents/MacOS/$app"); done
	done
	take "${places[@]}"
}

from_playwright() {
	local cache
	shopt -s nullglob
	for cache in "${caches[@]}"; do
		[[ -n $cache ]] || continue
		take "$cache"/chromium-*/chrome-linux*/chrome \
			"$cache"/chromium-*/chrome-mac*/*.app/Contents/MacOS/* && return 0
	done
	return 1
}

find_one() { from_path || from_usual_places || from_playwright; }

can_install() { [[ $(id -u) == 0 && -e /etc/debian_version ]] && command -v apt-get >/dev/null; }

install_one() {
	say "none found; installing the package 'chromium' with apt-get"
	{
		apt-get update -q &&
			DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium
	} >&2
}

# What the caller named is used or refused, never replaced by something else.
if [[ -n ${CHROMIUM:-} ]]; then
	take "$CHROMIUM" && exit 0
	say "\$CHROMIUM is '$CHROMIUM', and that is no program"
	exit 1
fi

find_one && exit 0

if can_install; then
	install_one && find_one && exit 0
	say "apt-get did not bring one; its output is above"
	exit 1
fi

say "none found. Looked for \$CHROMIUM; for ${names[*]} on PATH, in /usr/bin, /usr/local/bin and /snap/bin;"
say "for ${mac_apps[*]} in /Applications and ~/Applications; and in Playwright's cache."
say "Install one, or set CHROMIUM to its path. (As root on Debian it would have been installed.)"
exit 1
