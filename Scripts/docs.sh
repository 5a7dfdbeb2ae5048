#!/bin/sh
# Writes the API documentation of the libraries with the tools of the Swift toolchain: symbols of the built modules, and docc.
# It uses no plugin, so the package gets no dependency for its documentation.
set -eu
cd "$(dirname "$0")/.."
Scripts/install.sh build
command -v swift >/dev/null || { echo "error: 'swift' is not on the PATH
help: install the toolchain of swift.org, 6.2 or later" >&2; exit 2; }
toolchain=$(dirname "$(readlink -f "$(command -v swift)")")
for tool in docc swift-symbolgraph-extract; do
    [ -x "$toolchain/$tool" ] || {
        echo "error: no '$tool' in the toolchain at $toolchain" >&2
        echo "help: use the toolchain of swift.org, 6.2 or later" >&2
        exit 2
    }
done
swift build --product packtool
swift build --product PackClientURLSession
products=$(swift build --show-bin-path)
work=.build/docs-work
rm -rf "$work" .build/docs
mkdir -p "$work/symbols"

# The C modules that the libraries are built on.
set --
for map in "$products"/C*.build/module.modulemap Sources/CArchive/system/module.modulemap \
    .build/checkouts/*/Sources/*/include/module.modulemap .build/checkouts/*/*/include/module.modulemap; do
    [ -f "$map" ] && set -- "$@" -Xcc "-fmodule-map-file=$map"
done
triple=$(swift -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -n 1)
modules=$(Scripts/target-graph.py | sed -n 's/^\(Pack[A-Za-z0-9]*\).*/\1/p' | grep -v -x -e PackTool -e PackCommands -e PackClientWebKit)
for module in $modules; do
    "$toolchain/swift-symbolgraph-extract" -module-name "$module" -I "$products/Modules" "$@" \
        -target "$triple" -minimum-access-level package -skip-synthesized-members -skip-inherited-docs \
        -output-dir "$work/symbols"
done
Scripts/docs-links.py "$work/symbols"
"$toolchain/docc" convert --additional-symbol-graph-dir "$work/symbols" \
    --fallback-display-name packtool --fallback-bundle-identifier packtool \
    --transform-for-static-hosting --hosting-base-path "${DOCS_BASE_PATH-/}" \
    --output-path .build/docs >"$work/docc.log" 2>&1 || { cat "$work/docc.log" >&2; exit 1; }
# A broken link fails; an undocumented parameter does not.
if grep -A 1 -E "^warning: .*(doesn't exist|is ambiguous) at" "$work/docc.log" >&2; then
    echo "error: broken links in doc comments, listed above" >&2
    exit 1
fi
for module in $modules; do
    folder=documentation/$(echo "$module" | tr A-Z a-z)
    pages=$(find ".build/docs/$folder" -name index.html | wc -l)
    [ "$pages" -gt 1 ] || { echo "error: docc wrote $pages pages of $module" >&2; exit 1; }
    echo "wrote $pages pages: http://localhost:8000/$folder/"
done
echo "read them with: python3 -m http.server --directory .build/docs"
