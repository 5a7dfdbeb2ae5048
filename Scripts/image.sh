#!/bin/sh
# Builds the container image with whatever builder is at hand.
set -eu
cd "$(dirname "$0")/.."
for engine in docker podman buildah; do
    command -v "$engine" >/dev/null 2>&1 || continue
    case "$engine" in
    docker) docker info >/dev/null 2>&1 || continue ;;
    esac
    exec "$engine" build -t packtool .
done
echo "error: no container engine answers (docker, podman, buildah)" >&2
echo "help: start one, or run 'make image-check', which needs none" >&2
exit 2
