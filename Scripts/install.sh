#!/bin/sh
# Installs the Debian packages that a task needs, as root or by a sudo that asks for no password, as in CI;
# else prints the command that does.
#   Scripts/install.sh TASK …        the tasks are those of packages.txt
set -eu
here=$(cd "$(dirname "$0")" && pwd)
wanted=""
for task in "$@"; do
    line=$(grep "^$task " "$here/packages.txt") || { echo "error: no task '$task' in Scripts/packages.txt" >&2; exit 64; }
    wanted="$wanted ${line#* }"
done

if ! command -v dpkg-query >/dev/null 2>&1; then
    if [ "$(uname)" = Darwin ]; then
        echo "note: on macOS, run 'brew install curl libarchive libdeflate xz' first (see README.md)" >&2
        exit 0
    fi
    echo "note: not a Debian system; install what corresponds to:$wanted" >&2
    exit 0
fi

missing=""
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true)
    case "$state" in ii*) ;; *) missing="$missing $package" ;; esac
done
[ -n "$missing" ] || exit 0

sudo=""
if [ "$(id -u)" != 0 ] && sudo -n true 2>/dev/null; then
    sudo="sudo -n"
elif [ "$(id -u)" != 0 ]; then
    echo "error: missing Debian packages:$missing" >&2
    echo "help: sudo apt-get install --no-install-recommends$missing" >&2
    exit 2
fi
echo "installing${sudo:+ with sudo}:$missing" >&2
# One retry, because package mirrors fail more often than anything else here.
install_missing() {
    # sudo is empty for root, and several words otherwise; so are the packages.
    # shellcheck disable=SC2086
    $sudo apt-get update -qq \
        && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}
install_missing || { sleep 5; install_missing; }
