#!/bin/bash
# Makes the completions for bash, zsh and fish and checks them: they parse, and each shell offers commands,
# flags, profile names, rule ids and file names. A shell that is missing is an error.
#   Scripts/check-completions.sh PACKTOOL
set -euo pipefail
packtool=$(readlink -f "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
mkdir -p "$work/bin" "$work/here/dist-of-mine" "$work/home"
ln -s "$packtool" "$work/bin/packtool"
export PATH="$work/bin:$PATH" HOME="$work/home"
for shell in bash zsh fish; do
    command -v "$shell" >/dev/null || { echo "error: $shell is missing
help: Scripts/install.sh pipeline" >&2; exit 2; }
    packtool --generate-completion-script "$shell" >"$work/packtool.$shell"
    "$shell" -n "$work/packtool.$shell"
done
cd "$work/here"

# The completions of a shell for a typed line.
bash_offers() {
    bash --norc -O extglob -c '
        source /usr/share/bash-completion/bash_completion 2>/dev/null || true
        source "$1"
        COMP_LINE=$2
        COMP_POINT=${#COMP_LINE}
        read -ra COMP_WORDS <<<"$COMP_LINE"
        [[ $COMP_LINE == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMPREPLY=()
        _packtool packtool "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null || true
        printf "%s\n" "${COMPREPLY[@]}"' bash "$work/packtool.bash" "$1"
}
fish_offers() {
    fish --no-config -c 'source $argv[1]; complete --do-complete $argv[2]' "$work/packtool.fish" "$1" | cut -f 1
}
failed=0
count=0
offers() {
    local shell=$1 line=$2 wanted
    shift 2
    "${shell}_offers" "$line" >"$work/offers"
    for wanted in "$@"; do
        count=$((count + 1))
        grep -qxe "$wanted/\{0,1\}" "$work/offers" || {
            failed=1
            echo "error: $shell does not offer '$wanted' after '$line'" >&2
        }
    done
}
for shell in bash fish; do
    offers "$shell" 'packtool ' check publish verify
    offers "$shell" 'packtool check --' --format --baseline --max-warnings
    offers "$shell" 'packtool check --profile ' basename-cache capacitor cordova path-strict
    offers "$shell" 'packtool check --format ' sarif github
    offers "$shell" 'packtool check --select ' missing-file css-missing-file
    offers "$shell" 'packtool check --ignore ' js-window-open
    offers "$shell" 'packtool rules ' missing-file
    offers "$shell" 'packtool check dist' dist-of-mine
    offers "$shell" 'packtool publish --to dist' dist-of-mine
done
# zsh completes only in its line editor, so its completions are read from its script.
zsh_has() {
    local command=$1 line=$2 wanted
    shift 2
    sed -n "/^_packtool_$command() {\$/,/^}/p" "$work/packtool.zsh" | grep -e "$line" >"$work/offers" || true
    for wanted in "$@"; do
        count=$((count + 1))
        grep -qFe "$wanted" "$work/offers" || {
            failed=1
            echo "error: zsh has no '$wanted' for '$command', '$line'" >&2
        }
    done
}
zsh_has check '___profile=' "'basename-cache'" "'path-strict'"
zsh_has check '___select=' "'missing-file'" "'css-missing-file'"
zsh_has check '___ignore=' "'js-window-open'"
zsh_has check "'--baseline" _files
zsh_has publish "'--to" _files
[ "$failed" = 0 ] || { echo "help: give the option its completion in Sources/PackTool" >&2; exit 1; }
echo "completions: bash, zsh, fish; $count offers found"
