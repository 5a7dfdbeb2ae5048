#!/usr/bin/env python3
"""Builds a package that depends on this repository and imports PackClient alone, runs it, and measures it.

    Tests/Rigs/Fresh/run.py --packtool .build/release/packtool [--scratch DIR]

It updates from a directory, starts and confirms the release, and prints the size of the stripped executable
without Swift's own libraries, the time of start() with 5,000 files, and the peak memory of an update.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MANIFEST = """// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "fresh",
    dependencies: [.package(name: "packtool", path: "%s")],
    targets: [
        .executableTarget(
            name: "Fresh", dependencies: [.product(name: "PackClient", package: "packtool")])
    ],
    swiftLanguageModes: [.v6]
)
"""
SOURCE = """import PackClient

let words = CommandLine.arguments
var configuration = PackClient.Configuration(origin: words[1], app: "shop", directory: words[2])
if words.count > 3 { configuration.embedded = words[3] }
let client = try PackClient(configuration)
var times: [Double] = []
for _ in 0..<20 {
    let begun = ContinuousClock.now
    let start = client.start()
    let time = ContinuousClock.now - begun
    times.append(Double(time.components.attoseconds) * 1e-15)
    if let release = start.release { print("started", release.version) }
    try client.markReady()
}
var last = ""
for try await event in client.update() { last = "\\(event)" }
print("update", last)
print("milliseconds", times.sorted()[10])
"""
# The limits.
SIZE, START = 12e6, 20


def run(*words, **more):
    done = subprocess.run([*map(str, words)], text=True, capture_output=True, check=False, **more)
    if done.returncode:
        sys.exit(f"FAILED  {words[:3]}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def build(place, number):
    tree = place / f"build-{number}"
    for index in range(5000):
        file = tree / f"assets/{index % 50}/{index}.js"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"export const value = {index * (number if index % 100 == 0 else 1)};\n" * 20)
    (tree / "index.html").write_text(f"<!doctype html><title>{number}</title>\n")
    return tree


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packtool", type=Path, required=True)
    parser.add_argument("--scratch", type=Path, default=ROOT / ".build/fresh")
    options = parser.parse_args()
    packtool = options.packtool.resolve()
    package = options.scratch.resolve() / "package"
    (package / "Sources/Fresh").mkdir(parents=True, exist_ok=True)
    (package / "Package.swift").write_text(MANIFEST % ROOT)
    (package / "Sources/Fresh/main.swift").write_text(SOURCE)
    run("swift", "build", "-c", "release", "--package-path", package)
    program = package / ".build/release/Fresh"
    stripped = package / "Fresh.stripped"
    run("strip", "-o", stripped, program)
    place = Path(tempfile.mkdtemp())
    try:
        publish = ["--to", place / "cdn", "--app", "shop", "--base-url", "https://cdn.example.com/shop",
                   "--no-check", "--quiet"]
        run(packtool, "publish", build(place, 1), *publish)
        run(packtool, "embed", place / "cdn", "-o", place / "app", "--quiet")
        run(packtool, "publish", build(place, 2), *publish)
        measured = ["/usr/bin/time", "-f", "%M", "-o", place / "memory", stripped]
        first = run(*measured, place / "cdn", place / "phone", place / "app")
        memory = int((place / "memory").read_text().split()[-1])
        second = run(stripped, place / "cdn", place / "phone", place / "app")
        state = json.loads((place / "phone/state.json").read_text())
        libraries = run("ldd", stripped)
    finally:
        shutil.rmtree(place)
    route, size = state["trees"][0]["route"], os.path.getsize(stripped)
    start = max(float(text.split("milliseconds ")[1]) for text in (first, second))
    print(f"stripped {size / 1e6:.1f} MB; start() {start:.2f} ms; update by {route}, {memory / 1024:.0f} MiB")
    print("loads:", ", ".join(line.split()[0] for line in libraries.splitlines()))
    wrong = [what for what, holds in [
        ("the update was not installed", "installed(" in first),
        ("the second run did not start it", f"started {state['current']}" in second),
        ("the executable is too large", size <= SIZE), ("start() is too slow", start <= START),
        ("it loads another C library",
         not any(f"lib{name}." in libraries for name in ("archive", "curl", "deflate", "lzma"))),
    ] if not holds]
    for problem in wrong:
        print(f"FAILED  {problem}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
