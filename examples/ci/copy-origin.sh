#!/bin/sh
# Copies an origin to a web server: immutable files first, the files that name them last.
# In the other order, a client could read a pointer to files that are not there yet.
#   copy-origin.sh ORIGIN TARGET        TARGET as rsync takes it: HOST:/srv/cdn/shop, or a directory
# It copies nothing, and ends with exit code 3, if the server has releases that ORIGIN does not know. Devices
# that have one of them would refuse everything that comes after.
set -eu
if [ $# != 2 ] || [ -z "$1" ] || [ -z "$2" ]; then echo "usage: copy-origin.sh ORIGIN TARGET" >&2; exit 64; fi
origin=${1%/} target=${2%/}
if [ ! -d "$origin/channels" ]; then
    echo "error: '$origin' is not an origin: it has no directory 'channels'" >&2
    echo "help: name the directory that 'packtool publish --to' wrote" >&2
    exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

refuse() {
    echo "error: $1" >&2
    echo "unaffected: '$target'; nothing was copied" >&2
    echo "help: '$origin' is not the origin that devices know, or an old copy of it, such as the empty workspace" >&2
    echo "  of a new CI job. Fetch the origin into an empty directory, publish there, then copy that:" >&2
    echo "  rsync -a '$target/' cdn/ && packtool publish … --to cdn --require-origin && $0 cdn '$target'" >&2
    exit 3
}

# The sequence of a pointer: the entry with the same bytes in the log of its channel. Nothing if there is none.
sequence() {
    hash=$(sha256sum < "$1")
    [ ! -d "$2" ] || find "$2" -name '*.json' -exec sha256sum {} + | sed -n "s|^${hash%% *}  .*/\([0-9]*\)\.json\$|\1|p"
}

# The server's present files. A missing target makes rsync end with 23, and so does one that can be
# read in part; whether it is there, the second call tells.
status=0
rsync -r --include=/channels/ --include='/channels/*/' --include='/channels/*/pointer.json' --exclude='*' \
    "$target/" "$work/" 2> "$work/errors" || status=$?
if [ "$status" != 0 ] && { [ "$status" != 23 ] || rsync --list-only "$target/" > "$work/list" 2>&1; }; then
    cat "$work/errors" >&2
    exit 2
fi
for pointer in "$work"/channels/*/pointer.json; do
    [ -f "$pointer" ] || continue
    channel=$(basename "$(dirname "$pointer")")
    log=$origin/channels/$channel/log
    theirs=$(sequence "$pointer" "$log")
    [ -n "$theirs" ] || refuse "the server's pointer of channel '$channel' is not in the log of '$origin', or is damaged"
    ours=$(sequence "$origin/channels/$channel/pointer.json" "$log")
    [ "${ours:-0}" -ge "$theirs" ] \
        || refuse "the server has channel '$channel' at sequence $theirs, '$origin' at ${ours:-none}"
done
rsync --dry-run -r --checksum --existing --out-format=%n --include=/channels/ --include='/channels/*/' \
    --include='/channels/*/log/' --include='/channels/*/log/*.json' --exclude='*' \
    "$origin/" "$target/" > "$work/differing"
differing=$(sed -n '/\.json$/{p;q;}' "$work/differing")
[ -z "$differing" ] || refuse "'$differing' has other bytes on the server than in '$origin'"

rsync -a --exclude=/.packtool --exclude=/site --exclude=/info.json --exclude='/channels/*/pointer.json' \
    --exclude='/channels/*/pruned.json' --exclude='/channels/*/feeds' "$origin/" "$target/"
# By content: two pointers can have one size and, after another copy, one time.
rsync -a --checksum --delay-updates --include=/info.json --include='/site/***' --include=/channels/ \
    --include='/channels/*/' --include='/channels/*/pointer.json' --include='/channels/*/pruned.json' --exclude='*' \
    "$origin/" "$target/"
# Feeds name files of the others. One that was withdrawn must not stay.
rsync -a --checksum --delay-updates --delete --include=/channels/ --include='/channels/*/' \
    --include='/channels/*/feeds/***' --exclude='*' "$origin/" "$target/"
