#!/bin/sh
# Installs packtool with its man pages and its completions; 'make install' and Scripts/deb.sh use it.
#   Scripts/install-files.sh PACKTOOL PREFIX [DESTDIR]
# DESTDIR goes before every path and is not part of the result, as packagers expect it.
set -eu
packtool=$(readlink -f "$1")
prefix=$2
destdir=${3-}
cd "$(dirname "$0")/.."
case $prefix in
/*) ;;
*)
    echo "error: PREFIX is '$prefix'; it must be an absolute path" >&2
    echo "help: make install PREFIX=/usr/local" >&2
    exit 64
    ;;
esac
# The directory of each shell below a prefix. Debian gives zsh another folder in packages than in /usr/local.
case $prefix in
/usr) zsh=share/zsh/vendor-completions ;;
*) zsh=share/zsh/site-functions ;;
esac
root=$destdir$prefix
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
Scripts/man-pages.py "$packtool" "$work/man" >"$work/log"
for shell in bash zsh fish; do "$packtool" --generate-completion-script "$shell" >"$work/$shell"; done
# bash reads this file and never runs it, so that its first line would only mislead (and lintian warns).
sed -i '1{/^#!/d}' "$work/bash"

install -d "$root/bin" "$root/share/man/man1" "$root/share/bash-completion/completions" "$root/$zsh" \
    "$root/share/fish/vendor_completions.d"
install -m 755 "$packtool" "$root/bin/packtool"
install -m 644 "$work"/man/*.1 "$root/share/man/man1/"
install -m 644 "$work/bash" "$root/share/bash-completion/completions/packtool"
install -m 644 "$work/zsh" "$root/$zsh/_packtool"
install -m 644 "$work/fish" "$root/share/fish/vendor_completions.d/packtool.fish"
echo "installed: $root/bin/packtool, $(find "$work/man" -type f | wc -l) man pages, completions for bash, zsh and fish"
