#!/bin/sh
# The long forms of the tests. They take hours.
set -eu
cd "$(dirname "$0")/.."
swift build --build-tests
swift build -c release --static-swift-stdlib --disable-local-rpath --product packtool
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=32
PACKTOOL_SOAK=1 swift test --skip-build
swift test --enable-code-coverage --scratch-path .build/coverage
Scripts/coverage.py "$(swift test --show-codecov-path --scratch-path .build/coverage)"
# Optimized, because the sanitizer takes ten times as long. The optimizer cannot measure coverage:
# it crashes (Swift 6.3.1).
swift build -c release -Xswiftc -enable-testing --build-tests --sanitize=thread \
    --scratch-path .build/thread
# One test reads a file larger than the sanitizer can allocate, and some crash a program.
TSAN_OPTIONS="allocator_may_return_null=1 handle_segv=0 handle_sigfpe=0" \
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 \
    .build/thread/release/packtoolPackageTests.xctest --testing-library swift-testing
python3 Tests/Rigs/Commands/run.py --long
python3 Tests/Rigs/Reproducibility/matrix.py
python3 Tests/Rigs/Faults/run.py --long
PACKTOOL=.build/release/packtool python3 Tests/Rigs/Attacks/run.py --long
PACKTOOL=.build/release/packtool python3 Tests/Rigs/Trust/run.py --long
PACKTOOL=.build/release/packtool python3 Tests/Rigs/Remote/run.py --long
PACKTOOL=.build/release/packtool PACKTOOL_CLIENT=.build/debug/PackToolURLSession \
    python3 Tests/Rigs/Remote/run.py --long
python3 Tests/Rigs/Remote/heads.py --heads 100000
PACKTOOL=.build/release/packtool python3 Tests/Rigs/Remote/sigv4.py
PACKTOOL=.build/release/packtool python3 Tests/Rigs/Remote/s3.py --long
for table in Trust/mutants Remote/mutants Faults/mutants/decisions; do
    python3 Tests/Rigs/Faults/mutants/mutants.py --table "Tests/Rigs/$table.toml"
done
# Prints the changes that no test finds.
python3 Tests/Rigs/Faults/mutants/sample.py
# These work on up to 200 MB, for which a debug build would take days.
python3 Tests/Rigs/Delta/hostile.py .build/release/packtool --long
python3 Tests/Rigs/Delta/trees.py .build/release/packtool --long
python3 Tests/Rigs/Delta/agree.py .build/release/packtool --long
if command -v javac >/dev/null; then examples/client-android/check.sh .build/release/packtool --long; fi
# 'make fuzz' runs them a hundred times as long; this sees that they still build.
for target in $(Tests/Rigs/Fuzz/run.sh --list); do Tests/Rigs/Fuzz/run.sh "$target" 100000; done
