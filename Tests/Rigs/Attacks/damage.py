"""Damaged optional files of an origin, and foreign files in place of packtool's."""

import json
import os

from lab import Pointer, attack, expect


def only_old(lab, origin, old, new):
    """Objects of one release missing from another one."""
    assets = [
        json.loads((lab / origin / f"releases/{version}/info.json").read_text())["assets"]
        for version in (old, new)
    ]
    kept = {asset["sha256"] for asset in assets[1]}
    return [f"objects/{asset['sha256']}/{asset['path'].split('/')[-1]}" for asset in assets[0]
            if asset["sha256"] not in kept]


DAMAGES = {
    "gone": lambda place: place.unlink(),
    "flipped": lambda place: rewrite(place, lambda data: data[:10] + bytes([data[10] ^ 1]) + data[11:]),
    "cut": lambda place: rewrite(place, lambda data: data[:10]),
    "directory": lambda place: (place.unlink(), place.mkdir()),
    "pipe": lambda place: (place.unlink(), os.mkfifo(place)),
    "link": lambda place: (place.unlink(), place.symlink_to("/etc/passwd")),
    "sparse": lambda place: (place.unlink(), place.open("wb").truncate(1 << 40)),
    "garbage": lambda place: rewrite(place, lambda data: os.urandom(300)),
}


def rewrite(place, change):
    data = place.read_bytes()
    place.unlink()  # Unlink first: it may be a hard link of a file in site/.
    place.write_bytes(change(data))


@attack(3, "damage of an earlier release does not stop a publish")
def old_release(lab):
    first, second = lab.origin(1, 2)
    lab.build(3)
    places = [
        *only_old(lab, "cdn", first, second)[: lab.size(1, 9)],
        f"releases/{first}/info.json",
        f"releases/{first}/package.zip",
        f"releases/{second}/delta-{first}.zip",
        "channels/production/log/1.json",
    ]
    for damage, hurt in DAMAGES.items():
        for place in places:
            lab.copy("cdn", "origin")
            hurt(lab / "origin" / place)
            what = f"{damage} {place}"
            run = lab.publish("v3", "origin", "--label", "3.0", timeout=60).ends(0, mebibytes=200)
            expect(Pointer.read(lab / "origin").sequence == 3, f"{what}: the pointer did not move")
            expect("--deltas" not in run.err, f"{what}: a way round is advised: {run.err}")
            if place.startswith("objects"):
                expect("note:" in run.err and first in run.err, f"{what}: nothing is noted: {run.err}")
            # A gap in the log is allowed, with a note.
            lab.run("verify", "origin", timeout=60).ends(0 if "log/" in place and damage == "gone" else 1)
            lab.run("install", "origin", "--into", f"phone {len(lab.runs)}").ends(0)


@attack(3, "damage of the current package and of another channel does not stop a publish")
def current_package(lab):
    _, second = lab.origin(1, 2)
    lab.publish("v2", "cdn", "--channel", "beta").ends(0)
    lab.build(3)
    for hurt in DAMAGES.values():
        for place in (
            f"releases/{second}/package.zip",
            "channels/beta/pointer.json",
            "channels/beta/log/1.json",
        ):
            lab.copy("cdn", "origin")
            hurt(lab / "origin" / place)
            lab.publish("v3", "origin", timeout=60).ends(0, mebibytes=200)
            lab.run("verify", "origin", timeout=60).ends(1)


@attack(3, "damage of info.json and the log entry: devices need neither, verify and embed refuse it")
def unneeded_files(lab):
    _, second = lab.origin(1, 2)
    for damage, hurt in DAMAGES.items():
        for name, place in {
            "info.json": f"releases/{second}/info.json",
            "log": "channels/production/log/2.json",
        }.items():
            lab.copy("cdn", "origin")
            hurt(lab / "origin" / place)
            what = f"{damage} {place}"
            phone = f"phone {len(lab.runs)}"
            lab.run("install", "origin", "--into", phone, timeout=60).ends(0)
            expect(lab.installed(phone) == second, f"{what}: another release is installed")
            verified = lab.run("verify", "origin", timeout=60).ends(1)
            told = verified.out + verified.err
            expect(name in told, f"{what}: not named: {told[:300]}")
            lab.run("embed", "origin", "-o", f"{phone} embedded", timeout=60).ends(1, 2)


@attack(12, "a foreign file in the log does not use up the channel")
def foreign_sequence(lab):
    lab.origin(1, 2)
    for number in (3, 4):
        lab.build(number)
    for content in (b"", b"x", b"{}"):
        lab.copy("cdn", "origin")
        lab.write("origin/channels/production/log/9007199254740990.json", content)
        for number in (3, 4):
            lab.publish(f"v{number}", "origin").ends(0)
        expect(Pointer.read(lab / "origin").sequence < 10, "the sequence jumped")
        verified = lab.run("verify", "origin").ends(0, 1)
        expect("9007199254740990" in verified.out + verified.err, "verify does not name it")


@attack(20, "foreign things at the next sequence: named, and no publish ends well that verify refuses")
def foreign_log_entry(lab):
    lab.origin(1, 2)
    lab.build(3)
    kinds = {"link": lambda at: at.symlink_to("/etc/passwd"), "pipe": os.mkfifo, "directory": os.mkdir,
             "empty": lambda at: at.touch(), "garbage": lambda at: at.write_bytes(os.urandom(99))}
    for kind, make in kinds.items():
        lab.copy("cdn", "origin")
        make(lab / "origin/channels/production/log/3.json")
        run = lab.publish("v3", "origin", timeout=60).ends(0, 1, 2, 3)
        expect("log/3.json" in run.err, f"{kind}: not named: {run.err}")
        verified = lab.run("verify", "origin", timeout=60)
        expect(
            run.status or not verified.status, f"{kind}: published, and verify fails: {verified.out[:300]}"
        )
        expect(
            not run.status or Pointer.read(lab / "origin").sequence == 2,
            f"{kind}: refused, but the pointer moved",
        )
