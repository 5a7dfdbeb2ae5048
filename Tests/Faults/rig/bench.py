"""Scenarios: the state before a run, the run, and what may be there afterwards.

Why: kill sweep, crash model and race start from the same states, each made by packtool itself, and
each is copied afresh for every single run.
"""

import os
import shutil
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import builds, strace, tool, tree


@dataclass
class Scenario:
    name: str
    verb: str              # "publish" or "install"
    start: Path            # the directory that each run gets a copy of
    new: builds.Build
    old: builds.Build = None   # None: nothing was published, or installed, before
    origin: Path = None    # install only: where from
    seen: tuple = ()       # every build whose files may lie in `site/`

    def argv(self, subject):
        if self.verb == "publish":
            return tool.publish_argv(self.new.path, subject)
        return tool.install_argv(self.origin, subject)


class SetupFailed(Exception):
    """The tool cannot even do the undisturbed thing."""


class Bench:
    """A scratch directory with builds, start states and room for cases.

    Memory (/dev/shm) by default: what is lost in a power cut is the crash model's business, and the
    kill sweep is three times as fast there.
    """

    def __init__(self, scratch=None, keep=False):
        base = scratch or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.root = Path(tempfile.mkdtemp(prefix="packtool-faults-", dir=base)).resolve()
        self.keep = keep
        self.one, self.two, self.three = (builds.make(self.root / "builds", n) for n in (1, 2, 3))
        self.made = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if not self.keep:
            shutil.rmtree(self.root, ignore_errors=True)

    def must(self, argv):
        outcome = tool.run(argv)
        if outcome.status != 0:
            raise SetupFailed(f"{' '.join(argv[len(tool.command()):])}: {outcome.brief()}")

    def copy(self, start, target):
        shutil.copytree(start, target, symlinks=True)
        return target

    def state(self, name, basis=None, runs=()):
        """A directory made once: a copy of another state, then some undisturbed runs in it."""
        if name not in self.made:
            path = self.root / "states" / name
            if basis:
                self.copy(basis, path)
            else:
                path.mkdir(parents=True)
            for argv in runs:
                self.must(argv(path))
            self.made[name] = path
        return self.made[name]

    def publishes(self, *of):
        return [lambda path, build=build: tool.publish_argv(build.path, path) for build in of]

    def origin(self, *of):
        name = "origin-" + "".join(str(build.number) for build in of)
        if not of:
            return self.state(name)
        return self.state(name, self.origin(*of[:-1]), self.publishes(of[-1]))

    def client(self, *of):
        """A client that updated through these builds, each while it was the newest."""
        name = "client-" + "".join(str(build.number) for build in of)
        if not of:
            return self.state(name)
        origin = self.origin(*of)
        return self.state(name, self.client(*of[:-1]), [lambda path: tool.install_argv(origin, path)])

    def interrupted(self, name, basis, argv, choose):
        """A state in which a run was killed at the call that `choose` picks from its trace."""
        if name in self.made:
            return self.made[name]
        trial = self.copy(basis, self.root / "states" / f"{name}-trial")
        log = self.root / f"{name}.trace"
        outcome, calls = strace.record(argv(trial), log)
        if outcome.status != 0:
            raise SetupFailed(f"{name}: {outcome.brief()}")
        found = strace.points(calls, self.root)
        places = [(calls.index(call), call.name, number) for call_name in strace.CHANGING
                  for number, call in found.get(call_name, {}).items()]
        _, call_name, number = choose(sorted(places), calls)
        path = self.copy(basis, self.root / "states" / name)
        outcome, _, _ = strace.inject(argv(path), log, call_name, "signal=KILL", number, self.root)
        if outcome.status != -signal.SIGKILL:
            raise SetupFailed(f"{name}: the kill did not land: {outcome.brief()}")
        self.made[name] = path
        return path

    # The scenarios by name; each is built when asked for, so a single one starts quickly.

    def scenario(self, name):
        return getattr(self, "make_" + name.replace("-", "_"))(name)

    def publish(self, name, start, new, old, seen):
        return Scenario(name, "publish", start, new, old, seen=seen)

    def make_first(self, name):
        return self.publish(name, self.origin(), self.one, None, (self.one,))

    def make_second(self, name):
        return self.publish(name, self.origin(self.one), self.two, self.one, (self.one, self.two))

    def make_again(self, name):
        start = self.origin(self.one, self.two)
        return self.publish(name, start, self.two, self.two, (self.one, self.two))

    def make_back(self, name):
        """An older content published again: a higher sequence that names an older release."""
        start = self.origin(self.one, self.two)
        return self.publish(name, start, self.one, self.two, (self.one, self.two))

    def make_resume_staged(self, name):
        """The same publish was killed half way through its changing calls."""
        start = self.interrupted(name, self.origin(self.one), self.publishes(self.two)[0],
                                 lambda places, _: places[len(places) // 2])
        return self.publish(name, start, self.two, self.one, (self.one, self.two))

    def make_resume_logged(self, name):
        """It was killed at the commit point: log entry there, pointer still old."""
        start = self.interrupted(name, self.origin(self.one), self.publishes(self.two)[0], commit_call)
        return self.publish(name, start, self.two, self.one, (self.one, self.two))

    def make_after_other(self, name):
        """A publish of a third build was killed at its commit point."""
        start = self.interrupted(name, self.origin(self.one), self.publishes(self.three)[0], commit_call)
        seen = (self.one, self.two, self.three)
        return self.publish(name, start, self.two, self.one, seen)

    def install(self, name, start, origin, new, old):
        return Scenario(name, "install", start, new, old, origin)

    def make_install(self, name):
        return self.install(name, self.client(), self.origin(self.one), self.one, None)

    def make_update(self, name):
        origin = self.origin(self.one, self.two)
        return self.install(name, self.client(self.one), origin, self.two, self.one)

    def make_update_resumed(self, name):
        origin = self.origin(self.one, self.two)
        start = self.interrupted(name, self.client(self.one),
                                 lambda path: tool.install_argv(origin, path),
                                 lambda places, _: places[len(places) * 2 // 3])
        return self.install(name, start, origin, self.two, self.one)


SCENARIOS = [name.removeprefix("make_").replace("_", "-") for name in vars(Bench)
             if name.startswith("make_")]


def commit_call(places, calls):
    """The rename that puts the pointer in its place."""
    for index, name, number in places:
        if name.startswith("rename") and "pointer.json" in calls[index].text.split(",", 1)[-1]:
            return index, name, number
    raise SetupFailed("no rename onto pointer.json in the trace: where is the commit point?")


def installed(client):
    """Which tree a client directory holds: None, or its files read through `current`."""
    current = Path(client) / "current"
    if not current.is_symlink() and not current.exists():
        return None
    return {path: content for path, content in tree.read(current.resolve()).items()
            if content is not tree.DIRECTORY}
