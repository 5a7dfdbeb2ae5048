#!/bin/sh
# Builds the container image with the first builder found. PACKTOOL_IMAGE_FLAGS is passed to it, such as
# '--target ci' for the image with a shell.
set -eu
cd "$(dirname "$0")/.."
commit=$(git rev-parse HEAD)
time=$(git log -1 --format=%ct)
for engine in docker podman buildah; do
    command -v "$engine" >/dev/null 2>&1 || continue
    case "$engine" in
    docker) docker info >/dev/null 2>&1 || continue ;;
    esac
    # shellcheck disable=SC2086  # several words on purpose
    exec "$engine" build --build-arg COMMIT="$commit" --build-arg SOURCE_DATE_EPOCH="$time" \
        ${PACKTOOL_IMAGE_FLAGS-} -t packtool .
done
echo "error: found no running container engine (docker, podman, buildah)" >&2
echo "help: start one, or install one (on Debian: apt-get install buildah)" >&2
echo "help: without access to a registry, run 'make image-check', which makes its own base images" >&2
exit 2
