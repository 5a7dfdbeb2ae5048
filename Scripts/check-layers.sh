#!/bin/sh
# Holds the rooms of PackCore to docs/architecture.md: who may import what, and what no room may do.
set -eu
cd "$(dirname "$0")/.."
failed=0
# forbid PATTERN ALLOWED-PATHS MESSAGE
forbid() {
    found=$(grep -rnE "$1" Sources/PackCore --include='*.swift' | grep -vE "$2" || true)
    if [ -n "$found" ]; then
        echo "error: $3" >&2
        echo "$found" | sed 's/^/  /' >&2
        failed=1
    fi
}
none='^$'
forbid '^import CArchive' '^Sources/PackCore/(Archive|Ground/Files|Ground/Hashing/Checksum)' \
    'CArchive is imported outside Archive/ and Files/ (and the CRC of Hashing/Checksum.swift)'
forbid '^(internal |package )?import Crypto' '^Sources/PackCore/Ground/Hashing/' 'Crypto is imported outside Hashing/'
forbid '^import Yams' "$none" 'Yams is imported outside the settings (Sources/PackTool/Settings)'
forbid '(^|[^a-zA-Z.])print\(' '\.print\(' 'PackCore prints'
forbid '(^|[^a-zA-Z.])exit\(|ProcessInfo|getenv\(|CommandLine\.' "$none" 'PackCore looks at its surroundings'
forbid 'Date\(\)|clock_gettime|gettimeofday|[^a-zA-Z]time\(nil\)' "$none" 'PackCore asks a clock'
# An app takes the decoder as it is: one folder, the standard library alone.
if grep -rnE '^import |\b(Directory|FileDigest|AssetPath|Digest|StreamHasher|Release)\b' Sources/PackCore/Delta/Codec; then
    echo 'error: DeltaCodec/ uses more than the standard library' >&2
    failed=1
fi
forbid 'readdir\(|\.enumerator\(' '^Sources/PackCore/Ground/Files/' 'a directory is walked outside Files/'
forbid 'try!|as!|fatalError\(' "$none" 'a trap that input could reach'
forbid 'FileManager|replaceItemAt|FileHandle|\.write\(to: URL' "$none" \
    'a Foundation call that can lose data (docs/architecture.md)'
# The readers of web formats stand on the ground floor and know no other room, nor one another.
readers='Directory|AssetPath|FileTree|JSONParser|JSONValue|Digest|Release|Manifest|Pointer|Remedied|printable'
if grep -rnwE "$readers|CSS[A-Z][A-Za-z]*" Sources/PackCore/Web/URL; then
    echo 'error: URL/ uses another room' >&2
    failed=1
fi
if grep -rnwE "$readers|URL(Record|Host|Origin|Parser|ValidationError)" Sources/PackCore/Web/CSS; then
    echo 'error: CSS/ uses another room' >&2
    failed=1
fi
if grep -rnE '^[a-z@ ]*import ' Sources/PackCore/Web/URL Sources/PackCore/Web/CSS; then
    echo 'error: URL/ or CSS/ imports a module' >&2
    failed=1
fi
# Ground floor: rooms that use no other room.
if grep -rnwE 'Directory|OwnedDescriptor|AssetPath|FileTree|JSON[A-Z][a-zA-Z]*|Digest|Release|Manifest|Remedied|printable' \
    Sources/PackCore/Web/HTML; then
    echo 'error: HTML/ uses another room' >&2
    failed=1
fi
# Profile, Site, Check and Rules stand on one another in this order, and on no room that orchestrates.
orchestrating='Publisher|PublishRequest|PublishState|SitePlan|ObjectStore|Installer|Installation|InstallState|OriginVerifier'
if grep -rnwE "$orchestrating" Sources/PackCore/Check/Profile Sources/PackCore/Check/Site Sources/PackCore/Check/Engine Sources/PackCore/Check/Rules; then
    echo 'error: a room of the check uses one that orchestrates' >&2
    failed=1
fi
checking='Rule|RuleCatalog|Finding|FindingSink|Checker|Fix'
if grep -rnwE "$checking|SiteIndex|DocumentContext|DocumentSummary|Reference" Sources/PackCore/Check/Profile \
    || grep -rnwE "$checking" Sources/PackCore/Check/Site; then
    echo 'error: Profile/ or Site/ uses a room above it' >&2
    failed=1
fi
if grep -rnwE "$readers|URL(Record|Host|Origin|Parser)|CSS[A-Z][A-Za-z]*|HTML[A-Z][A-Za-z]*" \
    Sources/PackCore/Web/JavaScript Sources/PackCore/Web/Data Sources/PackCore/Web/Encodings; then
    echo 'error: JavaScript/, Data/ or Encodings/ uses another room (Data/ may use JavaScript/)' >&2
    failed=1
fi
# Simulate replays a client over two releases; it knows the model of the handler and no rules.
if grep -rnwE "$orchestrating|$checking|SiteIndex|DocumentContext|DocumentSummary|Reference" Sources/PackCore/Check/Simulate; then
    echo 'error: Simulate/ uses more than Profile/ and Hashing/' >&2
    failed=1
fi
# Rewriting stands on the rules; nothing of the library stands on it.
forbid '\b(Rewriter|RewriteTarget|RewriteRecord|RewriteError)\b' '^Sources/PackCore/Check/Rewrite/' 'a room uses Rewrite/'
# The orchestrating rooms never know one another.
if grep -rnE '\b(Publisher|PublishRequest|PublishState|SitePlan|ObjectStore)\b' Sources/PackCore/Client; then
    echo 'error: Client/ uses Publish/' >&2
    failed=1
fi
if grep -rnE '\b(Installer|Installation|InstallState)\b' Sources/PackCore/Publish; then
    echo 'error: Publish/ uses Client/' >&2
    failed=1
fi
[ "$failed" = 0 ] && echo 'layers: sound'
exit "$failed"
