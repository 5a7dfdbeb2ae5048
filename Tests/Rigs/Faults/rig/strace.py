"""Records and injects with strace, and parses its log.

Notes on strace 6.1: `inject=NAME:…:when=N` counts per system call and per thread, so points are also counted
per thread here. A traced run gets one processor: the Swift runtime's pool then has one thread, and N means
the same call twice. A call hit by `signal=KILL` is not executed. With -y each descriptor is printed with its
path, which distinguishes process start-up from the tool's work: the marker is the first call that names the
bench's directory.
"""

import itertools
import os
import re
import shutil
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from . import tool

# All calls that a publisher or an installer may make; `?` lets strace skip unknown ones.
CHANGING = ["openat", "open", "creat", "mkdirat", "mkdir", "write", "pwrite64", "writev", "pwritev2",
            "fsync", "fdatasync", "syncfs", "sync", "linkat", "link", "renameat2", "renameat",
            "rename", "unlinkat", "unlink", "rmdir", "symlinkat", "symlink", "ftruncate", "fallocate",
            "copy_file_range", "sendfile", "openat2"]
READING = ["read", "pread64", "readv", "getdents64", "fstat", "newfstatat", "statx", "stat", "lstat",
           "readlinkat", "readlink", "faccessat", "faccessat2", "access", "close", "lseek", "flock",
           "fcntl", "statfs", "fstatfs", "utimensat", "fchmod", "fchmodat", "chmod",
           "dup", "dup2", "dup3"]
NAMES = CHANGING + READING

LINE = re.compile(r"^(\d+)\s+(.*)$")
STARTED = re.compile(r"^(\w+)\((.*)$", re.S)
RESUMED = re.compile(r"^<\.\.\. (\w+) resumed>(.*)$", re.S)
RESULT = re.compile(r"^(.*)\)\s+=\s+(\?|-?\d+|0x[0-9a-f]+)(.*)$", re.S)


@dataclass
class Call:
    thread: int      # 0 for the first thread seen, 1 for the next, …
    name: str
    text: str        # the arguments as printed by strace
    result: str = "?"
    tail: str = ""   # the rest after the result: path of a descriptor, errno, (INJECTED)

    @property
    def failed(self):
        return self.result in ("?",) or self.result.startswith("-")

    def brief(self):
        return f"{self.name}({self.text[:160]}) = {self.result}{self.tail[:60]}"


def available():
    return shutil.which("strace") or sys.exit(
        "error: strace is not installed\nhelp: apt-get install strace")


def broken():
    """The reason why faults cannot be injected on this machine; empty if they work."""
    for word in ("strace", "taskset"):
        if not shutil.which(word):
            return f"{word} is not installed"
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "trace"
        for action, wanted in (("error=EIO", "(INJECTED)"), ("signal=KILL", "killed")):
            outcome = tool.run(
                [
                    *program(),
                    "-f",
                    "-qq",
                    "-o",
                    str(log),
                    "-e",
                    "trace=mkdir,mkdirat",
                    "-e",
                    f"inject=mkdir,mkdirat:{action}:when=1",
                    "--",
                    "mkdir",
                    f"{folder}/new",
                ]
            )
            if outcome.status == 0 or not log.exists() or wanted not in log.read_text():
                return f"strace ended with {outcome.brief()}"
    return ""


PROCESSORS = itertools.cycle(sorted(os.sched_getaffinity(0)))
MINE = threading.local()


def program():
    """The strace command line, on one processor: each of our threads uses another one."""
    if not hasattr(MINE, "processor"):
        MINE.processor = next(PROCESSORS)
    return ["taskset", "--cpu-list", str(MINE.processor), available()]


def parse(log):
    """Calls in the order of their entry, with unfinished ones joined to their ends."""
    calls, threads, open_calls = [], {}, {}
    for line in Path(log).read_text(errors="surrogateescape").splitlines():
        match = LINE.match(line)
        if not match:
            continue
        thread = threads.setdefault(match[1], len(threads))
        text = match[2]
        if resumed := RESUMED.match(text):
            call = open_calls.pop(thread, None)
            if call is None:
                continue
            text = f"{call.name}({call.text}{resumed[2]}"
        elif started := STARTED.match(text):
            call = Call(thread, started[1], started[2])
            calls.append(call)
            if text.endswith("<unfinished ...>"):
                call.text = call.text.removesuffix("<unfinished ...>").rstrip()
                open_calls[thread] = call
                continue
        else:
            continue  # signals and exits
        if finished := RESULT.match(text[len(call.name) + 1:]):
            call.text, call.result, call.tail = finished[1], finished[2], finished[3]
    return calls


def marker(calls, root):
    """Index of the first call that accesses the bench; earlier calls are process start-up."""
    root = str(root)
    for index, call in enumerate(calls):
        if call.name != "execve" and (root in call.text or root in call.tail):
            return index
    return len(calls)


def record(argv, log, names=NAMES, strings=200):
    """Runs with a full trace: outcome and calls."""
    wanted = ",".join("?" + name for name in names)
    outcome = tool.run([*program(), "-f", "-y", "-qq", "-s", str(strings), "-o", str(log),
                        "-e", "signal=none", "-e", f"trace={wanted},?clone,?clone3,?vfork,?fork",
                        "--", *argv], timeout=300)
    return outcome, parse(log)


def points(calls, root):
    """The relevant injection points of each call name: {name: {N: a representative call}}.

    N is the count of that name within one thread; numbers reached before the marker are omitted.
    """
    found = {}
    for index, name, number in places(calls, root):
        found.setdefault(name, {}).setdefault(number, calls[index])
    return found


def places(calls, root):
    """(index, name, N) of every call of the tool's work, in order."""
    start = marker(calls, root)
    counts, found = {}, []
    for index, call in enumerate(calls):
        number = counts[call.thread, call.name] = counts.get((call.thread, call.name), 0) + 1
        if index >= start and call.name in NAMES:
            found.append((index, call.name, number))
    return found


def inject(argv, log, name, action, number, root, timeout=60, traced=(), strings=200):
    """Runs with one fault; returns the outcome, the affected call, and whether it counts.

    `action` is in strace's notation: `signal=KILL` or `error=EIO`; a trailing `+` means the Nth call and all
    later ones, as on a disk that stays full. The call is None if the run ended before the Nth call, and does
    not count if it was hit before the marker.
    """
    names = {name, "openat", "open", "newfstatat", "stat", "lstat", "statx", "access", "chdir"} | set(traced)
    when = f"{number}+" if action.endswith("+") else str(number)
    # With --seccomp-bpf, strace 6.1 silently drops an injected signal; errno injection works with it.
    quick = ["--seccomp-bpf"] if action.startswith("error=") else []
    outcome = tool.run(
        [
            *program(),
            "-f",
            *quick,
            "-y",
            "-qq",
            "-s",
            str(strings),
            "-o",
            str(log),
            "-e",
            "signal=none",
            "-e",
            "trace=" + ",".join("?" + n for n in sorted(names)),
            "-e",
            f"inject={name}:{action.rstrip('+')}:when={when}",
            "--",
            *argv,
        ],
        timeout=timeout,
    )
    calls = parse(log)
    hit = None
    for index, call in enumerate(calls):
        if call.name == name and ("(INJECTED)" in call.tail or "(DELAYED)" in call.tail):
            hit = index
            break
    if hit is None and "KILL" in action and outcome.killed:
        # Other threads may also be inside a call; the affected one is the last of that name.
        cut = [index for index, call in enumerate(calls) if call.name == name and call.result == "?"]
        hit = cut[-1] if cut else None
    if hit is None:
        return outcome, None, False
    return outcome, calls[hit], hit >= marker(calls, root)
