#!/bin/sh
# Builds the Dockerfile without a registry, and tries the image. Runs as root, with buildah.
# The two base images are stand-ins with the names that the Dockerfile asks for: Debian made by debootstrap,
# and on top of it the toolchain of this machine, which is mounted and not copied. Stand-ins do not show
# whether the real base images have changed. Takes about four minutes on a quiet machine, and 1.5 GB.
set -eu
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "error: image-check needs root, to make file systems
help: run 'sudo make image-check'" >&2; exit 2; }
Scripts/install.sh image
export STORAGE_DRIVER="${STORAGE_DRIVER-overlay}"
work=$PWD/.build/image
debian=docker.io/library/debian:bookworm-slim
swift=docker.io/library/$(sed -n 's/^FROM \(swift:[^ ]*\) AS build$/\1/p' Dockerfile)
buildah="buildah build --isolation chroot --pull-never"
toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
mkdir -p "$work"

have() { [ -n "$(buildah images --quiet --filter "reference=$1" 2>/dev/null)" ]; }

if ! have "$debian"; then
    echo "making $debian" >&2
    rm -rf "$work/debian"
    mkdir -p "$work/debian"
    debootstrap --variant=minbase bookworm "$work/debian/root" >"$work/debootstrap.log" 2>&1 || {
        echo "error: debootstrap failed, see $work/debootstrap.log" >&2
        exit 2
    }
    rm -rf "$work/debian/root"/var/cache/apt/archives/*.deb "$work/debian/root"/var/lib/apt/lists/*
    tar -C "$work/debian/root" -cf "$work/debian/root.tar" .
    rm -rf "$work/debian/root"
    printf 'FROM scratch\nADD root.tar /\nCMD ["/bin/bash"]\n' >"$work/debian/Dockerfile"
    $buildah --quiet -t "$debian" "$work/debian" >/dev/null
    rm -rf "$work/debian"
fi
if ! have "$swift"; then
    echo "making $swift from $toolchain" >&2
    mkdir -p "$work/swift"
    cat >"$work/swift/Dockerfile" <<END
FROM $debian
RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        binutils ca-certificates git gcc libc6-dev libcurl4 libedit2 libgcc-12-dev libncurses6 libpython3.11 \
        libsqlite3-0 libstdc++-12-dev libxml2 libz3-4 tzdata \
    && rm -rf /var/lib/apt/lists/*
ENV PATH=$toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
END
    $buildah --quiet -t "$swift" "$work/swift" >/dev/null
fi

# If git's configuration replaces an address by a directory, the build needs both.
set -- --volume "$toolchain:$toolchain:ro"
for place in $(git config --system --get-regexp '^url\.' 2>/dev/null | sed -n 's/^url\.\(\/.*\)\.insteadof .*/\1/p' | sort -u); do
    set -- "$@" --volume "${place%/}:${place%/}:ro" --volume /etc/gitconfig:/etc/gitconfig:ro
done
$buildah --layers "$@" -t packtool . >"$work/build.log" 2>&1 || {
    tail -n 20 "$work/build.log" >&2
    echo "error: the Dockerfile does not build, see $work/build.log" >&2
    exit 1
}

# The image as people use it: with its own user, and the working directory mounted.
try=$(mktemp -d)
container=$(buildah from --pull-never localhost/packtool)
trap 'buildah rm "$container" >/dev/null; rm -rf "$try"' EXIT
cp -R examples/storefront/dist/1.0.0 "$try/dist"
chown -R 10001 "$try"
chmod 755 "$try"
run() { buildah run --isolation chroot --volume "$try:/work" "$container" -- "$@"; }
[ "$(run id -u)" = 10001 ] || { echo "error: the image runs as $(run id -u), not as 10001" >&2; exit 1; }
if ! run sh -c 'for tool in swift gcc git; do ! command -v $tool || exit 1; done'; then
    echo "error: the image contains build tools" >&2
    exit 1
fi
for text in third-party.md swift/LICENSE.txt swift-crypto/NOTICE.txt; do
    run test -s "/usr/share/doc/packtool/$text" || { echo "error: the image lacks the licence file $text" >&2; exit 1; }
done
for package in $(sed -n 's/^run //p' Scripts/packages.txt); do
    run test -s "/usr/share/doc/$package/copyright" || { echo "error: the image lacks the licence of $package" >&2; exit 1; }
done
run packtool --version
run packtool publish dist --to cdn --app storefront --base-url https://cdn.example.com/storefront
run packtool verify cdn
run packtool install cdn --into phone --quiet
diff -r "$try/dist" "$try/phone/current/"
echo "image: builds, publishes, installs ($(buildah images --format '{{.Size}}' localhost/packtool))"
