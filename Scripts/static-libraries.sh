#!/bin/sh
# Collects the archives that 'make dist' links into the program.
#   Scripts/static-libraries.sh DIRECTORY
# DIRECTORY then has no shared library, which the linker would prefer; 'pkgconfig' in it names it. 'built' has a line NAME=VERSION for each
# library that is not a package of the system: libcurl is built from Debian's source package, because Debian's own
# archive needs LDAP and Kerberos, of which there are shared libraries alone.
set -eu
mkdir -p "$1"
target=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
fail() { echo "error: $1" >&2; echo "help: $2" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM

if [ "$(uname -s)" = Darwin ]; then
    # Homebrew's bottles for both processors; libarchive, libcurl and libz are macOS's own.
    for formula in libdeflate libyaml xz; do
        for tag in arm64_sequoia sequoia; do
            brew fetch --quiet --force --bottle-tag="$tag" "$formula"
            mkdir -p "$work/$tag"
            tar -xzf "$(brew --cache --bottle-tag="$tag" "$formula")" -C "$work/$tag"
        done
        echo "$formula=$(basename "$work/sequoia/$formula"/*)"
        mkdir -p "$target/licences/$formula"
        cp "$work/sequoia/$formula"/*/COPYING* "$work/sequoia/$formula"/*/LICENSE* "$target/licences/$formula/" 2>"$work/log" \
            || [ -n "$(ls "$target/licences/$formula")" ] || fail "the bottle of $formula has no licence" "see its new contents"
    done >"$work/built"
    for name in deflate lzma yaml; do
        lipo -create "$work"/*/*/*/lib/lib"$name".a -output "$target/lib$name.a"
    done
    mv "$work/built" "$target/"
    exit 0
fi

archives="archive bz2 cares crypto deflate lzma nettle nghttp2 ssl yaml z zstd"
# The version of the headers that the sources are compiled with.
curl=$(dpkg-query -W -f '${source:Version}' libcurl4-openssl-dev)
system=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
stamp="curl=$curl
$(for name in $archives; do cksum "$system/lib$name.a"; done; cksum "$0")"
if [ "$(cat "$target/stamp" 2>/dev/null || true)" = "$stamp" ]; then exit 0; fi
rm -rf "$target"
mkdir "$target"
for name in $archives; do cp "$system/lib$name.a" "$target/"; done

echo "building libcurl $curl, which takes a minute" >&2
Scripts/debian-sources.sh "$work" "curl=$curl"
dpkg-source --no-check --extract "$work"/curl_*.dsc "$work/curl" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "the source package of curl $curl cannot be unpacked" "see its messages above"
}
# http and https with HTTP/2, and proxies. Names are looked up by c-ares, because the functions of the C library load
# libraries of the system. Certificates are named by packtool.
without="ftp file ldap ldaps rtsp dict telnet tftp pop3 imap smb smtp gopher mqtt manual ntlm alt-svc hsts cookies netrc
    doh mime form-api unix-sockets tls-srp"
missing="libpsl librtmp libssh2 brotli zstd libidn2 gssapi ca-bundle ca-path"
cd "$work/curl"
# shellcheck disable=SC2046,SC2086  # several words on purpose
./configure --quiet --disable-shared --enable-static --disable-debug --enable-optimize --with-openssl --with-nghttp2 \
    --enable-ares $(printf -- '--disable-%s ' $without) $(printf -- '--without-%s ' $missing) \
    CFLAGS="-O2 -g0 -ffunction-sections -fdata-sections -ffile-prefix-map=$work=." >"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    fail "libcurl could not be configured" "see its messages above"
}
make --silent --jobs 2 --directory lib libcurl.la >"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    fail "libcurl could not be built" "see its messages above"
}
cp lib/.libs/libcurl.a "$target/"
# SwiftPM asks pkg-config for the folders of the libraries that Package.swift names.
mkdir "$target/pkgconfig"
for name in libdeflate:deflate liblzma:lzma zlib:z; do
    printf 'Name: %s\nDescription: an archive\nVersion: 1\nLibs: -L%s -l%s\n' "${name%:*}" "$target" "${name#*:}" \
        >"$target/pkgconfig/${name%:*}.pc"
done
echo "curl=$curl" >"$target/built"
echo "$stamp" >"$target/stamp"
