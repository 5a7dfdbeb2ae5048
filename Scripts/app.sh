#!/bin/sh
# Opens the example app with an origin of its own in .build/app, which later calls keep.
set -eu
cd "$(dirname "$0")/.."
place=.build/app
swift build --product packtool
swift build -c release --package-path examples/app-linux
packtool=$PWD/.build/debug/packtool
mkdir -p "$place"
if [ ! -d "$place/cdn" ]; then
    cp -r examples/app-linux/pages "$place/pages"
    "$packtool" publish "$place/pages" --to "$place/cdn" --app shop --base-url https://cdn.example.com/shop \
        --label 1 --no-check --quiet
    "$packtool" embed "$place/cdn" -o "$place/embedded" --native 1 --quiet
fi
python3 -m http.server 8787 --bind 127.0.0.1 --directory "$place/cdn" >/dev/null 2>&1 &
server=$!
trap 'kill $server' EXIT
cat <<END
Edit the pages in $place/pages, and publish them while the window is open:
  $packtool publish $place/pages --to $place/cdn --app shop --base-url https://cdn.example.com/shop --no-check
END
examples/app-linux/.build/release/App --origin http://127.0.0.1:8787 --into "$place/phone" \
    --embedded "$place/embedded" --native 1
