#!/bin/sh
# Publishes both releases of the storefront, serves the origin over HTTP, and lets client.py install them; then
# offers it hostile origins (hostile.py).
#   examples/client/check.sh PACKTOOL
set -eu
packtool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")"
dist=../storefront/dist
work=$(mktemp -d)
mkdir "$work/cdn"
python3 - "$work" <<'END' &
import functools, http.server, pathlib, sys
work = pathlib.Path(sys.argv[1])
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(work / "cdn"))
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
sys.stderr = open(work / "server.log", "w")
(work / "port.new").write_text(str(server.server_address[1]))
(work / "port.new").rename(work / "port")
server.serve_forever()
END
server=$!
trap 'kill "$server"; rm -rf "$work"' EXIT HUP INT TERM
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -f "$work/port" ] && break
    sleep 0.5
done
url=http://127.0.0.1:$(cat "$work/port")

publish() {
    "$packtool" publish "$dist/$1" --to "$work/cdn" --app storefront --base-url "$url" --label "$1" --quiet --no-check
}
client() { python3 client.py "$url" storefront "$work/phone"; }

publish 1.0.0 && client && diff -r $dist/1.0.0 "$work/phone/current/"
publish 1.1.0 && client && diff -r $dist/1.1.0 "$work/phone/current/"
client | grep -q ^unchanged

# Attacks a client must refuse: a replayed pointer, and a package with one byte changed.
pointer=$work/cdn/channels/production/pointer.json
cp "$pointer" "$work/pointer"
cp "$work/cdn/channels/production/log/1.json" "$pointer"
if client 2>"$work/refused"; then echo "error: a replayed pointer was accepted" >&2; exit 1; fi
grep -q 'older pointer' "$work/refused"
cp "$work/pointer" "$pointer"
for package in "$work"/cdn/releases/*/package.zip; do printf 'x' | dd of="$package" bs=1 seek=1000 conv=notrunc 2>"$work/dd"; done
rm -rf "$work/phone"
if client 2>"$work/refused"; then echo "error: a damaged package was accepted" >&2; exit 1; fi
grep -q 'does not match its hash' "$work/refused"
echo "client: installs, updates, refuses"
python3 hostile.py
