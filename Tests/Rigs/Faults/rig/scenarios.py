"""Scenarios: the state before a run, the run, and the files allowed afterwards.

Kill sweep, crash model and race start from the same states; each state is made by packtool itself, and copied
for every run.
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections import namedtuple
from dataclasses import dataclass, replace
from pathlib import Path

from . import builds, strace, tool, tree


# The origin of a start state: a run of `argv` from `basis`, killed at a call. The crash model replays it,
# because without a power cut in between, its writes may still be volatile.
Killed = namedtuple("Killed", "basis argv call number")
# On a busy machine, a kill occasionally misses.
KILL_TRIES = 8


@dataclass
class Scenario:
    name: str
    command: str           # "publish", "install", "apply", "root" or "embed"
    start: Path            # the directory copied for each run
    new: builds.Build
    old: builds.Build = None   # None: nothing was published or installed before
    origin: Path = None    # install only: the source
    seen: tuple = ()       # every build whose files may be in `site/`
    inner: str = ""        # the origin or installation is this much deeper, and does not exist yet
    killed: Killed = None
    more: tuple = ()       # more arguments of the publish
    words: tuple = ()      # instead of a publish: a command that changes the channel, with its arguments
    committed: Path = None  # instead of a build: a signed proposal
    proposed: builds.Build = None
    proposes: bool = False  # publish only: leaves the pointer in `next.json` next to the origin
    pins: tuple = ()        # the releases pinned afterwards, if a command changes the pins
    trust: Path = None      # install and embed only: the root named by the command
    root: Path = None       # keys publish: the file, and its path in the origin
    root_place: str = ""

    def place(self, subject):
        return subject / self.inner if self.inner else subject

    def argv(self, subject):
        if self.committed:
            return tool.commit_argv(self.committed, self.place(subject))
        if self.words:
            return tool.change_argv(self.place(subject), *self.words)
        if self.command == "publish":
            more = ["--propose", str(proposal(subject))] if self.proposes else []
            build = self.proposed if self.proposes else self.new
            return tool.publish_argv(build.path, self.place(subject), *self.more, *more)
        if self.command == "root":
            return tool.root_argv(self.root, self.place(subject))
        if self.command == "embed":
            return tool.embed_argv(subject / "cdn", subject / "app", self.trust)
        if self.command == "apply":
            return tool.apply_argv(subject / "base", subject / "delta.zip", subject / "out")
        more = ["--trust", str(self.trust)] if self.trust else []
        return tool.install_argv(self.origin, self.place(subject)) + more


class SetupFailed(Exception):
    """The tool fails without any fault."""


class Bench:
    """A scratch directory with builds, start states and cases.

    In memory (/dev/shm) by default: power cuts are covered by the crash model, and the kill sweep is three
    times as fast there.
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
        """A client that installed these builds, each while it was the newest."""
        name = "client-" + "".join(str(build.number) for build in of)
        if not of:
            return self.state(name)
        origin = self.origin(*of)
        return self.state(name, self.client(*of[:-1]), [lambda path: tool.install_argv(origin, path)])

    def interrupted(self, name, basis, argv, choose):
        """A state in which a run was killed at the call that `choose` picks from its trace."""
        if name in self.made:
            return self.made[name], self.made[name, "killed"]
        trial = self.copy(basis, self.root / "states" / f"{name}-trial")
        log = self.root / f"{name}.trace"
        outcome, calls = strace.record(argv(trial), log)
        if outcome.status != 0:
            raise SetupFailed(f"{name}: {outcome.brief()}")
        places = [place for place in strace.places(calls, self.root) if place[1] in strace.CHANGING
                  and (not place[1].startswith("open") or "O_CREAT" in calls[place[0]].text)]
        _, call_name, number = choose(places, calls)
        path, killed = self.root / "states" / name, Killed(basis, argv, call_name, number)
        self.kill(name, killed, path, log)
        self.made[name], self.made[name, "killed"] = path, killed
        return path, killed

    def kill(self, name, killed, path, log, **how):
        """Makes `path` a copy of the run's start state, and kills the run there.

        A run's threads share its calls, so one may end before the call's number: then it is repeated.
        """
        for _ in range(KILL_TRIES):
            if path.exists():
                shutil.rmtree(path)
            self.copy(killed.basis, path)
            outcome, call, _ = strace.inject(killed.argv(path), log, killed.call, "signal=KILL",
                                             killed.number, self.root, **how)
            if outcome.status == -signal.SIGKILL and call is not None:
                return
        raise SetupFailed(f"{name}: the kill did not land: {outcome.brief()}")

    # The scenarios by name; each is built on demand, so a single one starts quickly.

    def scenario(self, name):
        return getattr(self, "make_" + name.replace("-", "_"))(name)

    def publish(self, name, start, new, old, seen, **more):
        return Scenario(name, "publish", start, new, old, seen=seen, **more)

    def resumed(self, name, choose, *more):
        """The same publish was killed at the call picked by `choose`."""
        start, killed = self.interrupted(
            name, self.origin(self.one), lambda path: tool.publish_argv(self.two.path, path, *more), choose)
        return self.publish(name, start, self.two, self.one, (self.one, self.two), killed=killed)

    def make_first(self, name):
        return self.publish(name, self.origin(), self.one, None, (self.one,))

    def make_missing(self, name):
        """The origin's directory and its parent do not exist."""
        return self.publish(name, self.origin(), self.one, None, (self.one,), inner="srv/cdn")

    def make_second(self, name):
        return self.publish(name, self.origin(self.one), self.two, self.one, (self.one, self.two))

    def make_again(self, name):
        start = self.origin(self.one, self.two)
        return self.publish(name, start, self.two, self.two, (self.one, self.two))

    def make_back(self, name):
        """An older content published again: a higher sequence that names an older release."""
        start = self.origin(self.one, self.two)
        return self.publish(name, start, self.one, self.two, (self.one, self.two))

    def make_feeds(self, name):
        """The channel has feeds: they follow, although the command does not name them."""
        start = self.state("origin-feeds", self.origin(), [
            lambda path: tool.publish_argv(self.one.path, path, "--feed", "capawesome,capgo,cordova-hcp")])
        return self.publish(name, start, self.two, self.one, (self.one, self.two))

    def make_deltas(self, name):
        """The current release again, with a delta missing from its pointer."""
        none = [lambda path, build=build: tool.publish_argv(build.path, path, "--deltas", "0")
                for build in (self.one, self.two)]
        start = self.state("origin-without-deltas", self.origin(), none)
        return self.publish(name, start, self.two, self.two, (self.one, self.two))

    def make_resume_staged(self, name):
        """Half way through its changing calls."""
        return self.resumed(name, lambda places, _: places[len(places) // 2])

    def make_resume_release(self, name):
        """The package has its name but the manifest does not; the next run makes another package."""
        return self.resumed(name, at("link", "/info.json"), "--level", "fast")

    def make_resume_logged(self, name):
        """At the commit point: the log entry exists, the pointer is still old."""
        return self.resumed(name, at("rename", POINTER))

    def make_resume_committed(self, name):
        """Just after it: the pointer's name may not be durable."""
        return self.resumed(name, after("rename", POINTER))

    def make_resume_info(self, name):
        """`info.json` is new, `site/` is not."""
        return self.resumed(name, after("rename", "info.json"))

    def make_resume_site(self, name):
        """All of `site/` is new, but may not be durable."""
        return self.resumed(name, after("rename", "site/index.html"))

    def make_after_other(self, name):
        """A publish of a third build was killed at its commit point."""
        start, killed = self.interrupted(name, self.origin(self.one), self.publishes(self.three)[0],
                                         at("rename", POINTER))
        seen = (self.one, self.two, self.three)
        return self.publish(name, start, self.two, self.one, seen, killed=killed)

    # Commands that change the channel without a build. Their scenarios are like a publish of the release
    # offered by the resulting pointer: `words` is the command to run instead.

    def canary(self):
        """The first build for every device, and the second one for none yet."""
        return self.state("origin-canary", self.origin(self.one), [
            lambda path: tool.publish_argv(self.two.path, path, "--rollout", "0")])

    def make_rollout(self, name):
        """The second build for every device: `info.json` and `site/` follow."""
        return self.publish(name, self.canary(), self.two, self.one, (self.one, self.two),
                            words=("rollout", "100"))

    def make_rollback(self, name):
        start = self.origin(self.one, self.two)
        return self.publish(name, start, self.one, self.two, (self.one, self.two),
                            words=("rollback", "--to-release", self.one.version))

    def make_promote(self, name):
        """The second build is on another channel; a delta to it is made."""
        start = self.state("origin-beta", self.origin(self.one), [
            lambda path: tool.publish_argv(self.two.path, path, "--channel", "beta", "--deltas", "0")])
        return self.publish(name, start, self.two, self.one, (self.one, self.two),
                            words=("promote", "--from", "beta"))

    def make_pause(self, name):
        start = self.origin(self.one, self.two)
        return self.publish(name, start, self.two, self.two, (self.one, self.two),
                            words=("pause", "--bypass"))

    def make_resume(self, name):
        start = self.state("origin-paused", self.origin(self.one, self.two),
                           [lambda path: tool.change_argv(path, "pause")])
        return self.publish(name, start, self.two, self.two, (self.one, self.two), words=("resume",))

    def make_close(self, name):
        """The channel ends: its files stay until a prune."""
        start = self.origin(self.one, self.two)
        return self.publish(name, start, self.two, self.two, (self.one, self.two),
                            words=("channel close", tool.CHANNEL, "--default-channel"))

    def make_renew(self, name):
        start = self.origin(self.one, self.two)
        return self.publish(name, start, self.two, self.two, (self.one, self.two),
                            words=("renew", "--expires-in-days", "30"))

    def make_prune(self, name):
        """Deletes two unused releases; a third one stays."""
        start = self.origin(self.one, self.two, self.three)
        return self.publish(name, start, self.three, self.three, (self.one, self.two, self.three),
                            words=tuple("prune --yes --keep 1 --grace-days 0 --delay-hours 0".split()))

    def make_pin(self, name):
        """The older release, which an app contains; public files do not change."""
        start = self.origin(self.one, self.two)
        return self.publish(name, start, self.two, self.two, (self.one, self.two),
                            words=("prune", "--pin", self.one.version, "--reason", "app 1"),
                            pins=(self.one.version,))

    def make_unpin(self, name):
        """Removes one of two pins."""
        start = self.state("origin-pinned", self.origin(self.one, self.two), [
            lambda path, build=build: tool.change_argv(path, "prune", "--pin", build.version)
            for build in (self.one, self.two)])
        return self.publish(name, start, self.two, self.two, (self.one, self.two),
                            words=("prune", "--unpin", self.one.version), pins=(self.two.version,))

    def make_correct(self, name):
        """The live release with another scheme: only a second manifest is new."""
        start = self.origin(self.one, self.two)
        return self.publish(name, start, self.two, self.two, (self.one, self.two),
                            more=("--scheme", "shop", "--allow-identity-change"))

    # An origin with signed pointers. Root 2 removes the key of root 1.

    def keys(self):
        """The directory with root.key, a.key, b.key, and the roots 1.json, 2.json and added.json."""
        def make(path):
            for name in ("root", "a", "b"):
                key = path / f"{name}.key"
                subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True,
                               capture_output=True)
                key.chmod(0o600)
                subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", path / f"{name}.pub"],
                               check=True)
            for words in tool.root_words(path):
                self.must(words)
        if "keys" not in self.made:
            make(self.state("keys"))
        return self.made["keys"]

    def signed(self):
        """The first build, in an origin with root 1."""
        keys = self.keys()
        return self.state("origin-signed", self.origin(), [
            lambda path: tool.root_argv(keys / "1.json", path),
            lambda path: tool.publish_argv(self.one.path, path, "--sign-key", str(keys / "a.key"))])

    def make_root_first(self, name):
        """Root 1, in an empty origin."""
        return Scenario(name, "root", self.origin(), self.one, root=self.keys() / "1.json",
                        root_place="root/1.json")

    def make_root_next(self, name):
        """Root 2, which adds a key: the live release stays accepted."""
        return Scenario(name, "root", self.signed(), self.one, self.one,
                        root=self.keys() / "added.json", root_place="root/2.json")

    def make_embed(self, name):
        """A release to bundle in an app, from a signed origin next to it, which keeps a pin."""
        if name not in self.made:
            self.copy(self.signed(), self.state(name) / "cdn")
        return Scenario(name, "embed", self.made[name], self.one, trust=self.keys() / "1.json")

    def make_signed(self, name):
        """A publish with a signed pointer."""
        return self.publish(name, self.signed(), self.two, self.one, (self.one, self.two),
                            more=("--sign-key", str(self.keys() / "a.key")))

    def make_propose(self, name):
        """The second build without its commit: the first one stays."""
        return self.publish(name, self.signed(), self.one, self.one, (self.one,), proposes=True,
                            proposed=self.two, more=("--sign-key", str(self.keys() / "a.key")))

    def make_commit(self, name):
        """The proposed pointer becomes the channel's."""
        start = self.state("origin-proposed", self.signed(), [
            lambda path: tool.publish_argv(self.two.path, path, "--sign-key", str(self.keys() / "a.key"),
                                           "--propose", str(proposal(path)))])
        return self.publish(name, start, self.two, self.one, (self.one, self.two),
                            committed=proposal(start))

    def rotated(self):
        """The second build, signed by the key of root 2."""
        keys = self.keys()
        return self.state("origin-rotated", self.signed(), [
            lambda path: tool.root_argv(keys / "2.json", path),
            lambda path: tool.publish_argv(self.two.path, path, "--sign-key", str(keys / "b.key"))])

    def make_install_trust(self, name):
        """A first install with root 1, which must follow root 2 to the release."""
        return self.install(name, self.client(), self.rotated(), self.two, None,
                            trust=self.keys() / "1.json")

    def make_rotate(self, name):
        """A client that knows root 1 updates to a release accepted only by root 2."""
        keys, signed = self.keys(), self.signed()
        origin = self.rotated()
        client = self.state("client-signed", None, [
            lambda path: tool.install_argv(signed, path) + ["--trust", str(keys / "1.json")]])
        return self.install(name, client, origin, self.two, self.one)

    def install(self, name, start, origin, new, old, **more):
        return Scenario(name, "install", start, new, old, origin, **more)

    def make_install(self, name):
        return self.install(name, self.client(), self.origin(self.one), self.one, None)

    def make_install_missing(self, name):
        return self.install(name, self.client(), self.origin(self.one), self.one, None, inner="data/app")

    def make_update(self, name):
        origin = self.origin(self.one, self.two)
        return self.install(name, self.client(self.one), origin, self.two, self.one)

    def updated(self, name, choose):
        """The same update was killed at the call picked by `choose`."""
        origin = self.origin(self.one, self.two)
        start, killed = self.interrupted(name, self.client(self.one),
                                         lambda path: tool.install_argv(origin, path), choose)
        return self.install(name, start, origin, self.two, self.one, killed=killed)

    def make_update_resumed(self, name):
        return self.updated(name, lambda places, _: places[len(places) * 2 // 3])

    def make_update_flipped(self, name):
        """`current` points to the new tree, and the state names it; neither may be durable."""
        return self.updated(name, after("rename", "current"))

    def make_update_seen(self, name):
        """The pointer was recorded but not applied; the record may not be durable."""
        return self.updated(name, after("rename", "state.json"))

    def make_update_stated(self, name):
        """`state.json` is new, but may not be durable."""
        return self.updated(name, after("rename", "state.json", last=True))

    def make_repair(self, name):
        """The installed tree was damaged: an update to the installed release."""
        if name not in self.made:
            start = self.state(name, self.client(self.one))
            for path, data in SPOILED.items():
                file = start / "versions" / self.one.version / path
                file.unlink(missing_ok=True)
                file.write_bytes(data)
        files = tuple(sorted((self.one.tree | SPOILED).items()))
        return self.install(name, self.made[name], self.origin(self.one), self.one,
                            replace(self.one, files=files))

    def make_apply(self, name):
        """A delta applied on its own, without an installation."""
        if name not in self.made:
            start = self.state(name)
            self.copy(self.one.path, start / "base")
            self.must(tool.delta_argv(self.one.path, self.two.path, start / "delta.zip"))
        return Scenario(name, "apply", self.made[name], self.two, self.one)


POINTER = f"channels/{tool.CHANNEL}/pointer.json"
SPOILED = {"index.html": b"<html>", "more.html": b"spoiled"}
# Scenarios whose undisturbed run has nothing to do.
UNCHANGING = ["again"]
SCENARIOS = [name.removeprefix("make_").replace("_", "-") for name in vars(Bench)
             if name.startswith("make_")]


# strace -y: the directory of a descriptor, then the name in it.
NAMED = re.compile(r'<((?:[^>\\]|\\.)*)>, "((?:[^"\\]|\\.)*)"')


def given(call):
    """The path created by a rename or link: the last one of the call."""
    found = NAMED.findall(call.text)
    return "/".join(found[-1]) if found else ""


def at(family, target, last=False):
    """Chooses the first or last rename or link that creates a name."""
    def choose(places, calls):
        for place in reversed(places) if last else places:
            if place[1].startswith(family) and given(calls[place[0]]).endswith(target):
                return place
        raise SetupFailed(f"nothing gives {target} its name in the trace")
    return choose


def proposal(subject):
    """The path of a proposed pointer: next to the origin."""
    return subject.parent / f"{subject.name}.next.json"


def after(family, target, last=False):
    """Chooses the changing call after it."""
    def choose(places, calls):
        return places[places.index(at(family, target, last)(places, calls)) + 1]
    return choose


def installed(client):
    """The tree in a client directory, read through `current`, or None."""
    current = Path(client) / "current"
    if not current.is_symlink() and not current.exists():
        return None
    return {path: content for path, content in tree.read(current.resolve()).items()
            if content is not tree.DIRECTORY}
