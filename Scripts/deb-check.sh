#!/bin/sh
# Installs the Debian package in a bare Debian made by debootstrap, tries it, and removes it again. Runs as root.
#   Scripts/deb-check.sh FILE.deb
# The bare Debian is kept in .build/deb, or in PACKTOOL_DEBIAN.
set -eu
deb=$(readlink -f "$1")
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "error: deb-check needs root, for chroot
help: run 'sudo make deb-check'" >&2; exit 2; }
fail() { echo "error: $1" >&2; exit 1; }
mkdir -p .build/deb
bare=${PACKTOOL_DEBIAN:-$PWD/.build/deb/debian}
if [ ! -f "$bare.complete" ]; then
    echo "making $bare" >&2
    rm -rf "$bare"
    debootstrap --variant=minbase bookworm "$bare" >.build/deb/debootstrap.log 2>&1 ||
        fail "debootstrap failed, see .build/deb/debootstrap.log"
    touch "$bare.complete"
fi
# A copy for each try: files installed by one try must not exist in the next.
try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT HUP INT TERM
cp -a --reflink=auto "$bare" "$try/root"
root=$try/root
cp "$deb" "$root/tmp/packtool.deb"
cp -R examples/storefront/dist/1.0.0 "$root/tmp/dist"
# With /proc, which has the arguments of a Swift program. It is mounted for this one command only, so that
# no mount is left when the copy is removed.
run() {
    # shellcheck disable=SC2016  # for the inner shell
    unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" env -i "$@"' "$root" \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
find "$root/usr" -name '*packtool*' >"$try/before"
[ -s "$try/before" ] && fail "$bare has packtool already; remove it"

run apt-get update -qq
# apt gets the packages that this one depends on, and no others.
run apt-get install -y -qq --no-install-recommends /tmp/packtool.deb >"$try/log" 2>&1 || { cat "$try/log" >&2; fail "apt cannot install $deb"; }
run packtool --version
run dpkg --verify packtool >"$try/changed"
[ -s "$try/changed" ] && { cat "$try/changed" >&2; fail "installed files differ from the package"; }
for file in man/man1/packtool.1.gz man/man1/packtool-publish.1.gz bash-completion/completions/packtool \
    zsh/vendor-completions/_packtool fish/vendor_completions.d/packtool.fish doc/packtool/copyright; do
    [ -s "$root/usr/share/$file" ] || fail "the package lacks /usr/share/$file"
done
for name in swift-argument-parser swift-crypto libyaml 'Runtime Library Exception' Apache-2.0; do
    grep -q "$name" "$root/usr/share/doc/packtool/copyright" || fail "the copyright file does not name $name"
done
[ "$(run packtool hash /tmp/dist)" = "$(cd examples/storefront/dist/1.0.0 && find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-20)" ] ||
    fail "the installed packtool computes another version than coreutils"
run packtool publish /tmp/dist --to /tmp/cdn --app storefront --base-url https://cdn.example.com/storefront
run packtool verify /tmp/cdn
run packtool install /tmp/cdn --into /tmp/phone --quiet
diff -r examples/storefront/dist/1.0.0 "$root/tmp/phone/current/" || fail "what was installed is not what was published"
run dpkg --purge packtool >"$try/log"
find "$root/usr" -name '*packtool*' >"$try/after"
[ -s "$try/after" ] && { cat "$try/after" >&2; fail "files are left after the removal"; }
echo "deb: installs in a bare Debian, publishes, verifies, installs a release, and leaves nothing behind"
