#!/usr/bin/env bash
# Fuzzes readers with libFuzzer: run.sh TARGET [RUNS] [SECONDS]
#   run.sh --list    the targets
#   run.sh --check   whether each of them still compiles, in seconds
# TARGET is one of
#   readers-pages (HTML), readers-styles (CSS), readers-scripts (JavaScript), readers-data (JSON, XML,
#   source maps), readers-urls, readers (all of them);
#   delta (whole streams), delta-listing, delta-lzma: with the address sanitizer, because they use pointers;
#   heads (of HTTP requests, for 'packtool serve');
#   archive, reuse, manifest, pointer: edits of valid ones, with the address sanitizer;
#   root (trust roots), keys (PEM files), signer-answers (of '--sign-with'), signed-pointer (and its
#   verification): edits of valid ones, which are signed again;
#   bytes-root, bytes-pointer (their payloads), bytes-envelope, bytes-key, bytes-answer: only the readers of
#   these, with arbitrary bytes.
# The committed corpus is in TARGET/corpus; findings are written to .build/fuzz.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
target=${1:?usage: run.sh TARGET [RUNS] [SECONDS], or run.sh --list}
if [ "$target" = --list ]; then
    printf '%s\n' readers-pages readers-styles readers-scripts readers-data readers-urls \
        heads delta-listing delta-lzma delta manifest pointer archive reuse \
        root keys signer-answers signed-pointer \
        bytes-root bytes-pointer bytes-envelope bytes-key bytes-answer
    exit
fi
if [ "$target" = --check ]; then
    # One target of each set of sources.
    for one in readers delta delta-listing delta-lzma heads archive root; do
        FUZZ_CHECKS=1 "$0" "$one" || { echo "the fuzz target '$one' does not compile" >&2; exit 1; }
    done
    echo "all fuzz targets compile"
    exit
fi
runs=${2:-10000000}
seconds=${3:-0}
out=$root/.build/fuzz/$target
built=$out
objects=()
mkdir -p "$out/found"

# Changes a constant in the copied sources.
shrink() { # FILE FROM TO
    grep -q "$2" "$built/sources/$1" || { echo "$1 no longer contains '$2': update run.sh" >&2; exit 2; }
    sed -i "s/$2/$3/" "$built/sources/$1"
}

# Copies the sources used by nearly all formats, and those of the given folders of PackCore. With their own
# SHA-256, the compiler builds them without SwiftPM.
stage() { # NAME FOLDER…
    local core=$root/Sources/PackCore
    built=$root/.build/fuzz/$1
    mkdir -p "$built"
    rm -rf "$built/sources" "$built/modules" && mkdir "$built/sources" "$built/modules"
    cp "$core"/{Ground,Ground/*,Ground/Files/Names,Origin,Origin/Store,Origin/Store/HTTP,Release,Web/URL}/*.swift \
        "$here"/formats/StandInHashes.swift "$here/$1"/*.swift "$built/sources"
    for folder in "${@:2}"; do cp "$core/$folder"/*.swift "$built/sources"; done
    rm "$built/sources/SubresourceIntegrity.swift"
}

# Makes one module of the copied sources, and compiles the C sources.
join() { # FLAG… (of clang)
    sed -i -E -e '/^import Crypto(Extras)?$/d' -e '/import (Pack[A-Z][A-Za-z0-9]*|TestSupport|Testing)$/d' \
        -e 's/\bPack(Ground|Release|Origin)\.//g' "$built"/sources/*.swift
    # The compiler omits functions that are neither visible outside the module nor used by a target.
    sed -i -E 's/^( *(@safe )?)package /\1/' "$built"/sources/*.swift
    cp "$root"/Sources/CArchive/{include,files/include,system}/* "$here"/formats/sha256/*.h "$built/modules"
    echo 'module CArchive { header "CArchive.h" export * }
module CFiles { header "CFiles.h" export * }
module CFuzz { header "sha256.h" export * }' >>"$built/modules/module.modulemap"
    for file in "$root"/Sources/CArchive/{,files/}*.c "$here"/formats/sha256/*.c; do
        objects+=("$built/$(basename "$file" .c).o")
        local chosen=("$@")
        # The hash is not under test.
        [ "$(basename "$file")" = sha256.c ] && chosen=()
        clang -O2 -g "${chosen[@]}" -I "$built/modules" -c "$file" -o "${objects[-1]}"
    done
    flags=(-module-name PackFuzz -I "$built/modules" -ldeflate -llzma -lz)
    sources=("$built"/sources/*.swift)
    export FUZZ_TARGET=$target
    # libFuzzer reports traps.
    export SWIFT_BACKTRACE=enable=no
    # The edits are short from the beginning.
    limits=(-max_len=1024 -len_control=0)
}

flags=()
sanitizers=fuzzer,address
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
    flags=(-module-name PackFuzz)
    [ "$target" = readers ] || flags+=(-D "$(echo "${target#readers-}" | tr a-z A-Z)")
    # These sources import nothing, so the compiler builds them without SwiftPM.
    mapfile -t sources < <(find "$core/Web" "$here/readers" -name '*.swift' | sort)
    ;;
heads)
    # Longer than the limit of a head.
    limits=(-max_len=20000)
    core=$root/Sources/PackCore
    flags=(-module-name PackFuzz)
    # libFuzzer reports traps.
    export SWIFT_BACKTRACE=enable=no
    # The reader's dependencies, and an answer without files.
    rm -rf "$out/sources" && mkdir "$out/sources"
    cp "$core"/Serve/{RequestHead,RequestHeadReader,ServeRequest}.swift \
        "$core"/{Release/PercentEncodedPath,Ground/Reporting/PrintableText,Ground/Reporting/SlashedText}.swift "$core"/Web/URL/*.swift "$here"/heads/*.swift "$out/sources"
    sed -i -E -e '/import Pack[A-Z][A-Za-z0-9]*$/d' -e '/var answer: ServeAnswer/d' "$out"/sources/*.swift
    sources=("$out"/sources/*.swift)
    ;;
archive | reuse | manifest | pointer)
    # One program for the four: building it takes minutes.
    stage formats Archive Zip
    tests=$root/Tests
    cp "$tests"/PackCoreTests/Mutants/{EditProgram,MutatedJSON,MutatedZip,ArchiveProperty,DocumentProperty}.swift \
        "$tests"/Support/Archives/HostileZip.swift "$built/sources"
    # In one module, this would be declared twice.
    sed -i 's/append(little/add(little/' "$built/sources/HostileZip.swift"
    join -fsanitize=address,fuzzer-no-link -DINPUT_SIZE=4096
    # Small buffers and one compressor, because clearing them takes most of the time. Records and contents
    # also cross buffer boundaries then.
    shrink ByteBuffer.swift "ByteBuffer(count: 256 \* 1024)" "ByteBuffer(count: 1024)"
    shrink ZlibDecoder.swift "ByteBuffer(count: 64 << 10)" "ByteBuffer(count: 512)"
    shrink ZlibDecoder.swift "ByteBuffer(count: 256 << 10)" "ByteBuffer(count: 1024)"
    shrink ZipWindow.swift "windowSize = 64 \* 1024" "windowSize = 512"
    shrink ContentDeflater.swift "sampleSize = 64 << 10" "sampleSize = 1 << 10"
    shrink ContentDeflater.swift "Deflater(level: level.deepLibdeflate)" "Deflater(level: 1)"
    # In memory, if the system has a memory file system.
    memory=/dev/shm
    [ -d "$memory" ] || memory=${TMPDIR:-/tmp}
    FUZZ_FOLDER=$(mktemp -d "$memory/packtool-fuzz.XXXXXX")
    export FUZZ_FOLDER
    trap 'rm -rf "$FUZZ_FOLDER"' EXIT
    # Recording allocation sites and filling memory takes half of the time.
    export ASAN_OPTIONS=malloc_context_size=0:quarantine_size_mb=1:max_malloc_fill_size=64:detect_leaks=0
    ;;
root | keys | signer-answers | signed-pointer | bytes-*)
    # One program for all of them, with a stand-in for swift-crypto (trust/StandInCrypto.swift): PBKDF2 alone
    # takes 0.2 s per file, and the stand-in hides no reader. packtool itself parses PEM, DER and JSON;
    # swift-crypto receives keys of a fixed length, signatures and encrypted data, and parses DER only in a
    # P-256 signature. MutantTests makes the same edits with swift-crypto.
    stage trust Trust Trust/Keys Trust/Signing
    tests=$root/Tests/PackCoreTests
    cp "$tests"/Mutants/{EditProgram,MutatedJSON,MutatedDER,MutatedKeyFile,MutatedTrust,TrustProperty*}.swift \
        "$root/Tests/Support/Trust/TrustLab.swift" "$built/sources"
    join
    # These readers use no pointers.
    sanitizers=fuzzer
    if [ "${target%%-*}" = bytes ]; then
        limits=(-max_len=3000 -len_control=0)
        export FUZZ_SEEDS=$out/found
    fi
    ;;
*)
    echo "error: unknown target '$target'" >&2
    echo "help: run '$0 --list' for the targets" >&2
    exit 64
    ;;
esac

fuzz() { # RUNS SECONDS NAME FLAG…
    local program=$built/$3 made
    if [ -n "${FUZZ_CHECKS:-}" ]; then
        swiftc -typecheck -wmo -swift-version 6 -parse-as-library -package-name packtool -suppress-warnings \
            "${flags[@]}" "${sources[@]}"
        exit
    fi
    # A build takes minutes, so it is kept as long as its inputs are unchanged.
    made=$({
        printf '%s\n' "$(swiftc --version 2>&1)" "${flags[@]}" "${@:4}"
        cat "${sources[@]}" "${objects[@]}"
    } | sha256sum)
    if [ "$(cat "$program.made" 2>&1)" != "$made" ]; then
        swiftc -O -wmo -swift-version 6 -parse-as-library -package-name packtool "${flags[@]}" "${@:4}" \
            -o "$program" "${sources[@]}"
        echo "$made" >"$program.made"
    fi
    # Each kind of a target gets half of the seconds, rounded up, because 0 means no limit.
    "$program" -runs="$1" -max_total_time="$2" "${limits[@]}" -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$out/" "$out/found" \
        $([ -d "$corpus" ] && echo "$corpus")
}
most=$((runs - runs / 10))
half=$(((seconds + 1) / 2))
# Tracing every comparison takes half of libFuzzer's time, so only a tenth of the runs do it.
edges=-sanitize-coverage=edge,inline-8bit-counters
case $target in
heads | readers | readers-*) fuzz "$runs" "$seconds" fuzz -sanitize=fuzzer ;;
*)
    fuzz $((runs / 10)) "$half" compares -sanitize=$sanitizers "${objects[@]}"
    fuzz "$most" "$half" edges -sanitize=$sanitizers "$edges" "${objects[@]}"
    ;;
esac
