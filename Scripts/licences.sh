#!/bin/sh
# Collects the licences of the software linked into the program.
# Run it after a build, which fetches the packages.
#   Scripts/licences.sh DIRECTORY            of a program that loads the system's libraries
#   Scripts/licences.sh DIRECTORY static     also of the libraries in linked.txt
set -eu
cd "$(dirname "$0")/.."
target=$1
page=docs/third-party.md
rm -rf "$target"
mkdir -p "$target"
cp LICENSE "$page" "$target/"
fail() { echo "error: $1" >&2; echo "help: $2" >&2; exit 1; }

for package in .build/checkouts/*/; do
    [ -d "$package" ] || continue
    name=$(basename "$package")
    grep -qF "[$name]" "$page" || fail "'$name' is not in $page" "add a row for it"
    mkdir "$target/$name"
    found=no
    for file in "$package"LICENSE* "$package"NOTICE*; do
        [ -f "$file" ] || continue
        cp "$file" "$target/$name/"
        found=yes
    done
    [ "$found" = yes ] || fail "no licence file in $package" "find its licence and copy it here"
done
[ -n "${name:-}" ] && [ -d "$target/swift-crypto" ] || fail "no packages in .build/checkouts" "run 'swift build' first"

# The toolchain's own: swift is in usr/bin, the licence in usr/share/swift.
swift=$(dirname "$(readlink -f "$(command -v swift)")")/../share/swift/LICENSE.txt
[ -f "$swift" ] || fail "no licence of the Swift toolchain at $swift" "use the toolchain of swift.org"
mkdir "$target/swift"
cp "$swift" "$target/swift/"

# Those of Homebrew's bottles, from Scripts/static-libraries.sh.
if [ "${2-}" = static ] && [ "$(uname -s)" = Darwin ]; then
    cp -R .build/static/licences/* "$target/"
# Debian's copyright files, and the licences that they name instead of repeating them.
elif [ "${2-}" = static ]; then
    mkdir "$target/common-licenses"
    grep -v '^#' Scripts/linked.txt >"$target/linked"
    while read -r name package _; do
        grep -qF "[$name]" "$page" || fail "'$name' is not in $page" "add a row for it"
        copyright=/usr/share/doc/$package/copyright
        [ -f "$copyright" ] || fail "no licence of '$name' at $copyright" "apt-get install $package"
        mkdir "$target/$name"
        cp "$copyright" "$target/$name/"
        grep -o '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$copyright" | sort -u >"$target/named" || true
        while read -r text; do
            [ -f "$text" ] || fail "no licence text at $text, which $copyright names" "apt-get install base-files"
            cp -L "$text" "$target/common-licenses/"
        done <"$target/named"
    done <"$target/linked"
    rm "$target/linked" "$target/named"
fi
echo "licences: $(find "$target" -type f | wc -l) files in $target"
