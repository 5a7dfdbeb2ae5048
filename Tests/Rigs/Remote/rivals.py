"""Publishers at once, each of a build of its own: what they say they did, compared with the log.

The builds differ, so no two of them write the same pointer: twins that publish the same build within one
second would, and then both may say that they won.
"""

import json
import pathlib

from rig import builds
from rig import origin as judge

COUNT = 8


def make(folder: pathlib.Path) -> list[builds.Build]:
    """One more than publish at once, so that none of them is live already."""
    return [builds.make(folder / "rivals", number) for number in range(10, 10 + COUNT + 1)]


def chosen(known: list[builds.Build], version: str | None) -> list[builds.Build]:
    """Eight builds that are not live."""
    return [build for build in known if build.version != version][:COUNT]


def reported(text: str) -> dict:
    """What a program printed with --json, among its messages."""
    start = text.find("{")
    try:
        return json.JSONDecoder().raw_decode(text[start:])[0] if start >= 0 else {}
    except ValueError:
        return {}


def chain(before: dict[str, bytes], after: dict[str, bytes]) -> dict[int, str]:
    """The pointers from the live one back to the one of before, by `previous`: sequence to version."""
    old, link = judge.current(before), judge.current(after)
    entries, found = judge.log_entries(after), {}
    while link and link["sequence"] != (old["sequence"] if old else None):
        if link["sequence"] in found:
            raise judge.Broken(f"the chain comes back to {link['sequence']}")
        found[link["sequence"]] = link["version"]
        if link["previous"] is None:
            break
        if link["previous"] not in entries:
            raise judge.Broken(f"pointer {link['sequence']} replaced {link['previous']}, which has no entry")
        link = judge.payload(entries[link["previous"]])
    return found


def problems(
    before: dict[str, bytes], after: dict[str, bytes], rivals: list[builds.Build], ends: list[tuple[int, str]]
) -> list[str]:
    """What is wrong with a round: a publisher that is lost, or one that says what is not so.

    A program that ends with 0 has published, first or after another one, so its sequence is in the chain of
    the live pointer, and nothing else is there; each of the others ended with 3.
    """
    found = []
    won: list[int] = []
    try:
        live = chain(before, after)
    except judge.Broken as reason:
        return [str(reason)]
    for build, (status, text) in zip(rivals, ends, strict=True):
        if status not in (0, 3):
            found.append(f"build {build.number} ended with {status}: {text[-600:]}")
        if status != 0:
            continue
        said = reported(text)
        sequence = said.get("sequence")
        if said.get("outcome") != "published" or said.get("version") != build.version:
            found.append(f"build {build.number} ended with 0 and reported {text[-600:]}")
        elif live.get(sequence) != build.version:
            found.append(f"lost: build {build.number} ended with 0 and sequence {sequence}; live are {live}")
        won.append(sequence)
    if not won:
        found.append("nobody won")
    if len(won) != len(set(won)):
        found.append(f"one sequence for several: {sorted(won)}")
    if len(live) != len(won):
        found.append(f"{len(won)} ended with 0, and the log grew by {len(live)}: {live}")
    return found
