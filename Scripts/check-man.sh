#!/bin/sh
# Makes the man pages and checks them: groff and mandoc report nothing, and every page has its sections.
#   Scripts/check-man.sh PACKTOOL
set -eu
packtool=$(readlink -f "$1")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
SOURCE_DATE_EPOCH=1795248000
export SOURCE_DATE_EPOCH
fail() { echo "error: $1" >&2; echo "help: $2" >&2; exit 1; }

Scripts/man-pages.py "$packtool" "$work/man" >"$work/log"
Scripts/man-pages.py "$packtool" "$work/again" >/dev/null
diff -r "$work/man" "$work/again" >/dev/null || fail "the man pages differ from run to run" "sort what is printed"
count=0
for page in "$work"/man/*.1; do
    count=$((count + 1))
    name=$(basename "$page")
    # -ww: all warnings, also those that groff keeps to itself otherwise.
    groff -man -Tutf8 -ww "$page" >"$work/text" 2>>"$work/warnings"
    LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l "$page" >/dev/null 2>>"$work/warnings"
    mandoc -Tlint "$page" >>"$work/warnings" 2>&1 || true
    # whatis(1) reads the name section.
    LC_ALL=C.UTF-8 lexgrog "$page" >"$work/name" || fail "$name has no name for whatis" "correct Scripts/man-pages.py"
    for part in SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' FILES EXAMPLES 'SEE ALSO'; do
        grep -q "^.SH $part\$" "$page" || fail "$name has no section $part" "give the command an example, or correct Scripts/man-pages.py"
    done
done
if [ -s "$work/warnings" ]; then
    head -n 20 "$work/warnings" >&2
    fail "warnings about the man pages, listed above" "correct Scripts/man-pages.py"
fi

# Every reference leads to a page, and every flag of a command's help is on its page.
for page in $(sed -n 's/^\.BR \(packtool[a-z\\-]*\) (1).*/\1/p' "$work"/man/*.1 | tr -d '\\' | sort -u); do
    [ -f "$work/man/$page.1" ] || fail "a page refers to $page(1), which there is not" "correct COMMANDS in Scripts/man-pages.py"
done
for page in "$work"/man/packtool-*.1; do
    command=$(basename "$page" .1)
    command=${command#packtool-}
    # To a file: grep -q at the end of a pipe would break it.
    tr -d '\\' <"$page" >"$work/text"
    for flag in $("$packtool" "$command" --help | sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p'); do
        grep -qe "$flag" "$work/text" || fail "packtool-$command.1 lacks $flag" "correct Scripts/man-pages.py"
    done
done
echo "man pages: $count, no warnings"
