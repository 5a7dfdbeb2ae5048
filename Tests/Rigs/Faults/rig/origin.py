"""Checks an origin without packtool: an independent implementation of contract sections 3, 4 and 5.

A tool whose publisher and verifier share a mistake would agree with itself. Works on a tree (`rig.tree`), so
crash states can be checked without writing them to disk.
"""

import base64
import hashlib
import json
import re
from urllib.parse import unquote

from . import tool
from .builds import listing_hash
from .tree import DIRECTORY, Link, below, sha256

POINTER = f"channels/{tool.CHANNEL}/pointer.json"
LOG = f"channels/{tool.CHANNEL}/log"
PRUNED = f"channels/{tool.CHANNEL}/pruned.json"
PUBLIC = re.compile(r"(info\.json|channels|releases|objects|root|site)(/|$)")


class Broken(Exception):
    """A sentence about a problem for clients."""


def payload(envelope):
    """The pointer inside a DSSE envelope; raises Broken for anything torn."""
    try:
        outer = json.loads(envelope)
        assert outer["payloadType"] == "application/vnd.packtool.pointer+json"
        inner = json.loads(base64.b64decode(outer["payload"], validate=True))
        assert isinstance(inner["sequence"], int)
        return inner
    except (ValueError, KeyError, TypeError, AssertionError) as reason:
        raise Broken(f"pointer does not parse: {reason!r} in {bytes(envelope[:80])!r}") from None


def at(tree, url):
    """The bytes served by the CDN for a URL."""
    if not url.startswith(tool.BASE_URL + "/"):
        raise Broken(f"URL outside the base: {url}")
    path = unquote(url[len(tool.BASE_URL) + 1:])
    content = tree.get(path)
    if not isinstance(content, bytes):
        raise Broken(f"dangling: {path} is referenced and not there")
    return content


def check_reference(tree, reference, what):
    content = at(tree, reference["url"])
    if len(content) != reference["size"] or sha256(content) != reference["sha256"]:
        raise Broken(f"torn or foreign bytes: {what} {reference['url']}")
    return content


def check_info(tree, content, what):
    """Checks a manifest and every asset named in it."""
    try:
        info = json.loads(content)
        assets, files = info["assets"], info["files"]
    except (ValueError, KeyError, TypeError) as reason:
        raise Broken(f"{what} does not parse: {reason!r}") from None
    if files != [asset["url"] for asset in assets]:
        raise Broken(f"{what}: files and assets differ")
    found = {asset["path"]: check_reference(tree, asset, what) for asset in assets}
    if listing_hash(found) != info["packageHash"] or info["packageHash"][:20] != info["version"]:
        raise Broken(f"{what}: its assets do not hash to its version")
    if "package" in info:
        check_reference(tree, info["package"], what)
    return info, found


def check_package(tree, content, what):
    """A release's manifest is linked last and binds its package permanently, even before it is referenced."""
    try:
        check_reference(tree, json.loads(content)["package"], what)
    except (ValueError, KeyError, TypeError) as reason:
        raise Broken(f"{what} does not parse: {reason!r}") from None


def check_pointer(tree, pointer, what):
    """Checks the first release of the pointer, and every fallback."""
    check_entry(tree, pointer, what)
    for number, entry in enumerate(pointer["fallbacks"]):
        check_entry(tree, entry, f"{what}, fallback {number}")


def check_entry(tree, pointer, what):
    info = check_reference(tree, pointer["info"], what)
    manifest, found = check_info(tree, info, f"{what} → info")
    if manifest["version"] != pointer["version"]:
        raise Broken(f"{what}: info.json of another version")
    size = {"assets": len(found), "size": sum(map(len, found.values()))}
    if pointer["tree"] != size:
        raise Broken(f"{what}: it says {pointer['tree']}, and its release has {size}")
    for reference in [pointer.get("package"), *pointer.get("deltas", [])]:
        if reference:
            check_reference(tree, reference, what)


def current(tree):
    """The pointer's payload, or None if nothing was published."""
    envelope = tree.get(POINTER)
    return None if envelope is None else payload(envelope)


def log_entries(tree):
    """Sequence to bytes, for every entry of the channel's log."""
    found = {}
    for name, content in below(tree, LOG).items():
        match = re.fullmatch(r"0*(\d+)\.json", name)
        if not match:
            raise Broken(f"foreign name in the log: {name}")
        found[int(match[1])] = content
    return found


def lowest_whole(tree):
    """A prune may have deleted the files of log entries below this sequence."""
    if PRUNED not in tree:
        return 1
    try:
        return int(json.loads(tree[PRUNED])["below"])
    except (ValueError, KeyError, TypeError) as reason:
        raise Broken(f"{PRUNED} does not parse: {reason!r}") from None


def judge(tree):
    """All problems of an origin, as sentences."""
    problems = []

    def attempt(step, *arguments):
        try:
            return step(*arguments)
        except Broken as reason:
            problems.append(str(reason))

    pointer = attempt(current, tree)
    if pointer:
        attempt(check_pointer, tree, pointer, "pointer")
    whole = attempt(lowest_whole, tree) or 1
    if pointer and pointer["sequence"] < whole:
        problems.append(f"pointer {pointer['sequence']} is below {whole}, from which on releases are whole")
    for sequence, content in (attempt(log_entries, tree) or {}).items():
        entry = attempt(payload, content)
        if entry:
            if entry["sequence"] != sequence:
                problems.append(f"log entry {sequence} holds sequence {entry['sequence']}")
            if sequence >= whole:
                attempt(check_pointer, tree, entry, f"log entry {sequence}")
        if pointer and pointer["sequence"] == sequence and content != tree[POINTER]:
            problems.append(f"pointer and log entry {sequence} differ")
    if pointer and pointer["sequence"] not in (attempt(log_entries, tree) or {}):
        problems.append(f"pointer {pointer['sequence']} has no log entry")
    for path, content in tree.items():
        if path.startswith("releases/") and path.endswith("/info.json"):
            attempt(check_package, tree, content, path)
    if "info.json" in tree:
        attempt(check_info, tree, tree["info.json"], "info.json")
    for path, content in tree.items():
        if path != ".packtool" and not path.startswith(".packtool/") and not PUBLIC.match(path):
            problems.append(f"foreign name in the origin: {path}")
        elif path.startswith("objects/") and isinstance(content, (bytes, Link)):
            parts = path.split("/")
            if len(parts) != 3 or isinstance(content, Link) or sha256(content) != parts[1]:
                problems.append(f"object does not have the bytes of its name: {path}")
    return problems


def judge_site(tree, builds, new):
    """Each file of the live copy must be one build's complete file; the new launch page is written last."""
    page = "index.html"
    early = tree.get(f"site/{page}") == new.tree[page] and [
        f"site/{page} is new and site/{path} is not" for path, content in new.files
        if tree.get(f"site/{path}") != content]
    return (early or []) + [f"site/{path} is torn or foreign" for path, content in below(tree, "site").items()
            if path != "chcp.manifest" and all(build.tree.get(path) != content for build in builds)]


def judge_feeds(tree, builds):
    """Each file of a feed is whole, and none leads to a list of files that is older than itself."""
    feeds = {path.rsplit("/", 1)[1]: json.loads(content) for path, content in tree.items()
             if path.startswith("channels/") and "/feeds/" in path}
    names = {"capgo.json": "version", "capawesome.json": "bundleId", "cordova-hcp.json": "release"}
    found = [f"{file} names {feed[names[file]]}" for file, feed in feeds.items()
             if feed[names[file]] not in [build.version for build in builds]]
    if "cordova-hcp.json" in feeds:
        listed = {entry["file"]: entry["hash"] for entry in json.loads(tree["site/chcp.manifest"])}
        shown = [build for build in builds if listed == {
            path: hashlib.md5(content).hexdigest() for path, content in build.files}]
        if not shown:
            found.append("chcp.manifest is of no build")
        elif feeds["cordova-hcp.json"]["release"] == builds[-1].version and builds[-1] not in shown:
            found.append("cordova-hcp.json names a release before chcp.manifest lists it")
    return found


def given_to_all(tree):
    """The versions that the pointer gives to every eligible device."""
    pointer = current(tree)
    limits = "minNativeVersion", "maxNativeVersion", "platforms"
    return [] if pointer is None else [
        entry["version"] for entry in [pointer, *pointer["fallbacks"]]
        if entry["rollout"] == 100 and not any(entry.get(limit) for limit in limits)]


def ahead(before, after):
    """`info.json`, which legacy clients follow, must not be of a release for some devices only. It may lag
    behind the pointer."""
    info = after.get("info.json")
    if info is None or info == before.get("info.json"):
        return []
    try:
        version = json.loads(info)["version"]
    except (ValueError, KeyError, TypeError) as reason:
        return [f"info.json does not parse: {reason!r}"]
    return [] if version in given_to_all(before) + given_to_all(after) else [
        f"info.json names {version}, which no pointer gives to every device"]


def rewritten(before, after, may_vanish=False):
    """Immutable names that changed or vanished. A package without its manifest was left by an interrupted
    publish; it is not referenced yet and may be replaced. A prune deletes files not named by a retained
    entry, but never a log entry."""
    fixed = [path for path, content in before.items() if content is not DIRECTORY
             and (path.startswith(("objects/", "releases/")) or "/log/" in path)
             and not (path.endswith("/package.zip")
                      and path.replace("/package.zip", "/info.json") not in before)]
    return [f"immutable name changed or vanished: {path}" for path in fixed
            if after.get(path) != before[path]
            and not (may_vanish and path not in after and "/log/" not in path)]


def off_chain(before, after):
    """Each pointer names its predecessor: the chain leads from the new one to the old one, past log
    entries that never went live."""
    old, new = current(before), current(after)
    if not new or old and new["sequence"] <= old["sequence"]:
        return []
    dead = {sequence for sequence in log_entries(before) if not old or sequence > old["sequence"]}
    entries = log_entries(after)
    link = new
    while link["previous"] is not None and link["previous"] > (old["sequence"] if old else 0):
        if link["previous"] in dead or link["previous"] not in entries:
            return [f"pointer {link['sequence']} replaced {link['previous']}, which was never live"]
        link = payload(entries[link["previous"]])
    if link["previous"] != (old["sequence"] if old else None):
        return [f"pointer {link['sequence']} replaced {link['previous']}, not the one that was live"]
    return []


def leftovers(tree):
    """Files below `.packtool` that a finished publish must not leave."""
    return [f"left behind: {path}" for path in tree
            if path.startswith((".packtool/staging/", ".packtool/intents/"))]


def public(tree):
    """The part that must be the same after any interruption, without log and clock."""
    seen = {}
    for path, content in tree.items():
        if path.startswith((".packtool", LOG)) or content is DIRECTORY:
            continue
        if path == POINTER:
            try:
                clock = ("sequence", "previous", "createdAt", "expires", "mandatorySequence")
                content = {k: v for k, v in payload(content).items() if k not in clock}
            except Broken as reason:
                content = str(reason)
        elif path == PRUNED:
            content = lowest_whole(tree)
        seen[path] = content
    return seen


def differences(expected, actual):
    """Sentences about the differences of two public parts."""
    found = [f"missing after all: {path}" for path in sorted(expected.keys() - actual.keys())]
    found += [f"extra after all: {path}" for path in sorted(actual.keys() - expected.keys())]
    found += [f"other content after all: {path}" for path in sorted(expected.keys() & actual.keys())
              if expected[path] != actual[path]]
    return found
