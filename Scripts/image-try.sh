#!/bin/sh
# Tries the images as people use them: with their own user, and the working directory mounted. Runs as root.
#   Scripts/image-try.sh IMAGE CI-IMAGE
set -eu
cd "$(dirname "$0")/.."
export STORAGE_DRIVER="${STORAGE_DRIVER-overlay}"
try=$(mktemp -d)
final=$(buildah from --pull-never "$1")
ci=$(buildah from --pull-never "$2")
trap 'buildah rm "$final" "$ci" >/dev/null; rm -rf "$try"' EXIT
fail() { echo "error: $1" >&2; echo "help: $2" >&2; exit 1; }
cp -R examples/storefront/dist/1.0.0 "$try/dist"
chown -R 10001 "$try"
chmod 755 "$try"
run() { buildah run --isolation chroot --volume "$try:/work" "$@"; }

root=$(buildah mount "$final")
programs=$(find "$root" -type f -perm -u+x | sed "s|^$root||")
[ "$programs" = /usr/bin/packtool ] || fail "the image has these programs: $programs" "see Scripts/image-root.sh"
for text in third-party.md licences/LICENSE licences/swift/LICENSE.txt licences/swift-crypto/NOTICE.txt \
    licences/glibc/copyright licences/common-licenses/LGPL-2.1; do
    [ -s "$root/usr/share/doc/packtool/$text" ] || fail "the image lacks the licence file $text" "see Scripts/licences.sh"
done
[ -s "$root/etc/ssl/certs/ca-certificates.crt" ] || fail "the image lacks the CA bundle" "see Scripts/image-root.sh"
buildah umount "$final" >/dev/null

# buildah runs commands without the entry point.
packtool() { run "$final" -- /usr/bin/packtool "$@"; }
packtool --version
packtool publish dist --to cdn --app storefront --base-url https://cdn.example.com/storefront
packtool verify cdn
packtool install cdn --into phone --quiet
diff -r "$try/dist" "$try/phone/current/"
[ "$(stat -c %u "$try/cdn")" = 10001 ] || fail "the image runs as $(stat -c %u "$try/cdn"), not as 10001" "see Dockerfile"
# A job of GitLab runs a script by 'sh'.
# shellcheck disable=SC2016  # the shell of the image expands it
run "$ci" -- sh -c 'test "$(id -u)" = 10001 && packtool verify cdn && touch /tmp/x'
echo "image: publishes, verifies, installs ($(buildah images --format '{{.Size}}' "$1"), with a shell $(buildah images --format '{{.Size}}' "$2"))"
