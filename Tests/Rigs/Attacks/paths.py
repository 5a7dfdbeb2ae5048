"""Paths: links swapped during a run, NUL, outputs inside inputs, files without a size."""

import json
import os
import subprocess
import time

from lab import attack, expect


@attack(9, "a directory of the origin becomes a link while a publish is at work", needs_root=True)
def link_race(lab):
    lab.origin(1, 2)
    lab.build(3)
    swapped = 0
    # Delay these calls, so that a swap happens between the check and the operation.
    delays = {"renameat": 120_000, "linkat": 40_000, "mkdirat": 40_000, "openat2": 3_000, "newfstatat": 3_000}
    for call, delay in delays.items():
        for when in range(1, lab.size(3, 12)):
            lab.copy("cdn", "origin")
            for name in ("m1.js", "keep"):
                lab.write(f"victim/{name}", "precious")
            trace = lab / "trace"
            trace.unlink(missing_ok=True)
            tool = subprocess.Popen(
                [
                    "strace",
                    "-f",
                    "-qq",
                    "-o",
                    trace,
                    "-e",
                    f"trace={call}",
                    "-e",
                    f"inject={call}:delay_enter={delay}:when={when}+",
                    lab.tool,
                    "publish",
                    "v3",
                    "--to",
                    "origin",
                    "--app",
                    "shop",
                    "--base-url",
                    "https://cdn.example.com/shop",
                    "--no-check",
                ],
                cwd=lab.room,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=os.environ | {"PACKTOOL_JOBS": "1"},
            )
            # The attacker, another user of the machine, swaps a directory repeatedly.
            place, away = lab / "origin/site/assets", lab / "origin/site/.away"
            while tool.poll() is None:
                try:
                    place.rename(away)
                    place.symlink_to(lab / "victim")
                    swapped += 1
                    time.sleep(0.02)
                    place.unlink()
                    away.rename(place)
                except OSError:
                    pass
                time.sleep(0.02)
            tool.stderr.read()
            where = f"{call} {when}"
            names = sorted(os.listdir(lab / "victim"))
            expect(names == ["keep", "m1.js"], f"{where}: it wrote through the link: {names}")
            for name in names:
                expect(
                    (lab / "victim" / name).read_text() == "precious",
                    f"{where}: it replaced {name} behind the link",
                )
    expect(swapped > 10, f"only {swapped} swaps: the race was not tried")


@attack(21, "NUL in a path of the configuration")
def nul_in_path(lab):
    lab.build(1)
    for key, value in (("to", '"a\\0b"'), ("build", '"v1\\0x"'), ("launch", '"index.html\\0x"')):
        keys = {"app": "shop", "base-url": "https://a.example/b", "to": "out", "build": "v1"} | {key: value}
        lab.write("packtool.yaml", "".join(f"{name}: {text}\n" for name, text in keys.items()))
        before = sorted(os.listdir(lab.room))
        lab.run("publish", "--no-check").ends(2, 64)
        expect(sorted(os.listdir(lab.room)) == before, f"{key}: something was written")


@attack(22, "rewrite --reverse: a recorded file is gone")
def reverse_gone(lab):
    lab.write("pages/index.html", '<!doctype html><img src="https://shop.example.com/b.png">')
    lab.write("pages/b.png")
    lab.run("rewrite", "pages", "-o", "rewritten", "--host", "shop.example.com").ends(0)
    (lab / "rewritten/index.html").rename(lab / "rewritten/home.html")
    run = lab.run("rewrite", "rewritten", "-o", "reversed", "--reverse").ends(1, 2)
    expect("index.html" in run.err, f"it is not named: {run.err}")
    expect(not (lab / "reversed").exists(), "something was written")


@attack(22, "files whose size reads 0 but which have content", needs_root=True)
def sizeless_files(lab):
    os.mkdir(lab / "proc")
    subprocess.run(["mount", "--bind", "/proc/sys/kernel/random", lab / "proc"], check=True)
    try:
        for words in (
            ["hash"],
            ["package", "-o", "x.zip"],
            ["manifest", "--app", "a", "--base-url", "https://a.example/b"],
        ):
            lab.run(words[0], "proc", *words[1:]).ends(1, 2)
    finally:
        subprocess.run(["umount", lab / "proc"], check=True)


@attack(23, "outputs inside what they are made from")
def outputs_inside(lab):
    for number in (1, 2):
        lab.build(number)
    lab.run("delta", "v1", "v2", "-o", "delta.zip").ends(0)
    lab.publish("v1", "cdn").ends(0)
    before = {name: lab.tree(name) for name in ("v1", "v2", "cdn")}
    os.symlink("v1", lab / "alias")
    refused = [
        ["delta", "v1", "v2", "-o", "v1/x.zip"],
        ["delta", "v1", "v2", "-o", "v2/assets/x.zip"],
        ["delta", "v1", "v2", "-o", "alias/x.zip"],
        ["apply", "v1", "delta.zip", "-o", "v1/out"],
        ["package", "v1", "-o", "v1/x.zip"],
        ["package", "v1", "-o", "alias/assets/x.zip"],
        ["rewrite", "v1", "-o", "v1/out", "--host", "a.b"],
        [
            "publish",
            "v1",
            "--to",
            "v1/cdn",
            "--app",
            "shop",
            "--base-url",
            "https://a.example/b",
            "--no-check",
        ],
        ["install", "cdn", "--into", "cdn/phone"],
        ["install", "cdn", "--into", "cdn"],
        ["manifest", "v1", "--app", "shop", "--base-url", "https://a.example/b", "-o", "v1/info.json"],
    ]
    for words in refused:
        lab.run(*words).ends(2, 64)
        for name, tree in before.items():
            expect(lab.tree(name) == tree, f"{' '.join(words)}: changed {name}")


@attack(23, "the same content after all: nothing of this broke what works")
def still_works(lab):
    lab.origin(1, 2)
    lab.run("install", "cdn", "--into", "phone").ends(0)
    expect(lab.tree("phone/current") == lab.tree("v2"), "another tree")
    state = json.loads((lab / "phone/state.json").read_text())
    expect(state["channels"][0]["sequence"] == 2, "another sequence")
