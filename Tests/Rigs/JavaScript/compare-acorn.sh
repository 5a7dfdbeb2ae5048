#!/bin/sh
# Compares the JavaScript lexer with acorn (Debian: node-acorn nodejs) on files or folders.
#
#   Tests/Rigs/JavaScript/compare-acorn.sh [FILE-OR-FOLDER…]       default: the example, and this folder
#
# Builds Tests/Rigs/Readers with the compiler, without SwiftPM: the required sources import nothing.
set -eu
cd "$(dirname "$0")/../../.."
if ! command -v node >/dev/null 2>&1 || [ ! -e /usr/share/nodejs/acorn ]; then
    echo 'SKIPPED, nothing was compared: no acorn (apt-get install nodejs node-acorn)' >&2
    exit 0
fi
driver=.build/readers
# The parts of the HTML reader used by the JavaScript readers.
shared="Sources/PackCore/Web/HTML/Srcset.swift Sources/PackCore/Web/HTML/ByteScan.swift"
if [ -z "$(find "$driver" -newer Tests/Rigs/Readers/main.swift 2>/dev/null)" ] \
    || [ -n "$(find Sources/PackCore/Web/JavaScript Sources/PackCore/Web/Data -newer "$driver" -name '*.swift')" ]; then
    swiftc -O -wmo -swift-version 6 -package-name packtool Sources/PackCore/Web/JavaScript/*.swift \
        Sources/PackCore/Web/JavaScript/Bundlers/*.swift Sources/PackCore/Web/Data/*.swift $shared Tests/Rigs/Readers/main.swift -o "$driver"
fi
if [ $# = 0 ]; then set -- examples Tests/Rigs/JavaScript; fi
exec node Tests/Rigs/JavaScript/compare-acorn.mjs "$driver" "$@"
