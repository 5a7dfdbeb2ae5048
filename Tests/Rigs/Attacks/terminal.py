"""Output to terminals and logs: foreign control characters, forged lines, secrets."""

import hashlib
import json
import os

from lab import CONTROLS, Pointer, attack, encoded, expect

EVIL = "\x1b]0;pwned\x07\x1b[2J\x9b31m\r\nFAKE LINE \u202e\u2028FAKE LINE"


def clean(run, label):
    run.ends(0, 1, 2, 3, 64)
    for stream in (run.out, run.err):
        found = {character for character in stream if character in CONTROLS}
        expect(not found, f"{label}: {sorted(map(ascii, found))} in {stream[:300]!r}")
        lines = [line for line in stream.splitlines() if line.startswith("FAKE")]
        expect(not lines, f"{label}: a line that is not ours: {lines}")


@attack(10, "labels, addresses and names in a pointer")
def pointers(lab):
    lab.origin(1, 2)
    lab.build(3)
    changes = {
        member: {member: EVIL}
        for member in (
            "label",
            "launch",
            "app",
            "channel",
            "version",
            "expires",
            "createdAt",
            "minNativeVersion",
            "packageHash",
        )
    }
    changes["platforms"] = {"platforms": {"ios": {"minNativeVersion": EVIL}}}
    for member in ("info", "package"):
        changes[member] = {member: Pointer.read(lab / "cdn").payload[member] | {"url": EVIL}}
    for label, change in changes.items():
        lab.copy("cdn", "origin")
        Pointer.read(lab / "origin").set(sequence=3, **change).write()
        for words in (
            ["install", "origin", "--into", "phone"],
            ["install", "origin", "--into", "phone"],
            ["verify", "origin"],
            ["verify", "origin", "--json"],
        ):
            clean(lab.run(*words), f"{label}: {' '.join(words)}")
        for build in ("v2", "v3"):
            clean(lab.publish(build, "origin", "--label", "x"), f"{label}: publish {build}")
            clean(lab.publish(build, "origin", "--json"), f"{label}: publish --json {build}")


@attack(10, "words of a manifest, names of files")
def manifests(lab):
    _, second = lab.origin(1, 2)
    place = f"releases/{second}/info.json"
    for label, change in {"scheme": {"scheme": EVIL}, "build": {"build": {"tool": EVIL, "commit": EVIL}},
                          "launch": {"launch": "nope" + EVIL}, "app": {"app": EVIL}}.items():
        lab.copy("cdn", "origin")
        content = encoded(json.loads((lab / "origin" / place).read_text()) | change)
        (lab / "origin" / place).unlink()
        (lab / "origin" / place).write_bytes(content)
        pointer = Pointer.read(lab / "origin").set(sequence=3)
        pointer.payload["info"] |= {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
        pointer.write()
        manifest = f"origin/{place}"
        for words in (
            ["install", "origin", "--into", f"phone {label}"],
            ["verify", "origin"],
            ["diff", manifest, "v1"],
            ["simulate", manifest, "v1"],
            ["verify", manifest, "--build", "v2"],
            ["diff", manifest, "v1", "--json"],
        ):
            clean(lab.run(*words), f"{label}: {' '.join(words)}")
    lab.copy("cdn", "origin")
    for name in (
        "site/\x1b[31mx\nFAKE",
        "objects/\x1b]0;x\x07",
        "channels/\x1b[31m/log/1.json",
        "site/\u202eFAKE",
        ".packtool/intents/\x1b[31mFAKE." + "0" * 32,
    ):
        lab.write(f"origin/{name}")
    clean(lab.run("verify", "origin"), "foreign names: verify")
    clean(lab.publish(lab.build(3), "origin"), "foreign names: publish")
    lab.write("odd/\x1b[31mx\nFAKE.js")
    lab.write("odd/\u202eFAKE.js")
    for words in (["hash"], ["check"], ["package", "-o", "x.zip"]):
        clean(lab.run(words[0], "odd", *words[1:]), f"odd names: {words[0]}")


@attack(10, "pages, arguments and settings")
def words(lab):
    lab.write("pages/index.html", '<!doctype html><script src="/\x1b]0;pwned\x07missing\x1b[2J.js"></script>'
              "<link rel=stylesheet href='https://a.b/\x9bFAKE\u202e.css'><a href='/x\u2028FAKE'>")
    for form in ("text", "github", "markdown", "junit", "sarif", "json"):
        clean(
            lab.run("check", "pages", "--profile", "basename-cache", "--host", "a.b", "--format", form),
            f"check {form}",
        )
    clean(
        lab.run("check", "pages", "--profile", "basename-cache", "--host", "a.b", "--dump-urls"),
        "check --dump-urls",
    )
    lab.build(1)
    for argv in (
        ["hash", f"/nowhere{EVIL}"],
        [f"--foo{EVIL}"],
        [f"pub{EVIL}"],
        ["hash", "v1", f"extra{EVIL}"],
        ["publish", "v1", "--to", "cdn", "--app", f"a{EVIL}", "--base-url", "https://a.example/b"],
        [
            "publish",
            "v1",
            "--to",
            "cdn",
            "--app",
            "a",
            "--base-url",
            "https://a.example/b",
            "--label",
            f"a{EVIL}",
        ],
        ["package", "v1", "-o", "x.zip", "--level", f"max{EVIL}"],
        ["check", "v1", "--config", f"no{EVIL}.yaml"],
        ["rules", f"no{EVIL}"],
    ):
        clean(lab.run(*argv), f"argument: {argv[0]!r}")
        clean(lab.run(*argv, "--json"), f"argument: {argv[0]!r} --json")
    for text in (
        'app: "a\\x1b[31mFAKE"\nbase-url: "https://x\\x07"\n"k\\x1b[31m": 1\n',
        'app: "a\\x1b[31m\\nFAKE"\n',
        "\x1b[31m: [\n",
    ):
        lab.write("bad.yaml", text)
        clean(lab.run("check", "v1", "--config", "bad.yaml"), "settings: check")
        clean(lab.run("publish", "v1", "--to", "cdn", "--config", "bad.yaml"), "settings: publish")


@attack(24, "secrets in addresses")
def secrets(lab):
    lab.build(1)
    addresses = [
        "s3://AKIAKEY:SECRETWORD@bucket/shop",
        "https://user:SECRETWORD@cdn.example.com/shop",
        "https://cdn.example.com/shop?token=SECRETWORD",
        "https://cdn.example.com/shop?a=1&X-Amz-Signature=SECRETWORD#x",
        "file://user:SECRETWORD@host/srv",
        "https://:SECRETWORD@cdn.example.com",
    ]
    for address in addresses:
        for argv in (
            [
                "publish",
                "v1",
                "--to",
                address,
                "--app",
                "shop",
                "--base-url",
                "https://a.example/b",
                "--no-check",
            ],
            ["publish", "v1", "--to", "cdn", "--app", "shop", "--base-url", address, "--no-check"],
            ["manifest", "v1", "--app", "shop", "--base-url", address],
            ["verify", address],
            ["install", address, "--into", "phone"],
            ["hash", address],
            ["hash", "v1", address],
            [address],
            ["publish", "v1", f"--tu={address}"],
            ["init", "--base-url", address, "--config", "new.yaml"],
            ["delta", "--from", "1.0", "--at", address, "v1", "-o", "x.zip"],
            ["check", "v1", "--config", address],
        ):
            # In the short form, alternate command lines run with --json.
            turn = [[], ["--json"]][len(lab.runs) % 2]
            for more in lab.size([turn], [[], ["--json"]]):
                run = lab.run(*argv, *more).ends(0, 1, 2, 3, 64)
                expect("SECRETWORD" not in run.out + run.err, f"{argv[:2]}: {run.out + run.err!r}")
        for name in os.listdir(lab.room):
            path = lab / name
            if path.is_file() and path.suffix == ".yaml":
                expect("SECRETWORD" not in path.read_text(), f"{name} holds it")
        lab.write("packtool.yaml", f'app: shop\nbase-url: "{address}"\nto: "{address}"\nbuild: v1\n')
        for argv in (["publish", "--no-check"], ["check"], ["manifest"]):
            run = lab.run(*argv).ends(0, 1, 2, 3, 64)
            expect("SECRETWORD" not in run.out + run.err, f"packtool.yaml, {argv}: {run.out + run.err!r}")
        os.unlink(lab / "packtool.yaml")
