"""Untrusted lengths: of compressed data, of manifests, of directories, and sums of them."""

import os
import subprocess
from pathlib import Path

from lab import (
    BASE_URL,
    Pointer,
    archive,
    attack,
    encoded,
    entries,
    expect,
    listing_hash,
    padded_deflate,
    reference,
    sparse_zip,
)


def hostile(source, victim, size):
    """A package with an entry that claims this many compressed bytes."""
    members = entries(source)
    for member in members:
        if member.name == victim:
            member.method, member.data = 8, b"A" * size
    return archive(members)


@attack(1, "--reuse: an entry claims more compressed bytes than its content has")
def reuse_overflow(lab):
    lab.run("package", lab.build(1), "-o", "honest.zip").ends(0)
    for size in (26, 27, 300, 4_000, 300_000):
        lab.write("hostile.zip", hostile(lab / "honest.zip", b"robots.txt", size))
        lab.run("package", "v1", "-o", "new.zip", "--reuse", "hostile.zip").ends(0, mebibytes=200)
        expect(
            (lab / "new.zip").read_bytes() == (lab / "honest.zip").read_bytes(), f"other bytes after {size}"
        )


@attack(1, "publish: the origin's current package is hostile, and its pointer agrees")
def origin_overflow(lab):
    lab.origin(2)
    lab.run("package", lab.build(3), "-o", "honest.zip").ends(0)
    pointer = Pointer.read(lab / "cdn")
    pointer.replace_package(hostile(pointer.place("package.zip"), b"robots.txt", 300_000))
    lab.publish("v3", "cdn", "--dry-run").ends(0)
    lab.publish("v3", "cdn").ends(0, mebibytes=200)
    published = Pointer.read(lab / "cdn")
    expect(
        published.place("package.zip").read_bytes() == (lab / "honest.zip").read_bytes(),
        "other package bytes",
    )


@attack(1, "a zip as the build: valid for every tool, its deflate stream padded")
def padded_build(lab):
    lab.run("package", lab.build(2), "-o", "honest.zip").ends(0)
    honest = (lab / "honest.zip").read_bytes()
    for victim, blocks in (
        (b"robots.txt", 1),
        (b"robots.txt", 200),
        (b"robots.txt", 80_000),
        (b"index.html", 1),
        (b"assets/m3.js", 1),
    ):
        members = entries(lab / "honest.zip")
        for member in members:
            if member.name == victim:
                content = (lab / "v2" / victim.decode()).read_bytes()
                member.method, member.data = 8, padded_deflate(content, blocks)
        lab.write("padded.zip", archive(members))
        tested = subprocess.run(["unzip", "-tq", lab / "padded.zip"], capture_output=True)
        expect(tested.returncode == 0, "the fixture itself is broken")
        lab.run("package", "padded.zip", "-o", "again.zip").ends(0, mebibytes=200)
        expect(
            (lab / "again.zip").read_bytes() == honest,
            f"package: other bytes for the same content ({victim} {blocks})",
        )
        origin = f"cdn {len(lab.runs)}"
        lab.publish("padded.zip", origin).ends(0, mebibytes=200)
        published = Pointer.read(lab / origin).place("package.zip").read_bytes()
        expect(published == honest, f"publish: other bytes for the same content ({victim} {blocks})")


@attack(1, "a zip that states 3.9 GB of compressed data for 100 bytes")
def sparse_archive(lab):
    sparse_zip(lab / "sparse.zip", 3_900_000_000)
    lab.run("package", lab.build(1), "-o", "new.zip", "--reuse", "sparse.zip").ends(0, mebibytes=200)
    for words in (["hash"], ["check"], ["package", "-o", "x.zip"]):
        lab.run(words[0], "sparse.zip", *words[1:]).ends(1, 2, mebibytes=200)


@attack(4, "an old manifest lies about a file's size")
def lying_sizes(lab):
    first, _ = lab.origin(1, 2)
    lab.build(3)
    for size in (0, 5, 10**15, 2**53 - 1 - 10**6):
        lab.copy("cdn", "lie")
        place = lab / f"lie/releases/{first}/info.json"
        text = place.read_text()
        place.unlink()
        start = text.index('"size": ', text.index('"path": "assets/m1.js"')) + 8
        end = text.index(",", start)
        place.write_text(text[:start] + str(size) + text[end:])
        lab.publish("v3", "lie").ends(0, mebibytes=200)
        expect(Pointer.read(lab / "lie").sequence == 3, "the pointer did not move")


@attack(11, "verify: the sizes of many releases add up to more than 2^64")
def overflowing_sums(lab):
    lab.origin(1)
    pointer = Pointer.read(lab / "cdn")
    for index in range(2060):
        digest = f"{index:064x}"
        asset = {"path": "index.html", "url": f"{BASE_URL}/objects/{digest}/index.html", "sha256": digest,
                 "size": 2**53 - 2, "type": "text/html"}
        packed = listing_hash([asset])
        package = {"url": f"{BASE_URL}/releases/{packed[:20]}/package.zip", "sha256": "0" * 64, "size": 1}
        manifest = encoded({"version": packed[:20], "files": [asset["url"]], "schema": 1, "app": "shop",
                            "packageHash": packed, "launch": "index.html", "scheme": "customscheme",
                            "assets": [asset], "package": package, "build": {"tool": "x"}})
        lab.write(f"cdn/releases/{packed[:20]}/info.json", manifest)
        pointer.set(sequence=2 + index, version=packed[:20], packageHash=packed, deltas=[], package=package,
                    info=reference(manifest, f"{BASE_URL}/releases/{packed[:20]}/info.json")).write()
    lab.run("verify", "cdn").ends(1, mebibytes=400)


@attack(11, "a build of sparse files whose sizes add up to more than 2^64", needs_root=True)
def sparse_build(lab):
    os.mkdir(lab / "disk")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", lab / "disk"], check=True)
    try:
        os.mkdir(lab / "disk/build")
        for number in range(3):
            with open(lab / f"disk/build/{number}.js", "wb") as file:
                file.truncate(2**63 - 1)
        # A check does not read files of this size.
        lab.run("check", "disk/build").ends(0, 1, 2, mebibytes=200)
        for words in (["hash"], ["package", "-o", "x.zip"], ["rewrite", "-o", "r", "--host", "a.b"]):
            lab.run(words[0], "disk/build", *words[1:]).ends(1, 2, mebibytes=200)
        lab.publish("disk/build", "cdn").ends(1, 2, mebibytes=200)
        lab.origin(1, name="disk/cdn")
        for number in range(3):
            os.rename(lab / f"disk/build/{number}.js", lab / f"disk/cdn/site/{number}.js")
        lab.run("verify", "disk/cdn").ends(0, 1, mebibytes=200)
    finally:
        subprocess.run(["umount", lab / "disk"], check=True)


@attack(13, "a huge sparse file, a pipe or a device at a name of the new release", needs_root=True)
def foreign_at_new_name(lab):
    lab.origin(1, 2)
    lab.copy("cdn", "future")
    lab.publish(lab.build(3), "future").ends(0)
    new = Pointer.read(lab / "future").version
    names = sorted(set(lab.tree("future")) - set(lab.tree("cdn")))
    objects = [name for name in names if name.startswith("objects/")]
    places = [
        f"releases/{new}/package.zip",
        f"releases/{new}/info.json",
        objects[0],
        "channels/production/log/3.json",
        "site/assets/m1.js",
        "info.json",
        *lab.size([], names),
    ]
    kinds = {
        "sparse": lambda place: place.open("wb").truncate(2**40),
        "pipe": os.mkfifo,
        "zero": lambda place: os.mknod(place, 0o20666, os.makedev(1, 5)),
        "link": lambda place: os.symlink("/etc/shadow", place),
        "directory": os.mkdir,
        "empty": lambda place: place.touch(),
    }
    shadow = Path("/etc/shadow").read_bytes()
    for kind, make in kinds.items():
        for name in places:
            lab.copy("cdn", "origin")
            place = lab / "origin" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.unlink(missing_ok=True)
            make(place)
            run = lab.publish("v3", "origin", timeout=60).ends(0, 1, 2, 3, mebibytes=200)
            verified = lab.run("verify", "origin", timeout=60).ends(0, 1, 2, mebibytes=200)
            what = f"{kind} at {name}"
            expect(
                run.status or not verified.status,
                f"{what}: published, and verify fails: {verified.out[:200]}",
            )
            if run.status:
                version = Pointer.read(lab / "origin").version
                expect(version != new or "live" in run.err, f"{what}: live, and not said: {run.last}")
                expect(
                    name.split("/")[-1] in run.err or name.split("/")[1] in run.err,
                    f"{what}: not named: {run.err}",
                )
    expect(Path("/etc/shadow").read_bytes() == shadow, "wrote through a link")
