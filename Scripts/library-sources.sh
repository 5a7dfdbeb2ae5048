#!/bin/sh
# Packs Debian's source packages of the linked libraries under the LGPL, which asks for them (docs/third-party.md).
#   Scripts/library-sources.sh FILE.tar
set -eu
cd "$(dirname "$0")/.."
case $1 in
/*) target=$1 ;;
*) target=$PWD/$1 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
mkdir -p "$work/parts" "$work/lists" "$work/library-sources"
# The system's sources, read for source packages; the system itself is not changed.
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [ -f "$file" ] || continue
    sed 's/^deb /deb-src /; s/^Types: deb$/Types: deb-src/' "$file" >"$work/parts/$(basename "$file")"
done
apt() {
    apt-get -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/parts" -o Dir::State::Lists="$work/lists" \
        -o APT::Sandbox::User=root "$@"
}
apt update
grep -v '^#' Scripts/linked.txt | grep 'LGPL-' >"$work/libraries"
while read -r name package _; do
    # shellcheck disable=SC2016  # dpkg-query reads these
    source=$(dpkg-query -W -f '${source:Package}=${source:Version}' "$package") || {
        echo "error: the Debian package '$package' of '$name' is not installed" >&2
        echo "help: apt-get install $package, and link again" >&2
        exit 1
    }
    (cd "$work/library-sources" && apt source --download-only "$source" </dev/null) || {
        echo "error: Debian's mirror has no source package $source" >&2
        echo "help: apt-get update && apt-get upgrade, and link again" >&2
        exit 1
    }
done <"$work/libraries"
tar --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,a-s --mtime=@0 -C "$work" -cf "$target" library-sources
echo "library sources: $(find "$work/library-sources" -name '*.dsc' | wc -l) packages in $1"
