#!/bin/sh
# Publishes two releases of the example shop, installs the first, updates to the second, verifies the origin, and
# writes a report.
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

echo "== Release 1.0.0: publish the build to an origin that a CDN can serve"
step publish $shop/dist/1.0.0 --config $config --to "$demo/cdn" --label 1.0.0
echo "\n== An app installs it"
step install "$demo/cdn" --into "$demo/phone"
echo "\n== Release 1.1.0: show what a publish would do, then publish"
step publish $shop/dist/1.1.0 --config $config --to "$demo/cdn" --label 1.1.0 --dry-run
step publish $shop/dist/1.1.0 --config $config --to "$demo/cdn" --label 1.1.0
echo "\n== Publishing the same content again changes nothing"
step publish $shop/dist/1.1.0 --config $config --to "$demo/cdn"
echo "\n== The app updates"
step install "$demo/cdn" --into "$demo/phone"
echo "\n== Verify every byte that a client can reach"
step verify "$demo/cdn"
echo "\n== Compare what is installed with what was built"
diff -r $shop/dist/1.1.0 "$demo/phone/current/" && echo "diff: no difference"
echo "\n== A page about the update: sizes, changes, findings"
step report $shop/dist/1.0.0 $shop/dist/1.1.0 --config $config -o "$demo/report.html"
cat <<END

The origin is $demo/cdn, the installed shop $demo/phone/current.
Open these in a browser:
  the report:  file://$(cd "$demo" && pwd)/report.html
  the shop:    run '$1 serve $demo/phone/current --page' and open the address that it prints
END
