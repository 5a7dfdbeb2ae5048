#!/bin/sh
# Reads the output of 'packtool check' for other tools with foreign readers: SARIF with sarif-tools, JUnit by the
# schema of Jenkins, annotations by GitHub's documented limits.
#   Scripts/formats-check.sh PACKTOOL
# Both readers come from PyPI into .build; the schema is a file in pytest's source, pinned by its hash.
set -eu
packtool=$(readlink -f "$1")
cd "$(dirname "$0")/.."
sarif=3.0.5
pytest=8.4.2
hash=86c0d0b93306b961d58d62a4db4879f27fe25513d4b969df351abdddb3c30e01
tool=.build/formats-check
if [ "$(cat "$tool/version" 2>/dev/null || true)" != "$sarif $pytest" ]; then
    rm -rf "$tool"
    mkdir -p "$tool"
    python3 -m venv "$tool/python"
    # One retry: package mirrors are the least reliable part of a build.
    twice() { "$@" || { sleep 5; "$@"; }; }
    twice "$tool/python/bin/pip" install --quiet --disable-pip-version-check --only-binary=:all: \
        "sarif-tools==$sarif" lxml || {
        echo "error: pip could not install sarif-tools $sarif and lxml" >&2
        echo "help: check the connection to PyPI and run it again" >&2
        exit 2
    }
    twice "$tool/python/bin/pip" download --quiet --disable-pip-version-check --no-deps \
        --no-binary=:all: --dest "$tool" "pytest==$pytest"
    echo "$hash  $tool/pytest-$pytest.tar.gz" | sha256sum --check --quiet
    tar -xzOf "$tool/pytest-$pytest.tar.gz" "pytest-$pytest/testing/example_scripts/junit-10.xsd" \
        >"$tool/junit-10.xsd"
    rm "$tool/pytest-$pytest.tar.gz"
    echo "$sarif $pytest" >"$tool/version"
fi
exec "$tool/python/bin/python" Tests/Rigs/Pipeline/formats.py "$packtool" "$tool/junit-10.xsd"
