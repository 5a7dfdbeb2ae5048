#!/bin/sh
# Type-checks PackClientWebKit and examples/app-ios on Linux against stubs of Apple's modules. It shows that the
# code compiles with the declarations in stubs/, not that it compiles or works with Apple's SDK.
#
#   typecheck.sh [BUILD]    BUILD is the folder of the built modules, .build/release by default
set -eu
cd "$(dirname "$0")/../../.."
build=${1:-.build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for module in PackPages PackClientURLSession; do
    [ -e "$build/Modules/$module.swiftmodule" ] || {
        echo "error: no module $module in $build
help: swift build --target $module" >&2
        exit 2
    }
done

# module NAME SOURCE...: compiles an importable module, without code.
module() {
    name=$1
    shift
    swiftc -swift-version 6 -emit-module -module-name "$name" \
        -o "$work/$name.swiftmodule" -I "$work" "$@"
}

for name in UIKit SwiftUI WebKit; do module "$name" "Tests/Rigs/Apple/stubs/$name.swift"; done
set --
for map in "$build"/C*.build/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap; do
    [ -f "$map" ] && set -- "$@" -Xcc "-fmodule-map-file=$map"
done
swiftc -emit-module -swift-version 6 -package-name packtool -module-name PackClientWebKit \
    -strict-memory-safety -warnings-as-errors -enable-upcoming-feature ExistentialAny \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
    -o "$work/PackClientWebKit.swiftmodule" \
    -I "$work" -I "$build/Modules" "$@" Sources/PackCore/Client/WebKit/*.swift
echo "PackClientWebKit: type-checked against stubs"
swiftc -typecheck -swift-version 6 -parse-as-library -module-name App -warnings-as-errors \
    -I "$work" -I "$build/Modules" "$@" examples/app-ios/App/*.swift
Tests/Rigs/Apple/check_project.py examples/app-ios/App.xcodeproj
echo "examples/app-ios: type-checked against stubs"
