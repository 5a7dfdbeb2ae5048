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
grep -v '^#' Scripts/linked.txt | grep 'LGPL-' >"$work/libraries"
while read -r name package _; do
    # shellcheck disable=SC2016  # dpkg-query reads these
    dpkg-query -W -f '${source:Package}=${source:Version}\n' "$package" >>"$work/sources" || {
        echo "error: the Debian package '$package' of '$name' is not installed" >&2
        echo "help: apt-get install $package, and link again" >&2
        exit 1
    }
done <"$work/libraries"
# shellcheck disable=SC2046  # a word for each line
Scripts/debian-sources.sh "$work/library-sources" $(cat "$work/sources")
tar --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,a-s --mtime=@0 -C "$work" -cf "$target" library-sources
echo "library sources: $(find "$work/library-sources" -name '*.dsc' | wc -l) packages in $1"
