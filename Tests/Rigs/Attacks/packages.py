"""Packages with matching hashes that no device may unpack: names come from the zip."""

import copy
import os
import sys

from lab import BASE_URL, REPOSITORY, attack, expect

sys.path.insert(0, str(REPOSITORY / "examples/client"))
import hostile

# Allowed by the strict zip profile; client.py takes only packages in the form that packtool writes.
ALLOWED = {"package: end record, a comment", "package: files out of order"}


class Files:
    """An origin in memory, as written by `hostile.Release`."""

    files = None


def offer(lab, sequence, change, files=hostile.FILES):
    release, origin = hostile.Release(BASE_URL, copy.deepcopy(files)), Files()
    change(release)
    release.put(origin, sequence)
    for path, content in origin.files.items():
        lab.write(f"cdn{path}", content)


@attack(9, "the hostile packages of examples/client/hostile.py: refused by name, and nothing is written")
def hostile_packages(lab):
    offer(lab, 1, lambda release: None, {"index.html": b"old"})
    lab.run("install", "cdn", "--into", "start").ends(0)
    before, names = lab.tree("start/current"), {*os.listdir(lab.room), "phone"}
    tried = 0
    for name, _, change in hostile.CASES:
        if not name.startswith(("file ", "package: ")) or "sha256" in name:
            continue
        tried += 1
        lab.copy("start", "phone")
        offer(lab, 2, change)
        run = lab.run("install", "cdn", "--into", "phone").ends(*((0,) if name in ALLOWED else (1, 2)))
        if run.status == 0:
            expect(set(lab.tree("phone/current")) == set(hostile.FILES), f"{name}: another tree is installed")
        else:
            expect(lab.tree("phone/current") == before, f"{name}: the installed tree changed: {run}")
        expect(set(os.listdir(lab.room)) == names, f"{name}: written outside: {os.listdir(lab.room)}")
    expect(tried > 80, f"only {tried} packages were tried")
