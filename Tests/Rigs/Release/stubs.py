#!/usr/bin/env python3
"""Stands in for gh, npm and docker, by the name it is called with. $STUBS has the state of the services.

Each call is recorded in NAME.calls. These variables make a call fail: GH_FAILS=view or upload, NPM_FAILS=view
or the number of packages after which a publish fails, and DOCKER_FAILS, the same for builds.
"""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

STATE = Path(os.environ["STUBS"])
NAME = Path(sys.argv[0]).name
WORDS = sys.argv[1:]


def read(name):
    path = STATE / name
    return json.loads(path.read_text()) if path.exists() else {}


def write(name, value):
    (STATE / name).write_text(json.dumps(value))


def option(name):
    return WORDS[WORDS.index(name) + 1]


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def gh():
    _, action, tag, *rest = WORDS
    release = read("release.json")
    if os.environ.get("GH_FAILS") == "view" == action:
        sys.exit("HTTP 502: Server Error")
    if action != "create" and release.get("tag") != tag:
        sys.exit("release not found")
    if action == "view":
        print(json.dumps({"isDraft": release["draft"]}))
    elif action == "create":
        found = subprocess.run(["git", "ls-remote", "origin", f"refs/tags/{tag}"], capture_output=True)
        if "--verify-tag" in rest and not found.stdout:
            sys.exit(f"tag {tag} doesn't exist in the repo, aborting due to --verify-tag flag")
        notes = Path(option("--notes-file")).read_text()
        write("release.json", {"tag": tag, "draft": "--draft" in rest, "files": {}, "notes": notes})
    elif action == "upload":
        for number, path in enumerate(word for word in rest if not word.startswith("--")):
            if os.environ.get("GH_FAILS") == "upload" and number == 3:
                sys.exit("HTTP 502: Server Error")
            if Path(path).name in release["files"] and "--clobber" not in rest:
                sys.exit(f"asset under the same name already exists: {Path(path).name}")
            release["files"][Path(path).name] = sha256(path)
            shutil.copy(path, STATE / Path(path).name)
            write("release.json", release)
    elif action == "download":
        shutil.copy(STATE / option("--pattern"), option("--dir"))
    elif action == "edit":
        write("release.json", release | {"draft": "--draft=false" not in rest})


def npm():
    if WORDS[0] == "pack":
        if os.environ["REAL_NPM"]:
            os.execv(os.environ["REAL_NPM"], ["npm", *WORDS])
        manifest = json.loads(Path("package.json").read_text())
        name = f"{manifest['name'].replace('/', '-').removeprefix('@')}-{manifest['version']}.tgz"
        with tarfile.open(Path(option("--pack-destination")) / name, "w:gz") as archive:
            archive.add(".", "package")
        print(name)
        return
    registry = STATE / "registry"
    registry.mkdir(exist_ok=True)
    fails = os.environ.get("NPM_FAILS")
    if WORDS[0] == "view":
        if fails == "view":
            sys.exit("npm error code ETIMEDOUT")
        path = registry / WORDS[1].replace("/", "-").replace("@", "-")
        if not path.exists():
            sys.exit("npm error code E404")
        print(path.read_text())
    elif WORDS[0] == "publish":
        if fails == str(len(list(registry.iterdir()))):
            sys.exit("npm error code E503")
        data = Path(WORDS[1]).read_bytes()
        unpacked = subprocess.run(["tar", "-xzOf", WORDS[1], "package/package.json"], capture_output=True)
        manifest = json.loads(unpacked.stdout)
        if lacking := [
            name
            for name in manifest.get("optionalDependencies", {})
            if not list(registry.glob(f"{name.replace('/', '-').replace('@', '-')}-*"))
        ]:
            sys.exit(f"the registry lacks {lacking}")
        path = registry / f"{manifest['name']}@{manifest['version']}".replace("/", "-").replace("@", "-")
        if path.exists():
            sys.exit("npm error code E403: cannot publish over the previously published versions")
        path.write_text("sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode())


def docker():
    images = read("images.json")
    if WORDS[1] == "build":
        if os.environ.get("DOCKER_FAILS") == str(len(images)):
            sys.exit("ERROR: failed to push")
        root = Path(option("--build-context").removeprefix("build=")) / "image"
        images[option("--tag")] = {
            "platform": option("--platform"), "target": option("--target"),
            "program": sha256(root / "usr/bin/packtool"),
            "files": sorted(str(path.relative_to(root)) for path in [*root.glob("*"), *root.glob("usr/*")]),
        }  # fmt: skip
    elif WORDS[2] == "create":
        parts = WORDS[WORDS.index("--tag") + 2 :]
        if lacking := set(parts) - set(images):
            sys.exit(f"ERROR: {lacking} not found")
        images[option("--tag")] = {"parts": parts}
    elif WORDS[3] not in images:
        sys.exit(f"ERROR: {WORDS[3]}: not found")
    elif "--format" in WORDS:
        print("sha256:" + hashlib.sha256(WORDS[3].encode()).hexdigest())
    write("images.json", images)


with (STATE / f"{NAME}.calls").open("a") as log:
    log.write(json.dumps(WORDS) + "\n")
{"gh": gh, "npm": npm, "docker": docker}[NAME]()
