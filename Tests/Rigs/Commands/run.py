#!/usr/bin/env python3
"""Damages files of builds and runs whole commands on them, thousands in one process.

    run.py                      2,000 mutants: half of fixed seeds, half of today's
    run.py --long               2,000,000 mutants, on two cores; continues after an earlier run
    run.py --seeds FIRST COUNT  the mutants of some seeds
    run.py --replay SEED        one mutant: its commands, its faults, and a stack trace of a crash

The worker (Worker.swift) is compiled against the modules of the build that $PACKTOOL is in (or the debug
build), so run `swift build` first. A fault is a crash, a command that takes too much time or memory, an
undocumented exit code, output that does not parse or has control characters, a build changed by a check, a
second `check --fix` that changes files, or a rewrite that cannot be undone. Each is written to
.build/commands/found, minimized, and named by its seed.
"""

import argparse
import datetime
import json
import os
import queue
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = ROOT / ".build"
TOOL = Path(os.environ.get("PACKTOOL", BUILD / "debug/packtool"))
OUT = BUILD / "commands"
LINK = TOOL.parent / "packtool.product/Objects.LinkFileList"
# Seeds per worker process; few enough to limit state accumulated in a process.
BLOCK = 1000
# In seconds without a line: a blocked command uses no CPU time, which is the worker's own limit.
PATIENCE = 180
LONG = 2_000_000
LONG_START = 10_000_000_000


def flags():
    """The compiler flags for packtool's modules, from SwiftPM."""
    for line in (BUILD / f"{TOOL.parent.name}.yaml").read_text().splitlines():
        name = '"-module-name","PackCommands"'
        if name in line and '"-emit-module"' in line:
            found = json.loads(line.split("args: ", 1)[1])
            break
    else:
        sys.exit(f"error: there is no {TOOL.parent.name} build\nhelp: run 'swift build' first")
    kept = []
    words = iter(found)
    for word in words:
        if word == "-Xcc":
            kept += [word, next(words)]
        elif word in ("-I", "-package-name", "-target"):
            kept += [word, next(words)]
        elif word.startswith("-I"):
            kept.append(word)
    return kept


def compile_worker(worker, objects=None):
    """Compiles the sources of the rig, and links them with the build without its entry point."""
    sources = sorted(HERE.glob("*.swift"))
    inputs = sources + [TOOL, Path(__file__)]
    if worker.exists() and worker.stat().st_mtime > max(path.stat().st_mtime for path in inputs):
        return
    worker.parent.mkdir(parents=True, exist_ok=True)
    libraries = [f"-l{name}" for name in ("deflate", "lzma", ":libyaml.a", "z", "stdc++")]
    subprocess.run(
        ["swiftc", "-O", "-swift-version", "6", "-parse-as-library", "-module-name", "CommandMutants",
         "-suppress-warnings", "-g", *flags(), *map(str, sources), f"@{objects or LINK}", *libraries,
         "-o", str(worker)],
        check=True, cwd=ROOT)


def environment(folder):
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LD_LIBRARY_PATH")}
    # Crashes are traced when repeated; a single job makes mutants deterministic.
    return kept | {"SWIFT_BACKTRACE": "enable=no", "PACKTOOL_JOBS": "1", "TMPDIR": str(folder),
                   "SOURCE_DATE_EPOCH": "1795248000", "LC_ALL": "C.UTF-8", "TZ": "UTC0"}


class Faults:
    """The faults found, with their seeds."""

    def __init__(self):
        self.lock = threading.Lock()
        self.found = []
        self.done = 0

    def add(self, seed, text):
        with self.lock:
            self.found.append((seed, text))
            print(f"seed {seed}: {text}", flush=True)


def run_block(worker, folder, first, count, faults):
    """Runs some seeds; after a crash, continues in another process."""
    folder.mkdir(parents=True, exist_ok=True)
    end = first + count
    while first < end:
        process = subprocess.Popen(
            [str(worker), str(ROOT), str(folder), "seeds", str(first), str(end - first)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=environment(folder))
        watch = Watch(process)
        last = first - 1
        for line in process.stdout:
            watch.tick()
            words = line.rstrip("\n").split(" ", 2)
            if words[0] == "run":
                last = int(words[1])
            elif words[0] == "bad":
                faults.add(int(words[1]), words[2])
        status = process.wait()
        watch.end()
        if status == 0:
            return
        written = folder / "messages"
        messages = written.read_text(errors="replace").strip() if written.exists() else ""
        faults.add(last, f"{ending(status)}: {messages[-300:]}")
        if last < first:
            raise SystemExit(f"the worker does not start: {ending(status)}")
        first = last + 1


def ending(status):
    if status == -signal.SIGPROF:
        return "too much CPU time"
    if status == -signal.SIGKILL:
        return f"nothing for {PATIENCE} s"
    return f"signal {-status}" if status < 0 else f"exit code {status}"


class Watch:
    """Stops a worker that prints nothing for too long."""

    def __init__(self, process):
        self.process, self.over, self.last = process, threading.Event(), time.monotonic()
        threading.Thread(target=self.wait, daemon=True).start()

    def tick(self):
        self.last = time.monotonic()

    def end(self):
        self.over.set()

    def wait(self):
        while not self.over.wait(5):
            if time.monotonic() - self.last > PATIENCE:
                self.process.kill()


def run(worker, ranges, jobs, faults, finished=None, most=20):
    """Runs ranges of seeds in parallel processes; stops after many faults."""
    blocks = queue.Queue()
    for first, count in ranges:
        for start in range(first, first + count, BLOCK):
            blocks.put((start, min(BLOCK, first + count - start)))

    def work(folder):
        while len(faults.found) < most:
            try:
                first, count = blocks.get_nowait()
            except queue.Empty:
                return
            run_block(worker, folder, first, count, faults)
            with faults.lock:
                faults.done += count
                if finished:
                    finished(first, count)

    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="packtool-commands.", dir=memory) as folder:
        threads = [threading.Thread(target=work, args=(Path(folder) / str(number),))
                   for number in range(jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def fails(worker, case, folder):
    """The failure of a written mutant, or None."""
    try:
        done = subprocess.run(
            [str(worker), str(ROOT), str(folder), "case", str(case)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment(folder),
            timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "nothing"
    if done.returncode < 0:
        return f"signal {-done.returncode}"
    bad = (line for line in done.stdout.splitlines() if line.startswith("bad"))
    return next((line.split(": ", 1)[-1][:40] for line in bad), None)


def minimise(worker, case, folder, seconds=60):
    """Removes files, then bytes, as long as the mutant fails in the same way."""
    how, end = fails(worker, case, folder), time.monotonic() + seconds
    if how is None:
        return "it does not fail alone"
    files = sorted(path for path in (case / "files").rglob("*") if path.is_file())

    def attempt(path, content):
        before = path.read_bytes()
        path.unlink() if content is None else path.write_bytes(content)
        if fails(worker, case, folder) == how:
            return True
        path.write_bytes(before)
        return False

    for path in list(files):
        if time.monotonic() < end and attempt(path, None):
            files.remove(path)
    for path in files:
        size = max(1, path.stat().st_size // 2)
        while size >= 1 and time.monotonic() < end:
            start = 0
            while start < path.stat().st_size and time.monotonic() < end:
                content = path.read_bytes()
                if not attempt(path, content[:start] + content[start + size:]):
                    start += size
            size //= 2
    return how


def keep(worker, seed):
    """Writes and minimizes a mutant; returns its folder."""
    case = OUT / "found" / str(seed)
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="packtool-commands.") as folder:
        subprocess.run([str(worker), str(ROOT), folder, "write", str(seed), str(case)], check=True,
                       stdin=subprocess.DEVNULL, env=environment(folder))
        return case, minimise(worker, case, folder)


def explain(worker, faults):
    for seed, _ in faults.found[:5]:
        case, how = keep(worker, seed)
        print(f"\n== seed {seed}: {how}; in {case.relative_to(ROOT)}")
        print((case / "PLAN").read_text())
        for path in sorted(path for path in (case / "files").rglob("*") if path.is_file()):
            print(f"{path.relative_to(case / 'files')}: {path.read_bytes()[:400]!r}")
    print(f"\nhelp: run 'Tests/Rigs/Commands/run.py --replay {faults.found[0][0]}'")


def replay(worker, seed):
    with tempfile.TemporaryDirectory(prefix="packtool-commands.") as folder:
        done = subprocess.run(
            [str(worker), str(ROOT), folder, "seeds", str(seed), "1"], stdin=subprocess.DEVNULL,
            env=environment(folder) | {"SWIFT_BACKTRACE": "enable=yes,color=no,threads=crashed"})
        print((Path(folder) / "output").read_text(errors="replace")[-2000:])
        print((Path(folder) / "messages").read_text(errors="replace")[-6000:])
    return done.returncode


def long_run(worker, jobs, faults, count):
    """The long form, which records finished blocks."""
    note = OUT / "long.json"
    done = set(json.loads(note.read_text())) if note.exists() else set()
    ranges = [(start, BLOCK) for start in range(LONG_START, LONG_START + count, BLOCK) if start not in done]
    begun = time.monotonic()

    def finished(first, size):
        done.add(first)
        if len(done) % 10 == 0:
            note.write_text(json.dumps(sorted(done)))
            print(f"{len(done) * BLOCK:,} of {count:,} mutants, {time.monotonic() - begun:.0f} s", flush=True)

    run(worker, ranges, jobs, faults, finished)
    note.write_text(json.dumps(sorted(done)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--long", action="store_true", help=f"{LONG:,} mutants")
    parser.add_argument("--count", type=int, default=LONG, help="how many mutants --long runs")
    parser.add_argument("--seeds", nargs=2, type=int, metavar=("FIRST", "COUNT"))
    parser.add_argument("--replay", type=int, metavar="SEED")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    # Inherited by the workers: a crash is reported by its seed, not by a core file.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    worker = OUT / "worker"
    compile_worker(worker)
    if given.replay is not None:
        return replay(worker, given.replay)
    faults = Faults()
    today = int(datetime.date.today().strftime("%Y%m%d")) * 1_000_000
    if given.long:
        long_run(worker, max(given.jobs, 2), faults, given.count)
    else:
        ranges = [tuple(given.seeds)] if given.seeds else [(1, 1000), (today, 1000)]
        print("seeds " + ", ".join(f"{first} to {first + count - 1}" for first, count in ranges), flush=True)
        run(worker, ranges, given.jobs, faults)
    if faults.found:
        explain(worker, faults)
        return 1
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{faults.done:,} mutants of whole commands, no fault, {used.ru_utime + used.ru_stime:.0f} s CPU")
    return 0


if __name__ == "__main__":
    sys.exit(main())
