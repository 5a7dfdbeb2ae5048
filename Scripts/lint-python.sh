#!/bin/sh
# Checks the Python code by ruff.toml, with the version of ruff that is named here.
# It is taken from PyPI into .build/ruff if the machine has none: Debian 12 has no package of it.
set -eu
cd "$(dirname "$0")/.."
version=0.17.6
ruff=ruff
if [ "$("$ruff" --version 2>/dev/null || true)" != "ruff $version" ]; then
    ruff=.build/ruff/bin/ruff
    if [ "$("$ruff" --version 2>/dev/null || true)" != "ruff $version" ]; then
        rm -rf .build/ruff
        # One retry: package mirrors are the least reliable part of a build.
        install() {
            python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
                --root-user-action=ignore --target .build/ruff "ruff==$version"
        }
        install || { sleep 5; install; } || {
            echo "error: ruff $version is missing, and pip could not install it" >&2
            echo "help: python3 -m pip install ruff==$version, or put ruff $version on the path" >&2
            exit 2
        }
    fi
fi
"$ruff" check --quiet . || { echo "help: $ruff check --fix ." >&2; exit 1; }
echo "python: sound"
