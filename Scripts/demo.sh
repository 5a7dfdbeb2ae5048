#!/bin/sh
# The main job on the example: two releases of a shop published, proved, installed, updated.
#   Scripts/demo.sh PACKTOOL DIRECTORY
set -eu
packtool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."
demo=$2
shop=examples/storefront
config=$shop/packtool.yaml
rm -rf "$demo"
mkdir -p "$demo"
step() { printf '\n$ packtool %s\n' "$*"; "$packtool" "$@"; }

echo "== Release 1.0.0: from the build output to an origin that a CDN can serve"
step publish $shop/dist/1.0.0 --config $config --to "$demo/cdn" --label 1.0.0
echo "\n== An app installs it"
step install "$demo/cdn" --into "$demo/phone"
echo "\n== Release 1.1.0: what a publish would do, then the publish"
step publish $shop/dist/1.1.0 --config $config --to "$demo/cdn" --label 1.1.0 --dry-run
step publish $shop/dist/1.1.0 --config $config --to "$demo/cdn" --label 1.1.0
echo "\n== The same content again changes nothing"
step publish $shop/dist/1.1.0 --config $config --to "$demo/cdn"
echo "\n== The app updates"
step install "$demo/cdn" --into "$demo/phone"
echo "\n== Every byte that a client could reach is proved"
step verify "$demo/cdn"
echo "\n== What is installed is what was built"
diff -r $shop/dist/1.1.0 "$demo/phone/current/" && echo "diff: no difference"
echo "\nThe origin lies in $demo/cdn, the installed shop in $demo/phone/current."
