#!/bin/sh
# Compares the JavaScript lexer and parser with acorn (Debian: node-acorn nodejs) on files or folders, and
# their features with what esbuild (Debian: esbuild) compiles for old engines.
#
#   Tests/Rigs/JavaScript/compare-acorn.sh [FILE-OR-FOLDER…]       default: the example, and this folder
#
# Builds Tests/Rigs/Readers and the module PackWeb, which imports nothing, with the compiler.
set -eu
cd "$(dirname "$0")/../../.."
if ! command -v node >/dev/null 2>&1 || [ ! -e /usr/share/nodejs/acorn ]; then
    echo 'SKIPPED, nothing was compared: no acorn (apt-get install nodejs node-acorn)' >&2
    exit 0
fi
driver=.build/readers
sources="$(find Sources/PackCore/Web -name '*.swift' ! -path '*/URL/*') Tests/Rigs/Readers/Trees.swift Tests/Rigs/Readers/main.swift"
if [ ! -e "$driver" ] || [ -n "$(find $sources -newer "$driver")" ]; then
    mkdir -p .build
    swiftc -Onone -wmo -swift-version 6 -package-name packtool $sources -o "$driver"
fi
if [ $# = 0 ]; then set -- examples Tests/Rigs/JavaScript; fi
node Tests/Rigs/JavaScript/compare-acorn.mjs "$driver" "$@"
node Tests/Rigs/JavaScript/compare-tree.mjs "$driver" "$@"
node Tests/Rigs/JavaScript/compare-features.mjs "$driver" "$@"
if command -v esbuild >/dev/null 2>&1; then
    exec node Tests/Rigs/JavaScript/compare-targets.mjs "$driver" "$@" --every 8
fi
