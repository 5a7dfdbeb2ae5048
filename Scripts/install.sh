#!/bin/sh
# Installs the needs of a task, or prints the command to do so: Debian packages, as root or by a sudo that asks for
# no password, as in CI, and Python packages.
#   Scripts/install.sh TASK …        the tasks are those of packages.txt
set -eu
here=$(cd "$(dirname "$0")" && pwd)
wanted="" python=""
for task in "$@"; do
    line=$(grep "^$task " "$here/packages.txt") || { echo "error: no task '$task' in Scripts/packages.txt" >&2; exit 64; }
    for word in ${line#* }; do
        case "$word" in
        pip:*) python="$python ${word#pip:}" ;;
        *) wanted="$wanted $word" ;;
        esac
    done
done

# Python packages missing on the machine go into .build/python, which the rigs also search: Debian forbids to
# install beside its own packages. One task has Python packages, so the folder is that of the last call.
install_python() {
    [ -n "$python" ] || return 0
    target=$here/../.build/python
    # shellcheck disable=SC2086
    lacking=$(python3 - $python <<'END'
import importlib.metadata
import re
import sys

def has(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None

print(*[wanted for wanted in sys.argv[1:] if not has(re.split(r"\[|==", wanted)[0])])
END
    )
    if [ -z "$lacking" ] || [ "$(cat "$target/installed" 2>/dev/null || true)" = "$lacking" ]; then return 0; fi
    echo "installing: $lacking" >&2
    # shellcheck disable=SC2086
    pip_install() {
        rm -rf "$target"
        python3 -m pip install --quiet --disable-pip-version-check --only-binary=:all: --root-user-action=ignore \
            --target "$target" $lacking
    }
    # One retry, because package mirrors fail more often than anything else here.
    pip_install || { sleep 5; pip_install; } || {
        echo "error: pip could not install $lacking" >&2
        echo "help: check the connection to PyPI and run it again" >&2
        exit 2
    }
    echo "$lacking" >"$target/installed"
}

if ! command -v dpkg-query >/dev/null 2>&1; then
    if [ "$(uname)" = Darwin ]; then
        echo "note: on macOS, run 'brew install curl libarchive libdeflate libyaml xz' first (see README.md)" >&2
    else
        echo "note: not a Debian system; install what corresponds to:$wanted" >&2
    fi
    install_python
    exit 0
fi

missing=""
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true)
    case "$state" in ii*) ;; *) missing="$missing $package" ;; esac
done
if [ -n "$missing" ]; then
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
fi
install_python
