#!/bin/sh
# Builds what a release has for this system: tarball, SBOM and checksum.
#   Scripts/dist.sh [DIRECTORY]      .build/dist by default
# The tarball has one directory, to be unpacked over a prefix such as /usr/local. On Linux its program loads no library;
# a second tarball has packtool-engine, the same program for 'check --engine', which has to load WebKitGTK.
# COMMIT and SOURCE_DATE_EPOCH replace those of the repository, which a container lacks.
set -eu
target=${1:-.build/dist}
mkdir -p "$target"
target=$(cd "$target" && pwd)
cd "$(dirname "$0")/.."
: "${COMMIT:=$(git rev-parse HEAD)}" "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct)}"
[ ! -e .git ] || [ -z "$(git status --porcelain)" ] || changed=-changed
system=$(uname -s | tr '[:upper:]' '[:lower:]')
case $system in
linux) platform=linux-$(uname -m) flags="--static-swift-stdlib --disable-local-rpath" ;;
darwin) platform=macos-universal flags="--arch arm64 --arch x86_64" ;;
*)
    echo "error: there is no release for $system" >&2
    echo "help: run it on Debian 12, in the image swift:6.3-bookworm, or on macOS" >&2
    exit 64
    ;;
esac
PACKTOOL_COMMIT=$(echo "$COMMIT" | cut -c 1-12)${changed-}
PACKTOOL_STATIC=$PWD/.build/static
[ "$system" = darwin ] || export PKG_CONFIG_PATH="$PACKTOOL_STATIC/pkgconfig"
export SOURCE_DATE_EPOCH PACKTOOL_COMMIT PACKTOOL_STATIC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
umask 022
pack() {
    python3 - "$work/$1" "$target/$1.tar.gz" <<'END'
import gzip
import os
import sys
import tarfile

tree, target = sys.argv[1:]
epoch = int(os.environ["SOURCE_DATE_EPOCH"])


def plain(entry):
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = epoch
    return entry


with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        tar.add(tree, os.path.basename(tree), filter=plain)
END
    echo "$target/$1.tar.gz: $(wc -c <"$target/$1.tar.gz") bytes"
}

Scripts/install.sh build dist
Scripts/static-libraries.sh "$PACKTOOL_STATIC"
# shellcheck disable=SC2086  # several words on purpose
build() { swift build -c release $flags --product packtool "$@"; }
build
folder=$(build --show-bin-path)
cp "$folder/packtool" "$work/packtool"
strip -R .swift_ast "$work/packtool" 2>"$work/log" || strip "$work/packtool"
version=$("$work/packtool" --version | cut -d ' ' -f 2)
name=packtool-$version-$platform
Scripts/install-files.sh "$work/packtool" /prefix "$work" >"$work/log"
mv "$work/prefix" "$work/$name"
doc=$work/$name/share/doc/packtool
install -d "$doc"
install -m 644 docs/third-party.md LICENSE "$doc/"
Scripts/licences.sh "$doc/licences" static
# shellcheck disable=SC2046  # a word for each line
Scripts/sbom.py "$work/packtool" --version "$version" --commit "$COMMIT" --platform "$platform" \
    $(sed 's/^/--package /' "$PACKTOOL_STATIC/built") -o "$doc/packtool.spdx.json"
rm -f "$target/$name".*
cp "$doc/packtool.spdx.json" "$target/$name.spdx.json"
pack "$name"
(cd "$target" && python3 -c 'import hashlib, sys
print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest() + "  " + sys.argv[1])' "$name.tar.gz" >"$name.sha256")

if [ "$system" = linux ]; then
    engine=packtool-engine-$version-$platform
    PACKTOOL_ENGINE=1 build
    install -d "$work/$engine/lib/packtool"
    install -m 755 "$folder/packtool" "$work/$engine/lib/packtool/packtool-engine"
    strip -R .swift_ast "$work/$engine/lib/packtool/packtool-engine"
    pack "$engine"
fi
