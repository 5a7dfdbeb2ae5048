#!/bin/sh
# What 'make test' runs, the quickest parts first. It stops at the first part that fails.
set -eu
cd "$(dirname "$0")/.."
started=$(date +%s)
part() { printf '\n== %s (%s s)\n' "$1" "$(($(date +%s) - started))"; }

part "installing what is missing"
Scripts/install.sh build test pipeline
part "format and layers"
make --no-print-directory lint
part "build"
swift build --build-tests
Scripts/licences.sh .build/licences
part "unit and command-line tests"
# Unlimited, they keep more than a thousand files open at once, and Foundation's Process crashes.
SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=32 swift test --skip-build
part "JavaScript compared with acorn"
Tests/Rigs/JavaScript/compare-acorn.sh
part "patterns compared with git"
python3 Tests/Rigs/Exclude/compare_git.py
part "the example"
examples/storefront/check.sh
examples/client/check.sh .build/debug/packtool
Scripts/demo.sh .build/debug/packtool .build/demo >.build/demo.txt || { cat .build/demo.txt; exit 1; }
tail -2 .build/demo.txt
part "man pages, completions, pipelines, guides"
Scripts/check-pipeline.sh .build/debug/packtool
part "reproducibility"
python3 Tests/Rigs/Reproducibility/matrix.py --short
part "faults"
python3 Tests/Rigs/Faults/mutants/mutants.py --check >.build/mutants.txt || { grep -v ^ready .build/mutants.txt; exit 1; }
python3 Tests/Rigs/Faults/run.py --short
part "attacks"
python3 Tests/Rigs/Attacks/run.py
part "trust"
python3 Tests/Rigs/Faults/mutants/mutants.py --table Tests/Rigs/Trust/mutants.toml --check >.build/mutants.txt || { grep -v ^ready .build/mutants.txt; exit 1; }
python3 Tests/Rigs/Trust/run.py
part "installing over HTTP"
python3 Tests/Rigs/Remote/run.py --short
part "serving"
python3 Tests/Rigs/Remote/serve.py
python3 Tests/Rigs/Remote/heads.py
python3 Tests/Rigs/Remote/sources.py --short
part "publishing to a bucket"
python3 Tests/Rigs/Remote/s3.py
part "all passed"
