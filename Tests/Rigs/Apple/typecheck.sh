#!/bin/sh
# Type-checks PackClientWebKit on Linux against stubs of WebKit. It shows that the code compiles with the
# declarations in stubs/, not that it compiles or works with Apple's SDK.
#
#   typecheck.sh [BUILD]    BUILD is the folder of the built modules, .build/release by default
set -eu
cd "$(dirname "$0")/../../.."
build=${1:-.build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -e "$build/Modules/PackPages.swiftmodule" ] || {
    echo "error: no module PackPages in $build
help: swift build --target PackPages" >&2
    exit 2
}
swiftc -swift-version 6 -emit-module -module-name WebKit -o "$work/WebKit.swiftmodule" \
    Tests/Rigs/Apple/stubs/WebKit.swift
set --
for map in "$build"/C*.build/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap; do
    [ -f "$map" ] && set -- "$@" -Xcc "-fmodule-map-file=$map"
done
swiftc -typecheck -swift-version 6 -package-name packtool -module-name PackClientWebKit \
    -strict-memory-safety -warnings-as-errors -enable-upcoming-feature ExistentialAny \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
    -I "$work" -I "$build/Modules" "$@" Sources/PackCore/Client/WebKit/*.swift
echo "PackClientWebKit: type-checked against stubs"
