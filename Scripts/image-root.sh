#!/bin/sh
# Writes the file system of the container image: the program and documents of a tarball, and Debian's CA bundle.
#   Scripts/image-root.sh TARBALL DIRECTORY
set -eu
umask 022
root=$2
bundle=/etc/ssl/certs/ca-certificates.crt
[ -s "$bundle" ] || {
    echo "error: no CA bundle at $bundle" >&2
    echo "help: apt-get install ca-certificates" >&2
    exit 1
}
mkdir -p "$root/usr" "$root/etc/ssl/certs" "$root/tmp" "$root/work"
tar -xzf "$1" -C "$root/usr" --strip-components=1 --no-same-owner
rm -r "$root/usr/share/man" "$root/usr/share/bash-completion" "$root/usr/share/zsh" "$root/usr/share/fish"
cp "$bundle" "$root/etc/ssl/certs/"
# The user is a number without a home, so HOME is /tmp.
chmod 1777 "$root/tmp" "$root/work"
