"""The order of durable facts: the pointer seen by a client, the live pointer, the switches, the time."""

import json
import os
import re

from lab import Pointer, attack, expect


def sequence(lab, phone="phone"):
    state = lab / phone / "state.json"
    return json.loads(state.read_text())["channels"][0] if state.exists() else {}


def replay_is_refused(lab, label, phone="phone"):
    """Offers the origin of sequence 2 to a client with a higher sequence."""
    before = lab.installed(phone)
    run = lab.run("install", "second", "--into", phone)
    expect(run.status == 1 and "old" in run.err, f"{label}: the older pointer was taken: {run}")
    expect(lab.installed(phone) == before, f"{label}: what is installed changed")


@attack(5, "a pointer that was seen and refused is not forgotten: no older one is taken after it")
def seen_sequence(lab):
    lab.origin(1)
    lab.run("install", "cdn", "--into", "phone0").ends(0)
    lab.publish(lab.build(2), "cdn").ends(0)
    lab.copy("cdn", "second")
    refused = {
        "disabled": lambda pointer: pointer.set(sequence=9, enabled=False),
        "expired": lambda pointer: pointer.set(
            sequence=9, createdAt="2025-01-01T00:00:00Z", expires="2026-01-01T00:00:00Z"
        ),
        "damaged package": lambda pointer: pointer.set(sequence=9),
        "no package": lambda pointer: pointer.set(sequence=9),
    }
    for label, change in refused.items():
        lab.copy("phone0", "phone")
        lab.copy("cdn", "origin")
        pointer = Pointer.read(lab / "origin")
        change(pointer).write()
        if label == "damaged package":
            for place in pointer.place("").glob("*.zip"):
                place.write_bytes(place.read_bytes()[:-1] + b"x")
        elif label == "no package":
            for place in pointer.place("").glob("*.zip"):
                place.unlink()
        lab.run("install", "origin", "--into", "phone").ends(1, 2)
        replay_is_refused(lab, label)


@attack(5, "a client that is killed anywhere never takes an older pointer than one that it acted on")
def killed_client(lab):
    lab.origin(1)
    lab.run("install", "cdn", "--into", "phone0").ends(0)
    lab.publish(lab.build(2), "cdn").ends(0)
    lab.copy("cdn", "second")
    lab.publish(lab.build(3), "cdn").ends(0)
    killed = 0
    for when in range(1, 40):
        lab.copy("phone0", "phone")
        run = lab.run("install", "cdn", "--into", "phone", PACKTOOL_JOBS="1",
                      under=["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat,renameat2",
                             "-e", f"inject=renameat,renameat2:signal=KILL:when={when}"])
        if run.status == 0:
            break
        killed += 1
        third = Pointer.read(lab / "cdn").version
        if lab.installed("phone") == third:
            replay_is_refused(lab, f"killed at rename {when}")
        lab.run("install", "cdn", "--into", "phone").ends(0)
        expect(lab.installed("phone") == third, f"killed at rename {when}: the next run does not finish")
    expect(killed > 2, f"only {killed} kills were injected")


@attack(6, "a publish by a clock of the past")
def past_clock(lab):
    lab.origin(1)
    lab.build(2)
    for epoch in ("0", "315532800", "1577836800"):
        lab.copy("cdn", "origin")
        run = lab.publish("v2", "origin", SOURCE_DATE_EPOCH=epoch).ends(2)
        expect(Pointer.read(lab / "origin").sequence == 1, f"{epoch}: a pointer was written")
        expect(re.search(r"(19|20)\d\d-\d\d-\d\d", run.err), f"{epoch}: no time is named: {run.err}")
    lab.publish("v2", "cdn").ends(0)


@attack(7, "what can fail behind the commit point: looked at before it")
def unusable_followers(lab):
    lab.origin(1, 2)
    lab.build(3)
    for label, place in (
        ("link", "info.json"),
        ("directory", "info.json"),
        ("link", "site"),
        ("file", "site"),
    ):
        lab.copy("cdn", "origin")
        target = lab / "origin" / place
        if target.is_dir():
            target.rename(lab / "origin.gone")
        else:
            target.unlink()
        {"link": lambda at: os.symlink("/srv/nowhere", at), "directory": os.mkdir,
         "file": lambda at: at.write_text("x")}[label](target)
        run = lab.publish("v3", "origin").ends(1, 2)
        expect(Pointer.read(lab / "origin").sequence == 2 or "live" in run.err,
               f"{label} at {place}: the release went live, and it is not said: {run.err}")
        if (lab / "origin.gone").exists():
            lab.copy("cdn/site", "origin.gone")
            target.unlink()
            (lab / "origin.gone").rename(target)
        else:
            target.rmdir() if target.is_dir() and not target.is_symlink() else target.unlink()
        lab.publish("v3", "origin").ends(0)
        lab.run("verify", "origin").ends(0)


@attack(7, "what fails behind the commit point all the same: the release is said to be live")
def failed_follower(lab):
    lab.origin(1, 2)
    lab.build(3)
    tried = 0
    for when in range(1, 30):
        lab.copy("cdn", "origin")
        run = lab.run(
            "publish",
            "v3",
            "--to",
            "origin",
            "--app",
            "shop",
            "--base-url",
            "https://cdn.example.com/shop",
            "--no-check",
            "--json",
            PACKTOOL_JOBS="1",
            under=[
                "strace",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "trace=renameat",
                "-e",
                f"inject=renameat:error=EIO:when={when}",
            ],
        )
        if run.status == 0:
            break
        if Pointer.read(lab / "origin").sequence == 3:
            tried += 1
            run.ends(2)
            expect("live" in run.err, f"rename {when}: live, and not said: {run.err}")
            expect('"live"' in run.out, f"rename {when}: --json does not say that it is live: {run.out}")
        lab.publish("v3", "origin").ends(0)
        lab.run("verify", "origin").ends(0)
    expect(tried > 0, "no failure behind the commit point was injected")


@attack(14, "a publish switches nothing on that an operator has switched off")
def kill_switch(lab):
    lab.origin(1, 2)
    lab.build(3)
    held = {"enabled": False, "rollout": 5, "mandatory": True, "minNativeVersion": "9.1"}
    limits = {"minNativeVersion": "9.0", "maxNativeVersion": None}
    held["platforms"] = {"ios": limits, "android": limits | {"minNativeVersion": "9.1"}}
    for words in (["v3"], ["v2"], ["v2", "--renew"], ["v2", "--label", "x"], ["v1"], ["v1", "--label", "y"]):
        lab.copy("cdn", "origin")
        Pointer.read(lab / "origin").set(sequence=3, **held).write()
        if words[0] != "v2":
            # A pointer that devices would not accept is not published by accident.
            lab.publish(words[0], "origin", *words[1:]).ends(2)
            expect(Pointer.read(lab / "origin").payload["sequence"] == 3, f"{words}: it was published")
        run = lab.publish(words[0], "origin", *words[1:], "--stay-paused").ends(0)
        pointer = Pointer.read(lab / "origin")
        expect({name: pointer.payload[name] for name in held} == held, f"{words}: {pointer.payload}")
        expect(
            "disabled" in run.out + run.err,
            f"{words}: it does not say that the channel is disabled: {run.out}",
        )
