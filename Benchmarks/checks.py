#!/usr/bin/env python3
"""Measures `check` on pages with many links, on scripts and on whole builds; writes CHECKS.md.

    checks.py [--rust-doc DIR] [--runs 3] [--output FILE]

PACKTOOL is the measured binary (default .build/release/packtool); PACKTOOL_BEFORE one to compare it with.
Needs the newest builds of corpora.txt and corpora-more.txt, see fetch.py. The pages are those of Debian's
package rust-doc; without --rust-doc, apt-get downloads it into work/rust-doc. Everything is copied into
memory (/dev/shm) before it is measured.
"""

import argparse
import datetime
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import machine
import trees

HERE = Path(__file__).resolve().parent
LISTS = (trees.DEFAULT_LIST, HERE / "corpora-more.txt")
RUST_DOC = HERE / "work" / "rust-doc"
PAGES = "usr/share/doc/rust-doc/html"
WHOLE = ("streamlit", "jupyterlab", "mlflow", "open-webui", "home-assistant")
CORES = 2  # of the aims
READ = (".html", ".htm", ".css", ".js", ".mjs")  # the kinds of file that the rate counts
SMALL_PAGE = "<!doctype html><meta charset=utf-8><title>scripts</title><p>scripts</p>"

METHOD = """\
Each directory is checked with `packtool check DIR`, without options.
The programs take turns, {runs} runs each, after one run that is not counted.
MB (10⁶ bytes) *read* are those of pages, style sheets and scripts; the rates count nothing else.
*MB/s* is of the run with the least wall-clock time; **the aim is about this figure, on two cores**.
*Cores* is CPU ÷ time of that run: 2.0 if both cores are busy all the time.
*CPU* is user + system of the run with the least.
*At most* is MB read ÷ CPU × 2, the rate of two cores that are always busy: it bounds MB/s from above.
*Memory* is the highest peak of all runs, in MiB.
An aim is *not reached* if the bound is lower.
If only MB/s is lower and the load before the run was 1 or more, it is *not judged*.
Other work on the machine lowers MB/s and cores, and raises CPU unevenly.
With a load above 1, CPU, the bound and the ratios are rough: repeat a run before quoting a ratio near 1.
"""


@dataclass(frozen=True)
class Subject:
    name: str
    sources: tuple  # (directory, directory in the copy)
    endings: tuple = ()  # only files with these endings; all if empty
    aim: float | None = None  # MB/s


@dataclass
class Result:
    errors: int
    warnings: int
    runs: list = field(default_factory=list)  # (CPU seconds, wall seconds, MiB)

    @property
    def cpu(self):
        return min(cpu for cpu, _, _ in self.runs)

    @property
    def fastest(self):
        return min(self.runs, key=lambda run: run[1])

    @property
    def memory(self):
        return max(memory for _, _, memory in self.runs)


def rust_doc():
    """The pages of Debian's package, downloaded once."""
    pages = RUST_DOC / PAGES
    if not pages.is_dir():
        RUST_DOC.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "--quiet", "rust-doc"], cwd=RUST_DOC, check=True)
        package = max(RUST_DOC.glob("rust-doc_*.deb"))
        subprocess.run(["dpkg-deb", "--extract", str(package), str(RUST_DOC)], check=True)
    return pages


def newest_builds():
    """The directory of each project's newest build, by name."""
    corpora = [corpus for path in LISTS for corpus in trees.newest_versions(trees.read_corpora(path))]
    builds = {c.name: trees.default_corpus_directory() / c.name / c.version for c in corpora}
    missing = [name for name, build in builds.items() if not build.is_dir()]
    if missing:
        raise SystemExit(f"checks.py: not fetched: {', '.join(missing)}; run fetch.py --newest, "
                         "and again with --list Benchmarks/corpora-more.txt")
    return builds


def subjects(pages, builds):
    found = [
        Subject("rustdoc: alloc", ((pages / "alloc", "."),), aim=40),
        Subject("rustdoc: std", ((pages / "std", "."),)),
        Subject("the Rust book", ((pages / "book", "."),), aim=30),
        Subject("scripts of the newest builds", tuple((b, name) for name, b in builds.items()),
                endings=(".js", ".mjs"), aim=80),
    ]
    return found + [Subject(f"{name} {builds[name].name}", ((builds[name], "."),)) for name in WHOLE]


def copy(subject, target):
    """Copies the regular files; Debian's pages have links to files of other packages."""
    for source, folder in subject.sources:
        for path in sorted(source.rglob("*")):
            if path.is_file() and not path.is_symlink() and (
                    not subject.endings or path.suffix in subject.endings):
                copied = target / folder / path.relative_to(source)
                copied.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copied)
    if subject.endings:
        (target / "index.html").write_text(SMALL_PAGE)


def run(packtool, folder, cache):
    """CPU seconds, wall seconds and peak memory in MiB of a check."""
    environment = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(cache)}
    started = time.monotonic()
    child = subprocess.Popen([packtool, "check", str(folder)], env=environment,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):  # 1: the build has errors
        raise SystemExit(f"{packtool} check {folder} ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def findings(packtool, folder):
    """The number of errors and warnings. This run also warms the caches."""
    done = subprocess.run([packtool, "check", "--json", str(folder)], capture_output=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{packtool} check --json {folder} ended with {done.returncode}")
    report = json.loads(done.stdout)
    return Result(report["errors"], report["warnings"])


def measure(subject, programs, runs):
    """(files, bytes, bytes read) of a subject, and the result of each program."""
    print(f"{subject.name} …", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
        folder, cache = Path(scratch, "build"), Path(scratch, "cache")
        copy(subject, folder)
        files = [path for path in folder.rglob("*") if path.is_file()]
        total = sum(path.stat().st_size for path in files)
        read = sum(path.stat().st_size for path in files if path.suffix in READ)
        results = {title: findings(packtool, folder) for title, packtool in programs}
        for _ in range(runs):
            for title, packtool in programs:
                results[title].runs.append(run(packtool, folder, cache))
    return (len(files), total, read), results


def verdict(aim, rate, bound, is_busy):
    if aim is None:
        return ""
    word = ("reached" if rate >= aim else "**not reached**" if bound < aim or not is_busy
            else "not judged")
    return f"≥ {aim:.0f}: {word}"


def row(subject, sizes, result, is_busy):
    files, total, read = sizes
    cpu, wall, _ = result.fastest
    rate, bound = read / wall / 1e6, read / result.cpu / 1e6 * CORES
    cells = [subject.name, f"{files:,}", f"{total / 1e6:.1f}", f"{read / 1e6:.1f}", f"{result.cpu:.2f} s",
             f"{bound:.1f}", f"{rate:.1f}", f"{cpu / wall:.2f}", verdict(subject.aim, rate, bound, is_busy),
             f"{result.memory:.0f}", f"{result.errors:,}", f"{result.warnings:,}"]
    return "| " + " | ".join(cells) + " |"


def table(title, measured, is_busy):
    lines = [
        "| | files | MB | MB read | CPU | at most, MB/s | MB/s | cores | aim, MB/s | memory | errors "
        "| warnings |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|",
    ]
    return lines + [row(subject, sizes, results[title], is_busy) for subject, sizes, results in measured]


def ratios(first, second, measured):
    lines = ["| | CPU | time | memory |", "|---|---:|---:|---:|"]
    for subject, _, results in measured:
        ours, theirs = results[first], results[second]
        lines.append(f"| {subject.name} | {ours.cpu / theirs.cpu:.2f} | "
                     f"{ours.fastest[1] / theirs.fastest[1]:.2f} | {ours.memory / theirs.memory:.2f} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rust-doc", type=Path, metavar="DIR",
                        help="the pages of Rust, with alloc, std and book (default: downloaded)")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--output", type=Path, default=HERE / "CHECKS.md")
    arguments = parser.parse_args()
    if arguments.runs < 1:
        parser.error("a measurement needs at least one run")
    programs = [("packtool", os.environ.get("PACKTOOL", trees.REPOSITORY / ".build/release/packtool")),
                ("Before", os.environ.get("PACKTOOL_BEFORE"))]
    programs = [(title, str(packtool)) for title, packtool in programs if packtool is not None]
    facts, is_busy = machine.describe(), os.getloadavg()[0] >= 1
    measured = [(subject, *measure(subject, programs, arguments.runs))
                for subject in subjects(arguments.rust_doc or rust_doc(), newest_builds())]
    facts["load after the run"] = " ".join(f"{load:.2f}" for load in os.getloadavg())
    text = [
        "# Checking many links, scripts and whole builds", "",
        "Written by `python3 Benchmarks/checks.py`; do not edit.",
        METHOD.format(runs=arguments.runs),
        f"Measured on {datetime.date.today()} at commit {machine.commit()}; "
        + "; ".join(f"{name} {value}" for name, value in facts.items()) + ".", "",
    ]
    for title, packtool in programs:
        digest = hashlib.sha256(Path(packtool).read_bytes()).hexdigest()
        text += [f"## {title}", "", f"The program's SHA-256 starts with `{digest[:16]}`.", "",
                 *table(title, measured, is_busy), ""]
    if len(programs) == 2:
        text += ["## packtool ÷ before", "", *ratios("packtool", "Before", measured), ""]
    arguments.output.write_text("\n".join(text))
    print("\n".join(text))


if __name__ == "__main__":
    main()
