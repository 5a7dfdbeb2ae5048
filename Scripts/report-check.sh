#!/bin/sh
# Opens reports in headless Chromium (Tests/Rigs/Report/browse.py).
#   Scripts/report-check.sh PACKTOOL [SCREENSHOTS]
# playwright and axe-core-python are taken from PyPI into .build; the browser is Debian's.
set -eu
cd "$(dirname "$0")/.."
playwright=1.65.2
axe=0.1.0
tool=.build/playwright
if [ "$(cat "$tool/version" 2>/dev/null || true)" != "$playwright $axe" ]; then
    rm -rf "$tool"
    # One retry: package mirrors are the least reliable part of a build.
    install() {
        python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$tool" \
            "playwright==$playwright" "axe-core-python==$axe"
    }
    install || { sleep 5; install; } || {
        echo "error: pip could not install playwright $playwright" >&2
        echo "help: python3 -m pip install --target $tool playwright==$playwright axe-core-python==$axe" >&2
        exit 2
    }
    echo "$playwright $axe" >"$tool/version"
fi
PYTHONPATH="$tool" exec python3 Tests/Rigs/Report/browse.py "$1" ${2:+--shots "$2"}
