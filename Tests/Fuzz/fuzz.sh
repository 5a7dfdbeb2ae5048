#!/bin/sh
# Builds the readers of the web with libFuzzer and runs them.
#   Tests/Fuzz/fuzz.sh [RUNS]        default 10,000,000; the corpus stays in .build/fuzz/corpus
# The rooms it takes import nothing, so the compiler alone builds them.
set -eu
cd "$(dirname "$0")/../.."
runs=${1:-10000000}
mkdir -p .build/fuzz/corpus
core=Sources/PackCore
swiftc -O -wmo -parse-as-library -swift-version 6 -package-name packtool -module-name PackFuzz \
    -sanitize=fuzzer $core/JavaScript/*.swift $core/Data/*.swift $core/Encodings/*.swift \
    $core/HTML/*.swift $core/CSS/*.swift $core/URL/*.swift Tests/Fuzz/fuzz.swift -o .build/fuzz/fuzz
exec .build/fuzz/fuzz -runs="$runs" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix=.build/fuzz/ .build/fuzz/corpus
