"""Concurrent publishers of different builds: compares their reports with the log.

The builds differ, so no two publishers write the same pointer: publishers of the same build within one second
would, and both could report success.
"""

import json
import pathlib

from rig import builds
from rig import origin as judge

COUNT = 8


def make(folder: pathlib.Path) -> list[builds.Build]:
    """One more than the number of publishers, so that none of the selected ones is live."""
    return [builds.make(folder / "rivals", number) for number in range(10, 10 + COUNT + 1)]


def chosen(known: list[builds.Build], version: str | None) -> list[builds.Build]:
    """Eight builds that are not live."""
    return [build for build in known if build.version != version][:COUNT]


def reported(text: str) -> dict:
    """The JSON printed by a program with --json, among its messages."""
    start = text.find("{")
    try:
        return json.JSONDecoder().raw_decode(text[start:])[0] if start >= 0 else {}
    except ValueError:
        return {}


def chain(before: dict[str, bytes], after: dict[str, bytes]) -> dict[int, str]:
    """The pointers from the live one back to the previous one, by `previous`: sequence to version."""
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
    """The problems of a round: a lost publisher, or a wrong report.

    A program that ends with 0 has published, possibly after a retry, so its sequence is in the chain of the
    live pointer, which has no other entries; all other programs ended with 3.
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
