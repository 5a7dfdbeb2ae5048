#!/bin/sh
# Builds the client, and compares it with packtool: 'make jvm-check'.
#   examples/client-android/check.sh PACKTOOL [--long]
# It installs nothing. It needs a JDK (Debian: default-jdk-headless), and for signatures the Python
# package cryptography (Debian: python3-cryptography).
set -eu
if ! command -v javac >/dev/null; then
    echo "error: there is no javac; on Debian: apt-get install default-jdk-headless" >&2
    exit 2
fi
PACKTOOL=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
export PACKTOOL LC_ALL=C.UTF-8
if [ "${2:-}" = --long ]; then long=--long few=8 some=300 many=600 mutants=20000; else long='' few=1 some=8 many=40 mutants=300; fi
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT HUP INT TERM
classes=$work/classes
find src android stubs test -name '*.java' >"$work/sources"
javac --release 11 -Xlint:all -Werror -d "$classes" @"$work/sources"
run() {
    name=$1
    shift
    python3 "check/$name.py" "$classes" "$work/$name" "$@" >"$work/$name.log" 2>&1 || touch "$work/failed"
    cat "$work/$name.log"
}
(run scenarios --count "$some"; run crash --count "$few") &
(run signed --count "$some"; run hostile --count "$many") &
run network $long
wait
[ ! -e "$work/failed" ]
mkdir "$work/unit"
java -cp "$classes" packtool.client.UnitTests "$work/unit" "$work/scenarios/plain"
storefront=../storefront/dist
for label in 1.0.0 1.1.0; do
    "$PACKTOOL" publish "$storefront/$label" --to "$work/cdn" --app storefront --no-check --quiet \
        --base-url https://cdn.example.com/storefront 2>"$work/publish.log"
done
delta=$(find "$work/cdn/releases" -name 'delta-*.zip')
java -cp "$classes" packtool.client.DeltaFuzz "$storefront/1.0.0" "$delta" "$mutants" 1
corpus=../../Benchmarks/work/corpus
if [ -n "$long" ] && [ -d "$corpus/streamlit/1.63.0" ]; then
    python3 check/speed.py "$classes" "$work/speed" "$corpus" streamlit:1.63.0:1.66.0 \
        optuna-dashboard:0.20.0:0.21.0 dagster:1.13.26:1.13.27 prefect:3.6.26:3.6.28
fi
