#!/bin/sh
# Builds the container image with whatever builder is at hand. PACKTOOL_IMAGE_FLAGS goes to the builder.
set -eu
cd "$(dirname "$0")/.."
for engine in docker podman buildah; do
    command -v "$engine" >/dev/null 2>&1 || continue
    case "$engine" in
    docker) docker info >/dev/null 2>&1 || continue ;;
    esac
    # shellcheck disable=SC2086  # several words on purpose
    exec "$engine" build ${PACKTOOL_IMAGE_FLAGS-} -t packtool .
done
echo "error: no container engine answers (docker, podman, buildah)" >&2
echo "help: start or install one (Debian: apt-get install buildah)" >&2
echo "help: where no registry can be reached, 'make image-check' builds on base images of its own" >&2
exit 2
