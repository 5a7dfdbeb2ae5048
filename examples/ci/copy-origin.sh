#!/bin/sh
# Copies an origin to a web server: what never changes first, what names it last.
# In the other order, a client could read a pointer to files that are not there yet.
#   copy-origin.sh ORIGIN TARGET        TARGET as rsync takes it: HOST:/srv/cdn/shop, or a directory
set -eu
if [ $# != 2 ] || [ -z "$2" ]; then echo "usage: copy-origin.sh ORIGIN TARGET" >&2; exit 64; fi
rsync -a --exclude=/.packtool --exclude=/site --exclude=/info.json --exclude=pointer.json "$1/" "$2/"
rsync -a --delay-updates --exclude=/.packtool "$1/" "$2/"
