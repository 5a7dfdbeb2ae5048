#!/bin/sh
# Builds the Dockerfile without a registry, and tries the image. Runs as root, with buildah.
# The base images are stand-ins with the names that the Dockerfile asks for: Debian made by debootstrap with the
# toolchain of this machine, which is mounted and not copied, and Debian's busybox. Stand-ins do not show
# whether the real base images have changed. Takes about four minutes on a quiet machine, and 1.5 GB.
set -eu
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "error: image-check needs root, to make file systems
help: run 'sudo make image-check'" >&2; exit 2; }
Scripts/install.sh image
export STORAGE_DRIVER="${STORAGE_DRIVER-overlay}"
work=$PWD/.build/image
debian=docker.io/library/debian:bookworm-slim
busybox=docker.io/library/$(sed -n 's/^FROM \(busybox:[^ ]*\) AS ci$/\1/p' Dockerfile)
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
if ! have "$busybox"; then
    echo "making $busybox" >&2
    mkdir -p "$work/busybox"
    cat >"$work/busybox/Dockerfile" <<END
FROM $debian AS debian
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends busybox-static
FROM scratch
COPY --from=debian /bin/busybox /bin/busybox
RUN ["/bin/busybox", "--install", "-s", "/bin"]
CMD ["sh"]
END
    $buildah --quiet -t "$busybox" "$work/busybox" >/dev/null
fi

# If git's configuration replaces an address by a directory, the build needs both.
set -- --volume "$toolchain:$toolchain:ro"
for place in $(git config --system --get-regexp '^url\.' 2>/dev/null | sed -n 's/^url\.\(\/.*\)\.insteadof .*/\1/p' | sort -u); do
    set -- "$@" --volume "${place%/}:${place%/}:ro" --volume /etc/gitconfig:/etc/gitconfig:ro
done
set -- "$@" --build-arg COMMIT="$(git rev-parse HEAD)" --build-arg SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
for target in final ci; do
    $buildah --layers "$@" --target "$target" -t "packtool-$target" . >"$work/build.log" 2>&1 || {
        tail -n 20 "$work/build.log" >&2
        echo "error: the Dockerfile does not build, see $work/build.log" >&2
        exit 1
    }
done
Scripts/image-try.sh localhost/packtool-final localhost/packtool-ci
