"""The invariants after an interrupted `keys publish` or `embed`.

A separate module: the first makes no release and the second writes next to the origin, so the checks of
publishes and installs in `rig.check` do not apply.
"""

import json
import re
import shutil

from . import origin, scenarios, tool, tree

TEMPORARY = re.compile(r"\.[0-9a-f]{32}\.packtool(/|$)")
OUTPUT = "app"
CDN = "cdn"


def pins(after):
    """The pins of an origin, by release; torn ones as sentences."""
    found, torn = set(), []
    for name, content in tree.below(after, ".packtool/pins").items():
        try:
            pin = json.loads(content)
            assert name == f"{pin['channel']}.{pin['version']}.json" and pin["createdAt"]
            found.add(pin["version"])
        except (ValueError, KeyError, TypeError, AssertionError) as reason:
            torn.append(f"pin {name} does not parse: {reason!r}")
    return found, torn


def unchanged(before, after, but=()):
    """All public files are unchanged; `but` names files that may be new."""
    names = {path for path in before.keys() | after.keys()
             if not path.startswith(".packtool") and path not in but}
    return [f"changed: {path}" for path in sorted(names) if before.get(path) != after.get(path)
            and not (path not in before and after[path] is tree.DIRECTORY)]


# keys publish: `scenario.root` becomes root/<version>.json.

def quick_root(checker, after, must_be_new):
    place, wanted = checker.scenario.root_place, checker.scenario.root.read_bytes()
    found = unchanged(checker.before, after, {place})
    if place not in after:
        return found + [f"{place} is missing"] * must_be_new
    return found + [f"{place} is torn or foreign"] * (after[place] != wanted)


def full_root(checker, case, done):
    """A client with root 1 installs the release, and accepts the new root if it has a name."""
    scenario, room = checker.scenario, checker.room
    subject, pin = case / "subject", room.keys() / "1.json"
    found = quick_root(checker, checker.read(subject), done)
    if scenario.old:
        found += checker.verified(subject, True) + installs(checker, case, "client", pin)
    outcome = tool.run(scenario.argv(subject))
    if outcome.status != 0:
        return found + [f"running again: {outcome.brief()}"]
    after = checker.read(subject)
    found += [f"after running again: {problem}" for problem in
              quick_root(checker, after, True) + origin.leftovers(after)]
    if not scenario.old:
        # Whether a publish accepts the root.
        words = ("--sign-key", str(room.keys() / "a.key"))
        outcome = tool.run(tool.publish_argv(scenario.new.path, subject, *words))
        if outcome.status != 0:
            return found + [f"publish after running again: {outcome.brief()}"]
    found += checker.verified(subject, True)
    return found + installs(checker, case, "client-again", pin)


def installs(checker, case, name, pin):
    """Installs with the pin: the release is installed, and the newest root of the origin is stored."""
    client, subject = case / name, case / "subject"
    outcome = tool.run(tool.install_argv(subject, client) + ["--trust", str(pin)])
    if outcome.status != 0:
        return [f"install --trust: {outcome.brief()}"]
    found = []
    if scenarios.installed(client) != checker.scenario.new.tree:
        found.append("install --trust gives another tree")
    newest = max((subject / "root").glob("*.json"), key=lambda path: int(path.stem))
    if (client / "trust/root.json").read_bytes() != newest.read_bytes():
        found.append(f"the client does not have root {newest.stem}")
    return found


# embed: an installation next to the origin, and a pin in it.

def quick_embed(checker, after, must_be_new):
    scenario = checker.scenario
    cdn = tree.inner(after, CDN)
    found = unchanged(tree.inner(checker.before, CDN), cdn)
    pinned, torn = pins(cdn)
    found += torn + [f"a pin of {version}" for version in pinned - {scenario.new.version}]
    is_there = OUTPUT in after
    if must_be_new and not is_there:
        found.append("the output is not there")
    if (must_be_new or is_there) and scenario.new.version not in pinned:
        found.append("nothing pins the release of the output")
    if is_there:
        found += judge_embedded(checker, tree.inner(after, OUTPUT), cdn)
    return found + [f"left behind: {path}" for path in after
                    if path.split("/")[0] not in (CDN, OUTPUT) and not TEMPORARY.match(path)][:3]


def judge_embedded(checker, app, cdn):
    """Everything an app needs for its first start, and nothing specific to a device."""
    new = checker.scenario.new
    found = []
    if tree.below(app, f"versions/{new.version}") != new.tree:
        found.append("the tree in the output is not whole")
    if app.get("current") != f"versions/{new.version}":
        found.append(f"`current` in the output is {app.get('current')!r}")
    if app.get("info.json") != cdn[f"releases/{new.version}/info.json"]:
        found.append("info.json in the output is not the release's")
    if app.get("trust/root.json") != cdn["root/1.json"]:
        found.append("the root in the output is not the origin's")
    try:
        state = json.loads(app["state.json"])
        pointer = origin.current(cdn)
        if (state["current"], state["channels"][0]["sequence"]) != (pointer["version"], pointer["sequence"]):
            found.append(f"state.json in the output says {state}")
        if "device" in state:
            found.append("state.json in the output has the id of a device")
    except (ValueError, KeyError) as reason:
        found.append(f"state.json in the output does not parse: {reason!r}")
    parts = {"current", "state.json", "info.json", "trust", "trust/root.json", "versions"}
    return found + [f"left behind in the output: {path}" for path in app
                    if path not in parts and not path.startswith(f"versions/{new.version}")][:3]


def full_embed(checker, case, done):
    subject = case / "subject"
    found = quick_embed(checker, checker.read(subject), done)
    outcome = tool.run(checker.scenario.argv(subject))
    if (subject / OUTPUT).exists() and outcome.status == 2 and "already exists" in outcome.stderr:
        # It has its name, so it is complete, and stays.
        shutil.rmtree(subject / OUTPUT)
        outcome = tool.run(checker.scenario.argv(subject))
    if outcome.status != 0:
        return found + [f"running again: {outcome.brief()}"]
    after = checker.read(subject)
    found += [f"after running again: {problem}" for problem in
              quick_embed(checker, after, True) + leftovers_embed(checker, after)]
    # The app starts from it: nothing is new according to its root.
    outcome = tool.run(tool.install_argv(subject / CDN, subject / OUTPUT))
    if outcome.status != 0 or scenarios.installed(subject / OUTPUT) != checker.scenario.new.tree:
        found.append(f"install into the output: {outcome.brief()}")
    return found


def leftovers_embed(checker, after):
    return origin.leftovers(tree.inner(after, CDN)) + [
        f"left behind: {path}" for path in after if path.split("/")[0] not in (CDN, OUTPUT)]
