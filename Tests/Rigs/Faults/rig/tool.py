"""Runs packtool and checks how it ended.

A separate module, because the rule "an exit code, or our own SIGKILL, and never a trap" is checked after
every injected fault. The environment is also fixed here: with one worker and deterministic hashing, the Nth
system call of two runs is the same call.
"""

import os
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[4]
BASE_URL = "https://cdn.example.com/shop"
APP = "shop"
CHANNEL = "production"

EXIT_CODES = {0, 1, 2, 3}
# Output of Swift, libc and the sanitizers when a program crashes.
CRASH_MARKS = ("Fatal error", "Crash trace", "Current stack trace", "Illegal instruction",
               "Thread 0 crashed", "Stack dump", "AddressSanitizer", "double free", "corrupted")


@dataclass
class Outcome:
    argv: list
    status: int
    stdout: str
    stderr: str
    hung: bool = False

    @property
    def killed(self):
        return self.status in (-signal.SIGKILL, 128 + signal.SIGKILL)

    def brief(self):
        last = (self.stderr.strip().splitlines() or [""])[-3:]
        return f"exit {self.status}: {' | '.join(last)}"


def command():
    """The tool's argument vector: $PACKTOOL, or the debug build of this repository.

    A Python file runs in isolated mode, so that the self-test's toy starts in 25 ms.
    """
    words = shlex.split(os.environ.get("PACKTOOL", str(REPOSITORY / ".build/debug/packtool")))
    if not Path(words[0]).exists():
        sys.exit(f"error: no tool at {words[0]}\nhelp: run `swift build`, or set PACKTOOL")
    if words[0].endswith(".py"):
        words = [os.path.realpath(sys.executable), "-I", "-S", "-B"] + words
    return [os.path.abspath(word) if os.path.exists(word) else word for word in words]


def environment():
    keep = {name: os.environ[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH") if name in os.environ}
    return keep | {"SWIFT_BACKTRACE": "enable=no", "SWIFT_DETERMINISTIC_HASHING": "1",
                   "PACKTOOL_JOBS": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def run(argv, timeout=60):
    """Runs to the end or to the timeout; on timeout, kills the whole session."""
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=environment(), start_new_session=True)
    try:
        out, err = process.communicate(timeout=timeout)
        hung = False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        hung = True
    return Outcome(list(map(str, argv)), process.returncode,
                   out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), hung)


def publish_argv(build, origin, *more):
    return command() + ["publish", str(build), "--to", str(origin), "--no-check", "--base-url", BASE_URL,
                        "--app", APP, "--channel", CHANNEL, *more]


def change_argv(origin, verb, *more):
    """A command that changes a channel without a build."""
    return command() + [*verb.split(), str(origin), *more]


def commit_argv(proposal, origin):
    return command() + ["publish", "--pointer", str(proposal), "--to", str(origin)]


def root_words(keys):
    """The commands that make root 1 of `a` and root 2 of `b`, or of both, from existing keys."""
    one, two, added, key = (str(keys / name) for name in ("1.json", "2.json", "added.json", "root.key"))
    def root(*words):
        return command() + ["keys", "root", *words]
    return [
        root("-o", one, "--app", APP, "--key", f"r={keys}/root.pub", "--key", f"a={keys}/a.pub",
             "--role", "root=r", "--role", "release=a"),
        command() + ["keys", "sign", one, "--sign-key", key],
        root(one, "-o", two, "--key", f"b={keys}/b.pub", "--role", "release=b", "--remove", "a"),
        command() + ["keys", "sign", two, "--previous", one, "--sign-key", key],
        root(one, "-o", added, "--key", f"b={keys}/b.pub", "--role", "release:1=a,b"),
        command() + ["keys", "sign", added, "--previous", one, "--sign-key", key],
    ]


def root_argv(root, origin):
    return command() + ["keys", "publish", str(root), "--to", str(origin)]


def embed_argv(origin, target, trust):
    return command() + ["embed", str(origin), "-o", str(target), "--trust", str(trust)]


def install_argv(origin, into):
    return command() + ["install", str(origin), "--into", str(into)]


def delta_argv(old, new, delta):
    return command() + ["delta", str(old), str(new), "-o", str(delta)]


def apply_argv(base, delta, target):
    return command() + ["apply", str(base), str(delta), "-o", str(target)]


def verify_argv(origin):
    return command() + ["verify", str(origin)]


def complaints(outcome, may_be_killed=False, needs_help=True):
    """Problems in how this run ended: a list of sentences, empty if there are none."""
    found = []
    if outcome.hung:
        return ["the run hung and was ended by the timeout"]
    if not (outcome.status in EXIT_CODES or (may_be_killed and outcome.killed)):
        found.append(f"undocumented end: {outcome.brief()}")
    marks = [mark for mark in CRASH_MARKS if mark in outcome.stderr]
    if marks or (outcome.status == -1 and not outcome.stderr):
        found.append(f"crash trace ({', '.join(marks)}): {outcome.brief()}")
    speaks = "help:" in outcome.stderr or '"help"' in outcome.stdout
    if needs_help and outcome.status in (1, 2, 3) and not speaks:
        found.append(f"exit {outcome.status} without a `help:` line: {outcome.brief()}")
    return found
