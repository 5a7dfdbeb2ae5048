#!/usr/bin/env bash
# Fuzzes readers with libFuzzer: run.sh TARGET [RUNS] [SECONDS]
# TARGET is one of
#   readers-pages (HTML), readers-styles (CSS), readers-scripts (JavaScript), readers-data (JSON, XML,
#   source maps), readers-urls, readers (all of them);
#   delta (whole streams), delta-listing, delta-lzma: with the address sanitizer, because they use pointers;
#   heads (of HTTP requests, for 'packtool serve');
#   archive, reuse, manifest, pointer: edits of valid ones, with the address sanitizer.
# The committed corpus is in TARGET/corpus; what a run finds goes to .build/fuzz.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
target=${1:?usage: run.sh TARGET [RUNS] [SECONDS], or run.sh --list}
if [ "$target" = --list ]; then
    printf '%s\n' readers-pages readers-styles readers-scripts readers-data readers-urls \
        heads delta-listing delta-lzma delta manifest pointer archive reuse
    exit
fi
runs=${2:-10000000}
seconds=${3:-0}
out=$root/.build/fuzz/$target
mkdir -p "$out/found"

flags=(-sanitize=fuzzer,address)
limits=(-max_len=4096)
corpus=$here/${target%%-*}/corpus
case $target in
delta | delta-listing | delta-lzma)
    [ "$target" = delta-listing ] && flags+=(-D LISTING)
    [ "$target" = delta-lzma ] && flags+=(-D LZMA)
    # Small tables, because filling large ones takes most of the time: this runs the same code a thousand
    # times as often.
    rm -rf "$out/sources" && mkdir "$out/sources"
    cp "$root"/Sources/PackCore/Delta/Codec/*.swift "$here"/delta/*.swift "$out/sources"
    shrink() { # FILE FROM TO
        grep -qF "$2" "$out/sources/$1" || { echo "$1 no longer contains '$2': update run.sh" >&2; exit 2; }
        sed -i "s/$2/$3/" "$out/sources/$1"
    }
    shrink FlagModel.swift "bits = 16" "bits = 6"
    shrink MatchIndex.swift "bits4 = 18" "bits4 = 6"
    shrink RenameDictionary.swift "bits = 14" "bits = 6"
    shrink NameShift.swift "bits = 12" "bits = 6"
    shrink AlignedCoder.swift "Cells<UInt32>(bits: 18" "Cells<UInt32>(bits: 10"
    sources=("$out"/sources/*.swift)
    export FUZZ_OLD=$here/delta/old
    ;;
readers | readers-*)
    core=$root/Sources/PackCore
    flags=(-sanitize=fuzzer -module-name PackFuzz)
    [ "$target" = readers ] || flags+=(-D "$(echo "${target#readers-}" | tr a-z A-Z)")
    # These sources import nothing, so the compiler builds them without SwiftPM.
    sources=("$core"/Web/*/*.swift "$here"/readers/*.swift)
    ;;
heads)
    # Longer than a head may be.
    limits=(-max_len=20000)
    core=$root/Sources/PackCore
    flags=(-sanitize=fuzzer -module-name PackFuzz)
    # libFuzzer reports traps.
    export SWIFT_BACKTRACE=enable=no
    # What the reader needs, and an answer without files.
    rm -rf "$out/sources" && mkdir "$out/sources"
    cp "$core"/Serve/{RequestHead,RequestHeadReader,ServeRequest}.swift \
        "$core"/{Release/PercentEncodedPath,Ground/Reporting/PrintableText}.swift "$core"/Web/URL/*.swift "$here"/heads/*.swift "$out/sources"
    sed -i -e '/^import Pack[A-Z][a-z]*$/d' -e '/var answer: ServeAnswer/d' "$out"/sources/*.swift
    sources=("$out"/sources/*.swift)
    ;;
archive | reuse | manifest | pointer)
    core=$root/Sources/PackCore
    # The sources that these need, with their own SHA-256, so that the compiler builds them without SwiftPM.
    rm -rf "$out/sources" "$out/modules" && mkdir "$out/sources" "$out/modules"
    cp "$core"/{Archive,Ground/*,Ground/Files/Names,Origin,Origin/Store,Release}/*.swift \
        "$core"/Web/URL/{PercentEncoding,UTF8Sequence}.swift "$here"/formats/*.swift "$out/sources"
    rm "$out/sources/SubresourceIntegrity.swift"
    tests=$root/Tests
    cp "$tests"/PackCoreTests/Mutants/{EditProgram,Mutated*,*Property}.swift \
        "$tests"/Support/Archives/HostileZip.swift "$out/sources"
    # In one module, this would be declared twice.
    sed -i 's/append(little/add(little/' "$out/sources/HostileZip.swift"
    sed -i -e '/^import Crypto$/d' -e '/import Pack[A-Z][a-z]*$/d' -e '/import TestSupport$/d' "$out"/sources/*.swift
    cp "$root"/Sources/CArchive/include/* "$root"/Sources/CArchive/system/* "$out/modules"
    echo 'module CArchive { header "CArchive.h" export * }' >>"$out/modules/module.modulemap"
    objects=()
    for file in "$root"/Sources/CArchive/*.c; do
        objects+=("$out/$(basename "$file" .c).o")
        clang -O2 -g -fsanitize=address,fuzzer-no-link -I "$out/modules" -c "$file" -o "${objects[-1]}"
    done
    flags+=(-module-name PackFuzz -I "$out/modules" -D "$(echo "$target" | tr a-z A-Z)" "${objects[@]}"
        -larchive -ldeflate -llzma -lz)
    sources=("$out"/sources/*.swift)
    # In memory, if the system has a file system there.
    memory=/dev/shm
    [ -d "$memory" ] || memory=${TMPDIR:-/tmp}
    FUZZ_FOLDER=$(mktemp -d "$memory/packtool-fuzz.XXXXXX")
    export FUZZ_FOLDER
    trap 'rm -rf "$FUZZ_FOLDER"' EXIT
    # libFuzzer reports traps.
    export SWIFT_BACKTRACE=enable=no
    # The edits are short from the beginning.
    limits=(-max_len=1024 -len_control=0)
    # Recording where memory was allocated takes another third of the time.
    export ASAN_OPTIONS=malloc_context_size=1:quarantine_size_mb=32
    ;;
*)
    echo "error: unknown target '$target'" >&2
    echo "help: run '$0 --list' for the targets" >&2
    exit 64
    ;;
esac

fuzz() { # RUNS SECONDS [FLAG]
    swiftc -O -wmo -swift-version 6 -parse-as-library -package-name packtool "${flags[@]}" "${@:3}" \
        -o "$out/fuzz" "${sources[@]}"
    "$out/fuzz" -runs="$1" -max_total_time="$2" "${limits[@]}" -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$out/" "$out/found" \
        $([ -d "$corpus" ] && echo "$corpus")
}
case $target in
heads | readers | readers-*) fuzz "$runs" "$seconds" ;;
*)
    # Tracing every comparison takes libFuzzer half of the time, so only a tenth of the runs do it.
    # Each kind gets half of the seconds, rounded up, because 0 means no limit.
    fuzz $((runs / 10)) $(((seconds + 1) / 2))
    fuzz $((runs - runs / 10)) $(((seconds + 1) / 2)) -sanitize-coverage=edge,inline-8bit-counters
    ;;
esac
