"""The invariants after a run that was killed, failed, or lost power.

From the contract: "Killed anywhere, a client sees the old release or the new one, whole"; exit 0 means that
the new one is live; running again converges and leaves nothing behind. Every invariant is checked twice: by
packtool itself (verify, install) and by `rig.origin`, which shares no code with it.
"""

import json
import re
import shutil

from . import origin, scenarios, tool, tree, trusted

NOTHING_YET = re.compile(
    r"nothing|no release|not (been )?published|no pointer|empty|no such|not an origin", re.I
)

# A killed run cannot remove it; the next one does.
OUTPUT_HOLDS = re.compile(r"^unaffected: .*\bcomplete\b", re.M)
TEMPORARY = re.compile(r": \.[0-9a-f]{32}\.packtool(/|$)")


class Checker:
    """Checks one scenario; knows the result of an undisturbed run."""

    def __init__(self, room, scenario):
        self.room, self.scenario = room, scenario
        self.before = tree.inner(tree.read(scenario.start), scenario.inner)
        clean = room.copy(scenario.start, room.root / "clean" / scenario.name)
        room.must(scenario.argv(clean))
        self.after = self.read(clean)
        if self.after == self.before and scenario.name not in scenarios.UNCHANGING:
            raise scenarios.SetupFailed(f"{scenario.name}: the undisturbed run changes nothing")
        problems = self.quick(tree.read(clean), must_be_new=True)
        if scenario.command == "publish":
            problems += origin.leftovers(self.after)
            if not scenario.killed:
                problems += origin.ahead({}, self.before)
        elif scenario.command == "apply":
            problems += self.output_leftovers(self.after)
        elif scenario.command == "root":
            problems += origin.leftovers(self.after)
        elif scenario.command == "embed":
            problems += trusted.leftovers_embed(self, self.after)
        else:
            problems += self.client_leftovers(self.after)
        self.clean_problems = problems

    def read(self, subject):
        return tree.inner(tree.read(subject), self.scenario.inner)

    # Quick: only Python, on a tree in memory.

    def quick(self, after, must_be_new=False):
        after = tree.inner(after, self.scenario.inner)
        if self.scenario.command == "publish":
            return self.quick_origin(after, must_be_new)
        if self.scenario.command == "apply":
            return self.quick_output(after, must_be_new)
        if self.scenario.command == "root":
            return trusted.quick_root(self, after, must_be_new)
        if self.scenario.command == "embed":
            return trusted.quick_embed(self, after, must_be_new)
        return self.quick_client(after, must_be_new)

    def quick_origin(self, after, must_be_new, is_whole=True):
        found = origin.judge(after) + origin.rewritten(
            self.before, after, may_vanish="prune" in self.scenario.words and not self.scenario.pins)
        found += self.judge_pins(after, must_be_new)
        found += origin.judge_site(after, self.scenario.seen, self.scenario.new)
        found += origin.judge_feeds(after, self.scenario.seen)
        try:
            pointer = origin.current(after)
        except origin.Broken:
            return found
        version = pointer and pointer["version"]
        allowed = [self.scenario.new.version] if must_be_new else self.allowed_versions()
        if version not in allowed:
            found.append(f"the pointer names {version}, not one of {allowed}")
        if pointer and pointer["sequence"] < self.sequence_before():
            found.append(f"the sequence went back to {pointer['sequence']}")
        found += origin.off_chain(self.before, after) + origin.ahead(self.before, after)
        if must_be_new and is_whole:
            found += origin.differences(origin.public(self.after), origin.public(after))
        return found

    def judge_pins(self, after, must_be_new):
        """A pin is missing or complete; a command that changes one keeps the others."""
        if not self.scenario.pins:
            return []
        pinned, found = trusted.pins(after)
        old, new = trusted.pins(self.before)[0], set(self.scenario.pins)
        if pinned not in ([new] if must_be_new else [old, new]):
            found.append(f"pinned are {sorted(pinned)}, and were {sorted(old)}; wanted {sorted(new)}")
        return found

    def allowed_versions(self):
        return [self.scenario.old and self.scenario.old.version, self.scenario.new.version]

    def sequence_before(self):
        pointer = origin.current(self.before)
        return pointer["sequence"] if pointer else 0

    def quick_client(self, after, must_be_new):
        link = after.get("current")
        if link is None:
            files = None
        elif not isinstance(link, tree.Link):
            return ["`current` is not a link"]
        else:
            name = link.rsplit("versions/", 1)[-1].strip("/")
            if f"versions/{name}" not in after:
                return [f"`current` dangles: {link}"]
            files = tree.below(after, f"versions/{name}")
        return (self.judge_installed(files, must_be_new) + self.judge_state(after)
                + self.judge_root(after, must_be_new))

    def judge_root(self, after, must_be_new):
        """A client that knows a trust root keeps a complete one: the same or the origin's newest."""
        known, place = self.before.get("trust/root.json"), "trust/root.json"
        if known is None and not self.scenario.trust:
            return [f"{place} came from nowhere"] if place in after else []
        roots = sorted((self.scenario.origin / "root").glob("*.json"), key=lambda path: int(path.stem))
        newest = roots[-1].read_bytes()
        if known is None:
            # The newest root decides about state changes, and is stored before them.
            if must_be_new or "state.json" in after or "current" in after:
                return [] if after.get(place) == newest else [f"{place} lacks the root that was accepted"]
            return [] if after.get(place) in [None, self.scenario.trust.read_bytes(), newest] else [
                f"{place} is torn or foreign"]
        if after.get(place) not in [newest] + [known] * (not must_be_new):
            return [f"{place} is neither the root that was known nor the newest"]
        return []

    def judge_state(self, after):
        """`current` may lag behind `state.json`, which is complete, belongs to one of the two releases
        (or none before the first installation), and has the highest sequence used so far."""
        had = "state.json" in self.before
        try:
            before = json.loads(self.before["state.json"]) if had else {}
            state = json.loads(after["state.json"]) if "state.json" in after else None
            known = [self.scenario.new.version, before.get("current")]
            if state is None:
                return ["state.json vanished"] if had else self.unseen(after, 0)
            if state.get("current") not in known:
                return [f"state.json names another release than {known}"]
            sequence = state["channels"][0]["sequence"]
            if sequence < (before["channels"][0]["sequence"] if had else 0):
                return [f"the sequence that was seen went back to {sequence}"]
            return self.unseen(after, sequence)
        except (ValueError, KeyError, TypeError, AttributeError) as reason:
            return [f"state.json does not parse: {reason!r}"]

    def unseen(self, after, seen):
        """A pointer was applied, but a lower one would be accepted afterwards."""
        if after.get("current") == self.before.get("current"):
            return []
        offered = origin.current(tree.read(self.scenario.origin))["sequence"]
        return [f"`current` was switched by sequence {offered}, but state.json has seen {seen}"] * (
            seen < offered
        )

    def judge_installed(self, files, must_be_new=False):
        allowed = {None if build is None else build.version: build and build.tree
                   for build in (self.scenario.old, self.scenario.new)}
        if must_be_new:
            allowed.pop(self.scenario.old and self.scenario.old.version, None)
            allowed[self.scenario.new.version] = self.scenario.new.tree
        if any(files == wanted for wanted in allowed.values()):
            return []
        whole = self.scenario.new.tree
        if files is None:
            return ["nothing is installed"]
        odd = sorted(path for path in whole.keys() | files.keys() if whole.get(path) != files.get(path))
        return [f"installed tree is neither old nor new; against the new one it differs in {odd[:4]}"]

    # Full: with packtool, on disk.

    def full(self, case, outcome=None, may_be_killed=True, needs_help=True):
        """All checks on `case/subject`; `outcome` is that of the disturbed run, if there was one."""
        found = []
        done = False
        if outcome:
            found += tool.complaints(outcome, may_be_killed, needs_help)
            done = outcome.status == 0
        subject = case / "subject"
        if self.scenario.command == "publish":
            # An unreadable old release does not stop a publish: a note names it, and its delta is omitted.
            is_whole = outcome is None or "note: no delta from" not in outcome.stderr
            found += self.full_origin(case, subject, done, is_whole)
        elif self.scenario.command == "apply":
            found += self.full_output(subject, done, outcome if needs_help else None)
        elif self.scenario.command == "root":
            found += trusted.full_root(self, case, done)
        elif self.scenario.command == "embed":
            found += trusted.full_embed(self, case, done)
        else:
            found += self.full_client(subject, done)
        return found

    def untidy(self, subject):
        """Files that a failed but not killed run should have removed."""
        if self.scenario.command == "apply":
            return self.output_leftovers(self.read(subject))[:3]
        if self.scenario.command == "embed":
            return trusted.leftovers_embed(self, self.read(subject))[:3]
        after = self.read(subject)
        places = (".packtool/staging/", ".staging")
        is_done = any("/log/" in path and path not in self.before for path in after)
        is_resumed = any(path.startswith(".packtool/intents/") for path in self.before)
        if not is_done and not is_resumed:
            # Nothing was committed, so there is nothing to finish.
            places += (".packtool/intents/",)
        return [f"left behind by a failed run: {path}" for path in after
                if path.startswith(places) and path not in self.before][:3]

    def full_origin(self, case, subject, done, is_whole):
        after, place = self.read(subject), self.scenario.place(subject)
        found = self.quick_origin(after, done, is_whole)
        found += self.verified(place, origin.POINTER in after)
        client = case / "client"
        outcome = tool.run(tool.install_argv(place, client))
        files = scenarios.installed(client)
        if self.is_paused(after):
            found += self.judge_paused(outcome, files)
        elif origin.POINTER in after:
            found += self.judge_installed(files, must_be_new=done or self.scenario.old is None)
            if outcome.status != 0:
                found.append(f"install after the fault: {outcome.brief()}")
        elif files is not None:
            found.append("install from an unpublished origin made a `current`")
        if self.scenario.proposes:
            found += self.judge_proposal(subject, done)
        return found + self.again(case, subject)

    def judge_proposal(self, subject, done):
        """The proposed pointer is missing or complete."""
        place = scenarios.proposal(subject)
        if not place.exists():
            return ["exit 0 without a proposal"] if done else []
        try:
            version = origin.payload(place.read_bytes())["version"]
        except (origin.Broken, KeyError) as reason:
            return [f"the proposal is torn: {reason!r}"]
        return [] if version == self.scenario.proposed.version else [f"the proposal names {version}"]

    def is_paused(self, after):
        try:
            pointer = origin.current(after)
        except origin.Broken:
            return False
        return bool(pointer) and not pointer["enabled"]

    def judge_paused(self, outcome, files):
        """A paused channel refuses new installations with a message."""
        found = [] if files is None else ["a paused channel installed something"]
        if outcome.status != 1 or not re.search("is paused|was closed", outcome.stderr):
            found.append(f"install from a paused channel: {outcome.brief()}")
        return found

    def verified(self, subject, published):
        outcome = tool.run(tool.verify_argv(subject))
        said = outcome.stdout + outcome.stderr
        if outcome.status == 0 or (not published and outcome.status in (1, 2) and NOTHING_YET.search(said)):
            return tool.complaints(outcome, needs_help=False)
        return [f"verify after the fault: {outcome.brief()}"]

    def again(self, case, subject):
        """Repeating the command must converge to the result of an undisturbed run."""
        outcome = tool.run(self.scenario.argv(subject))
        if outcome.status == 2 and "--unpin" in self.scenario.words and "is pinned on" in outcome.stderr:
            # The pin is already removed, as checked by `quick`.
            outcome.status = 0
        if outcome.status != 0:
            return [f"running again: {outcome.brief()}"]
        place = self.scenario.place(subject)
        found = [f"after running again: {problem}" for problem in
                 self.quick(tree.read(subject), must_be_new=True) + origin.leftovers(self.read(subject))
                 + self.verified(place, True)]
        outcome = tool.run(tool.install_argv(place, case / "client"))
        if self.is_paused(self.read(subject)):
            return found
        if outcome.status != 0:
            found.append(f"install after running again: {outcome.brief()}")
        elif scenarios.installed(case / "client") != self.scenario.new.tree:
            found.append("install after running again does not give the new build")
        return found

    def full_client(self, subject, done):
        found = self.quick(tree.read(subject), must_be_new=done)
        outcome = tool.run(self.scenario.argv(subject))
        if outcome.status != 0:
            return found + [f"running again: {outcome.brief()}"]
        found += [
            f"after running again: {problem}"
            for problem in self.quick(tree.read(subject), must_be_new=True)
            + self.client_leftovers(self.read(subject))
        ]
        if scenarios.installed(self.scenario.place(subject)) != self.scenario.new.tree:
            found.append("after running again `current` is not the new build")
        return found

    def quick_output(self, after, must_be_new):
        """The output is missing or complete; its inputs are unchanged."""
        found = [f"changed: {path}" for path, content in self.before.items() if after.get(path) != content][
            :3
        ]
        files = tree.below(after, "out") if "out" in after else None
        if files is None and must_be_new:
            found.append("the output is not there")
        elif files not in (None, self.scenario.new.tree):
            found.append(f"the output is there but not whole: {sorted(files)[:4]}")
        stray = [path for path in self.output_leftovers(after) if not TEMPORARY.search(path)]
        return found + stray[:3]

    def full_output(self, subject, done, outcome):
        after = tree.read(subject)
        found = self.quick(after, must_be_new=done)
        if (
            outcome
            and outcome.status in (1, 2)
            and "out" in after
            and not OUTPUT_HOLDS.search(outcome.stderr)
        ):
            found.append(f"the output is there, and nobody says that it may be used: {outcome.brief()}")
        outcome = tool.run(self.scenario.argv(subject))
        if "out" in self.read(subject) and outcome.status == 2 and "already exists" in outcome.stderr:
            # The fault happened after the output got its name: it is complete, and stays.
            shutil.rmtree(subject / "out")
            outcome = tool.run(self.scenario.argv(subject))
        if outcome.status != 0:
            return found + [f"running again: {outcome.brief()}"]
        after = self.read(subject)
        return found + [f"after running again: {problem}" for problem in
                        self.quick(after, must_be_new=True) + self.output_leftovers(after)]

    def output_leftovers(self, after):
        return [f"left behind: {path}" for path in after
                if path not in self.before and path.split("/")[0] != "out"]

    def client_leftovers(self, after):
        """Only `current`, `state.json`, locks, the trust root, and the trees of the two releases."""
        found = []
        versions = [build.version for build in (self.scenario.old, self.scenario.new) if build]
        for path in after:
            parts = path.split("/")
            expected = path in (
                "current", "state.json", "versions", "trust", "trust/root.json") or (
                len(parts) == 1 and "lock" in path)
            if parts[0] == "versions" and len(parts) > 1:
                expected = parts[1] in versions
            if not expected:
                found.append(f"left behind: {path}")
        try:
            said = json.loads(after.get("state.json", b""))["current"]
        except (ValueError, KeyError, TypeError) as reason:
            return found + [f"state.json does not parse: {reason!r}"]
        if said != self.scenario.new.version:
            found.append(f"state.json says {said}")
        return found


def dispose(case, keep):
    if not keep:
        shutil.rmtree(case, ignore_errors=True)
