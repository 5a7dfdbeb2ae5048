#!/bin/sh
# API documentation with swift-docc-plugin, which is no dependency of the package itself: it is added to
# a copy of the manifest for this one run.
set -eu
cd "$(dirname "$0")/.."
Scripts/install.sh build
work=.build/docs-package
rm -rf "$work"
mkdir -p "$work"
cp -R Sources "$work/"
mkdir -p "$work/Tests/PackCoreTests" "$work/Tests/PackToolTests"
echo 'import PackCore' >"$work/Tests/PackCoreTests/Empty.swift"
echo '// No tests in this copy.' >"$work/Tests/PackToolTests/Empty.swift"
sed 's|    dependencies: \[|    dependencies: [\
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),|;t' Package.swift |
    awk '/swift-docc-plugin/ && seen++ { next } { print }' >"$work/Package.swift"
swift package --package-path "$work" --scratch-path .build/docs-build \
    --allow-writing-to-directory .build generate-documentation --target PackCore \
    --disable-indexing --transform-for-static-hosting --output-path .build/docs \
    --symbol-graph-minimum-access-level package
echo "wrote .build/docs/index.html"
