"""Shared by hostile.py and trees.py: running the tool, trees on disk, a common verdict on results."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Faults"))
from rig import builds, tool, tree
from rig.report import Report  # noqa: F401


@dataclass
class Outcome(tool.Outcome):
    peak: int = 0   # peak resident memory in bytes


def run(words, timeout=300):
    """Runs packtool with `words`; the kernel reports its peak memory afterwards.

    Until the child has started, the resident memory of this process counts as the child's: keep it small.
    """
    argv = tool.command() + [str(word) for word in words]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   env=tool.environment(), start_new_session=True)
        hung = threading.Event()
        timer = threading.Timer(timeout, lambda: (hung.set(), os.killpg(process.pid, signal.SIGKILL)))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        said = []
        for stream in (out, err):
            stream.seek(0)
            said.append(stream.read().decode("utf-8", "replace"))
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Outcome(argv, process.returncode, *said, hung.is_set(), peak)


def write(files, root):
    """Writes a tree, path to bytes, as a new directory."""
    tree.write(files, root)
    return root


def judge_tree(root, files):
    """The differences of the tree on disk from `files`: exactly these, and no empty directory."""
    found = tree.read(root)
    folders = {str(parent) for path in files for parent in Path(path).parents} - {"."}
    wanted = files | dict.fromkeys(folders, tree.DIRECTORY)
    odd = sorted(path for path in wanted.keys() | found.keys() if wanted.get(path) != found.get(path))
    return [f"the tree differs in {len(odd)} places: {odd[:4]}"] if odd else []


def judge_end(outcome):
    """Problems in how a run ended, regardless of its result."""
    problems = tool.complaints(outcome)
    if outcome.status not in (0, 1, 2):
        problems.append(f"exit {outcome.status} is none of 0, 1, 2: {outcome.brief()}")
    if outcome.status in (1, 2):
        problems += [f"no `{word}` line: {outcome.brief()}" for word in ("error:", "help:")
                     if word not in outcome.stderr]
    return problems


def package_hash(files):
    return builds.listing_hash(files)


class Scratch:
    """A directory for the duration of a program, in memory if possible."""

    def __init__(self, place=None, keep=False):
        base = place or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.root = Path(tempfile.mkdtemp(prefix="packtool-faults-delta-", dir=base)).resolve()
        self.keep = keep

    def __enter__(self):
        return self.root

    def __exit__(self, *_):
        if self.keep:
            print(f"kept {self.root}", file=sys.stderr)
        else:
            shutil.rmtree(self.root, ignore_errors=True)


def add_options(parser):
    """The options shared by both programs; mutants.py and run.py use some of them."""
    parser.add_argument("packtool", nargs="?", help="the tool (default: $PACKTOOL, or the debug build)")
    parser.add_argument("--long", action="store_true", help="everything: minutes to an hour")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--fail-fast", action="store_true", help="stop at the first violation")
    parser.add_argument("--keep", action="store_true", help="keep the scratch directory")
    parser.add_argument("--scratch", help="where to work (default: memory)")
    parser.add_argument("--json", metavar="FILE", help="write the summary there too")


def use(packtool):
    if packtool:
        os.environ["PACKTOOL"] = packtool
    tool.command()
