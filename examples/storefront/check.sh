#!/bin/sh
# Checks that the committed dist/ is complete, and equals the output of the committed source.
# Exit code 0: yes, or there is no esbuild, which is printed. Exit code 1: no.
set -eu
LC_ALL=C.UTF-8
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"

# References first: this part needs only Python, so it runs everywhere.
python3 check_links.py dist/1.0.0 dist/1.1.0
python3 check_links.py --self-test dist/1.0.0

wanted=$(cat esbuild.version)
if ! command -v esbuild >/dev/null 2>&1; then
    echo "SKIP esbuild is not installed (version $wanted needed): dist/ was not rebuilt"
    exit 0
fi
found=$(esbuild --version)
if [ "$found" != "$wanted" ]; then
    echo "SKIP esbuild is version $found (version $wanted needed): dist/ was not rebuilt"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
./build.py --out "$work/dist"
if ! diff -r dist "$work/dist"; then
    echo "error: dist/ is not what src/ builds
help: run ./build.py and commit the result" >&2
    exit 1
fi
echo "OK dist/ is byte for byte what esbuild $wanted builds"
