#!/bin/sh
# Collects the licences of the software linked into the program; the Dockerfile ships them.
# Run it after a build, which fetches the packages.
#   Scripts/licences.sh DIRECTORY
set -eu
cd "$(dirname "$0")/.."
target=$1
page=docs/third-party.md
rm -rf "$target"
mkdir -p "$target"
cp LICENSE "$page" "$target/"
fail() { echo "error: $1" >&2; echo "help: $2" >&2; exit 1; }

for package in .build/checkouts/*/; do
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
echo "licences: $(find "$target" -type f | wc -l) files in $target"
