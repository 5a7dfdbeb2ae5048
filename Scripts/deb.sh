#!/bin/sh
# Builds a Debian package of packtool, and checks it with lintian.
#   Scripts/deb.sh PACKTOOL DIRECTORY
# The same program and commit give the same package: every time in it is that of the commit.
set -eu
packtool=$(readlink -f "$1")
mkdir -p "$2"
target=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct)}" "${MAINTAINER:=$(git log -1 --format='%an <%ae>')}"
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
# Packed files have the usual modes, whatever this user's umask.
umask 022
root=$work/root
doc=$root/usr/share/doc/packtool
architecture=$(dpkg --print-architecture)
# 1.0.0-dev comes before 1.0.0: for dpkg, '~' sorts before the end of the version.
version=$("$packtool" --version | cut -d ' ' -f 2 | tr - '~')
fail() { echo "error: $1" >&2; echo "help: $2" >&2; exit 1; }
if readelf -d "$packtool" | grep -q 'libswift'; then
    fail "$packtool loads libraries of the Swift toolchain, which Debian does not have" "build it with 'make release'"
fi

Scripts/install-files.sh "$packtool" /usr "$root" >"$work/log"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root/usr/bin/packtool"
gzip -9n "$root"/usr/share/man/man1/*.1

install -d "$doc"
install -m 644 docs/third-party.md "$doc/"
printf 'packtool (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md of the project.\n\n -- %s  %s\n' \
    "$version" "$MAINTAINER" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.gz"
Scripts/licences.sh "$work/licences" >"$work/log"
python3 Scripts/deb-copyright.py "$work/licences" >"$doc/copyright"

# lintian knows libyaml by its strings. It is Debian's own, linked statically.
install -d "$root/usr/share/lintian/overrides"
echo "packtool: embedded-library *libyaml*" >"$root/usr/share/lintian/overrides/packtool"

# The linked libraries, with the oldest packages that have the functions it uses, and those loaded when needed.
mkdir -p "$work/source/debian"
printf 'Source: packtool\nMaintainer: %s\n\nPackage: packtool\nArchitecture: any\nDescription: x\n' "$MAINTAINER" \
    >"$work/source/debian/control"
depends=$(cd "$work/source" && dpkg-shlibdeps -O -e"$root/usr/bin/packtool" 2>"$work/shlibdeps" | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { cat "$work/shlibdeps" >&2; fail "dpkg-shlibdeps found no dependencies" "see its messages above"; }
for library in $(sed -n 's/.*"\(lib[a-z]*\.so\.[0-9]*\)".*/\1/p' Sources/CArchive/Loaded.c); do
    package=$(dpkg-query -S "*/$library" | sed 's/:.*//;q')
    [ -n "$package" ] || fail "no package has $library" "run Scripts/install.sh build"
    depends="$depends, $package"
done

mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: packtool
Version: $version
Architecture: $architecture
Maintainer: $MAINTAINER
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f 1)
Depends: $depends
Section: web
Priority: optional
Description: offline packages for the web pages inside an app
 packtool turns a front-end build into a release that an app keeps on the
 device: it checks that the pages work offline under the app's own URL scheme,
 packs them, and publishes package, manifest and deltas to a directory that a
 CDN serves. Everything published is read back and hashed first.
END
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -print0 | xargs -0 touch --no-dereference --date="@$SOURCE_DATE_EPOCH"
deb=$target/packtool_${version}_$architecture.deb
dpkg-deb --root-owner-group --uniform-compression --build "$root" "$deb" >"$work/log"

# No spelling: it reads the names of symbols in the program as words.
lintian --fail-on error,warning --display-info --suppress-tags spelling-error-in-binary "$deb" >"$work/lintian" 2>&1 || {
    cat "$work/lintian" >&2
    fail "lintian refuses the package, see above" "correct Scripts/deb.sh"
}
cat "$work/lintian"
echo "wrote $deb ($(stat -c %s "$deb") bytes)"
echo "depends on: $depends"
