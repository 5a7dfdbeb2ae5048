#!/usr/bin/env python3
"""Measures the readers of HTML, CSS and JavaScript, HTML compared with other parsers; writes READERS.md.

    python3 Benchmarks/readers.py [FOLDER…]     folders with more pages, in addition to the corpora

The other parsers are selectolax (pip) and html5-parser (Debian: python3-html5-parser); the report
names one that is missing. Ours are built with the compiler only. Each reads every file separately,
best of seven passes, in CPU seconds of one core; all ratios are of one run.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import machine

ROOT = Path(__file__).resolve().parent.parent
CORPUS = Path(os.environ.get("PACKTOOL_CORPUS", ROOT / "Benchmarks/work/corpus"))
DRIVER = ROOT / ".build" / "readers-all"
PASSES = 7
ROOMS = ["JavaScript", "Data", "HTML", "CSS", "Encodings"]


def build():
    sources = [
        str(p) for room in ROOMS for p in sorted((ROOT / "Sources/PackCore/Web" / room).rglob("*.swift"))
    ]
    sources += map(str, sorted((ROOT / "Tests/Rigs/Readers").glob("*.swift")))
    DRIVER.parent.mkdir(exist_ok=True)
    subprocess.run(
        ["swiftc", "-O", "-wmo", "-swift-version", "6", "-package-name", "packtool", "-D", "MEASURES_ALL",
         *sources, "-o", str(DRIVER)], check=True)


def ours(language, files):
    run = subprocess.run([str(DRIVER), "measure", language], input="\n".join(map(str, files)),
                         capture_output=True, text=True, check=True)
    rows = []
    for line in run.stdout.splitlines():
        name, size, seconds, found = line.split("\t")
        rows.append((f"packtool, {name}", int(size), float(seconds), f"{int(found):,}"))
    return rows


def selectolax():
    from selectolax.lexbor import LexborHTMLParser
    return LexborHTMLParser


def html5_parser():
    import html5_parser
    return lambda data: html5_parser.parse(data, transport_encoding="utf-8")


PEERS = [
    ("selectolax (lexbor), a tree", selectolax),
    ("html5-parser (gumbo), a tree of lxml", html5_parser),
]


def peers(files):
    rows, absent = [], []
    contents = [Path(f).read_bytes() for f in files]
    size = sum(map(len, contents))
    for name, load in PEERS:
        try:
            parse = load()
        except (ImportError, RuntimeError) as error:
            absent.append(f"{name}: {str(error).splitlines()[0]}")
            continue
        best = None
        for _ in range(PASSES):
            before = time.process_time()
            for data in contents:
                parse(data)
            spent = time.process_time() - before
            best = spent if best is None else min(best, spent)
        rows.append((name, size, best, ""))
    return rows, absent


def newest(endings):
    """Each project's newest version."""
    files = []
    for project in sorted(p for p in CORPUS.iterdir() if p.is_dir()):
        versions = sorted((v for v in project.iterdir() if v.is_dir()),
                          key=lambda v: [int(n) for n in v.name.split(".") if n.isdigit()])
        if versions:
            files += sorted(p for p in versions[-1].rglob("*")
                            if p.is_file() and p.suffix.lower() in endings and p.stat().st_size)
    return files


def table(title, files, rows, absent=()):
    size = rows[0][1]
    lines = ["", f"## {title}", "", f"{len(files):,} files, {size / 1e6:.1f} MB.", "",
             "| reader | MB/s of one core | relative to the first row | found |", "|---|---|---|---|"]
    first = rows[0][2]
    for name, size, seconds, found in rows:
        lines.append(f"| {name} | {size / seconds / 1e6:.0f} | {first / seconds:.2f} | {found} |")
    return lines + [""] * bool(absent) + [f"Not measured: {text}" for text in absent]


def main():
    build()
    facts = machine.describe()
    lines = [
        "# How fast the readers are",
        "",
        "Written by `python3 Benchmarks/readers.py`; do not edit.",
        f"Each reader reads every file separately, best of {PASSES} passes, in CPU time; all in one run.",
        "The other parsers build a tree, which packtool never does, and cannot only tokenize.",
        'Compare them with "references", which does with a page what `check` needs.',
        "",
        "; ".join(f"{key} {value}" for key, value in facts.items()) + ".",
    ]
    html = newest({".html", ".htm"})
    rows, absent = peers(html)
    lines += table("HTML: pages of the corpora, the newest of each", html, ours("html", html) + rows, absent)
    for folder in sys.argv[1:]:
        pages, size = [], 0
        for path in sorted(Path(folder).rglob("*.html")):
            if path.is_file() and size < 30_000_000:
                pages.append(path)
                size += path.stat().st_size
        rows, absent = peers(pages)
        lines += table(f"HTML: {Path(folder).name}", pages, ours("html", pages) + rows, absent)
    css = newest({".css"})
    lines += table("CSS", css, ours("css", css))
    script = newest({".js", ".mjs"})
    lines += table("JavaScript", script, ours("javascript", script))
    (ROOT / "Benchmarks/READERS.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
