#!/usr/bin/env python3
"""Measures what an update reads and writes on a device; writes the end of Benchmarks/UPDATES.md.

    device.py --before FILE [--packtool FILE] [--corpus FOLDER] [--build PROJECT] [--write COMMIT]

Two scripts of a release are edited and published, and a copy of an installation of the first release is
updated: by delta from a directory and over HTTP, and by package. Bytes are those of read and write calls
(/proc/PID/io); with --before, an older packtool updates other copies. COMMIT is the commit of that packtool.
"""
import argparse
import functools
import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from first_publish import Build, size
from table import ROOT, builds

REPORT = ROOT / "Benchmarks/UPDATES.md"
TITLE = "## What an update reads and writes"
HEAD = TITLE + """

Written by `Tests/Rigs/Corpora/device.py --write`; do not edit.

Two scripts of a release are edited, and an app with the release updates.
The bytes are those of all read and write calls of `packtool install`, with its start.
Each cell has the figures of commit {commit}, then those of the newer packtool.
The time to the result is the median of three updates; the removal of the previous tree follows it.
The newer packtool reads the installed tree once, to hash it.
[Formats](../docs/formats.md#links-to-the-installed-tree) gives the reason.

| release | files | size | changed | delta | route | read | written | time to the result (s) | CPU (s) |
|---|---|---|---|---|---|---|---|---|---|
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def update(packtool, work, origin):
    """(bytes read, bytes written, seconds to the result, seconds of CPU) of one update."""
    phone = Path(tempfile.mkdtemp(dir=work)) / "phone"
    shutil.copytree(work / "phone", phone, symlinks=True)
    os.sync()
    begun = time.monotonic()
    run = subprocess.Popen([packtool, "install", origin, "--into", phone], cwd=work, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL)
    first, seconds = run.stdout.readline(), time.monotonic() - begun
    run.stdout.read()
    os.waitid(os.P_PID, run.pid, os.WEXITED | os.WNOWAIT)
    counts = dict(line.split(": ") for line in Path(f"/proc/{run.pid}/io").read_text().splitlines())
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = status
    assert not status and first.startswith(b"updated"), first
    assert not subprocess.run(["diff", "-r", work / "dist", phone / "current/"]).returncode
    shutil.rmtree(phone.parent)
    return int(counts["rchar"]), int(counts["wchar"]), seconds, usage.ru_utime + usage.ru_stime


def rows(packtools, source):
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        build = Build(packtools[-1], source, work)
        files = [path for path in (work / "dist").rglob("*") if path.is_file()]
        for path in [path for path in files if path.suffix in (".map", ".gz", ".br")]:
            path.unlink()
        files = [path for path in files if path.exists()]
        publish = ("publish", "dist", "--to", "cdn", "--no-check", "--app", "app", "--base-url",
                   "https://cdn.example.com/app")
        build.run(*publish)
        build.run("install", "cdn", "--into", "phone")
        scripts = sorted(path for path in files if path.suffix == ".js" and path.stat().st_size > 2000)
        changed = [scripts[len(scripts) // 3], scripts[len(scripts) * 2 // 3]]
        for path in changed:
            text = path.read_bytes()
            path.write_bytes(text + b"\n// one line more\n")
        build.run(*publish)
        delta = next((work / "cdn").rglob("delta-*.zip"))
        row = (f"| {source.parent.name} {source.name} | {len(files)} | "
               f"{size(sum(path.stat().st_size for path in files))} | "
               f"{sum(path.stat().st_size for path in changed):,} | {delta.stat().st_size:,} |")
        handler = functools.partial(Quiet, directory=str(work / "cdn"))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for route, origin in (("delta", "cdn"), ("delta, HTTP", f"http://127.0.0.1:{server.server_port}/"),
                              ("package", "cdn")):
            if route == "package":
                delta.unlink()
            figures = []
            for packtool in packtools:
                runs = sorted((update(packtool, work, origin) for _ in range(3)), key=lambda run: run[2])
                figures.append(runs[1])
            cells = [" → ".join(form.format(value) for value in values) for form, values in
                     zip(("{:,}", "{:,}", "{:.2f}", "{:.2f}"), zip(*figures))]
            yield f"{row} {route} | {' | '.join(cells)} |"
        server.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", required=True)
    parser.add_argument("--packtool", default=ROOT / ".build/release/packtool")
    parser.add_argument("--corpus", default=os.environ.get("PACKTOOL_CORPUS", ROOT / ".build/corpora"))
    parser.add_argument("--build", action="append", default=[])
    parser.add_argument("--write", metavar="COMMIT")
    options = parser.parse_args()
    found = []
    for _, source in builds(options.corpus, names=options.build):
        for row in rows([Path(options.before).resolve(), Path(options.packtool).resolve()], source):
            found.append(row)
            print(row, flush=True)
    if not found:
        sys.exit(f"error: no release in {options.corpus}")
    if options.write:
        kept = REPORT.read_text().split(TITLE)[0].rstrip("\n")
        text = HEAD.format(commit=options.write) + "\n".join(found) + "\n"
        REPORT.write_text(f"{kept}\n\n{text}")


if __name__ == "__main__":
    main()
