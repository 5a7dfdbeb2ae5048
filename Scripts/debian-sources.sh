#!/bin/sh
# Downloads Debian's source packages, from the suites and with the keys of the system's own packages.
#   Scripts/debian-sources.sh DIRECTORY NAME=VERSION…
set -eu
mkdir -p "$1"
target=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
mkdir -p "$work/parts" "$work/lists"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [ -f "$file" ] || continue
    sed 's/^deb /deb-src /; s/^Types: deb$/Types: deb-src/' "$file" >"$work/parts/$(basename "$file")"
done
apt() {
    apt-get -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/parts" \
        -o Dir::State::Lists="$work/lists" -o APT::Sandbox::User=root "$@"
}
# The system itself is not changed.
(apt update && cd "$target" && apt source --download-only "$@") >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    echo "error: Debian's mirror does not have all of: $*" >&2
    echo "help: apt-get update && apt-get upgrade, because it keeps the newest versions alone; then run it again" >&2
    exit 2
}
