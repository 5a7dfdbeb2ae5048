#!/usr/bin/env python3
"""A client in one file: installs the current release of an origin, over HTTP, from its package.

It follows "Writing a client" in docs/formats.md step by step and needs nothing but Python 3.9.
What it leaves out is listed in docs/guide/clients.md.

    client.py BASE_URL APP DIRECTORY
"""
import base64
import hashlib
import io
import json
import os
import pathlib
import shutil
import sys
import time
import urllib.request
import zipfile

CHANNEL = "production"
POINTER_LIMIT = 65536


class Refused(Exception):
    """The origin offers something that must not be installed."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def fetch(url, base, limit):
    """Fetches a URL below the origin, and never more bytes than the limit."""
    require(url.startswith(base + "/"), f"{url} is not below {base}")
    with urllib.request.urlopen(url, timeout=30) as answer:
        data = answer.read(limit + 1)
    require(len(data) <= limit, f"{url} has more than {limit} bytes")
    return data


def fetch_proved(place, base):
    """Fetches what a pointer names by URL, hash and size."""
    data = fetch(place["url"], base, place["size"])
    require(sha256(data) == place["sha256"], f"{place['url']} does not match its hash")
    return data


def read_pointer(base, app):
    """Step 1: the pointer, which must have the bytes of its log entry while it is unsigned."""
    envelope = fetch(f"{base}/channels/{CHANNEL}/pointer.json", base, POINTER_LIMIT)
    payload = base64.b64decode(json.loads(envelope)["payload"], validate=True)
    pointer = json.loads(payload)
    require(pointer["schema"] == 1, "a pointer of another schema")
    require(pointer["app"] == app, "a pointer of another app")
    require(pointer["channel"] == CHANNEL, "a pointer of another channel")
    entry = fetch(f"{base}/channels/{CHANNEL}/log/{pointer['sequence']}.json", base, POINTER_LIMIT)
    require(entry == envelope, "the pointer differs from its log entry")
    return pointer, sha256(payload)


def remember(pointer, digest, root):
    """Step 2: refuses an older pointer than the last one; stores this one before acting on it."""
    file = root / "seen.json"
    if file.exists():
        seen = json.loads(file.read_text())
        require(pointer["sequence"] >= seen["sequence"], "an older pointer than the last one")
        if pointer["sequence"] == seen["sequence"]:
            require(digest == seen["payload"], "two pointers with one sequence")
    with open(root / "seen.new", "w") as new:
        json.dump({"sequence": pointer["sequence"], "payload": digest}, new)
        new.flush()
        os.fsync(new.fileno())
    os.replace(root / "seen.new", file)


def unpack(package, manifest, tree):
    """Steps 5 and 6: names come from the manifest, and what is on the disk is hashed again."""
    listing = b""
    for asset in manifest["assets"]:
        path, parts = asset["path"], asset["path"].split("/")
        require(not {"", ".", ".."} & set(parts), f"the name {path!r}")
        require("\\" not in path and "\0" not in path, f"the name {path!r}")
        data = package.open(path).read(asset["size"] + 1)
        require(len(data) == asset["size"], f"{path} has another size than the manifest says")
        require(sha256(data) == asset["sha256"], f"{path} does not match its hash")
        target = tree.joinpath(*parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        listing += f"{sha256(target.read_bytes())}  {path}\n".encode()
    return sha256(listing)


def switch(tree, version, root):
    """Step 7: durable first, then one rename decides, then the previous release goes."""
    os.sync()
    versions = root / "versions"
    versions.mkdir(exist_ok=True)
    shutil.rmtree(versions / version, ignore_errors=True)
    os.rename(tree, versions / version)
    (root / "next").unlink(missing_ok=True)
    (root / "next").symlink_to(f"versions/{version}")
    os.replace(root / "next", root / "current")
    os.sync()
    for previous in versions.iterdir():
        if previous.name != version:
            shutil.rmtree(previous)


def main(base, app, root):
    root.mkdir(parents=True, exist_ok=True)
    pointer, digest = read_pointer(base, app)
    remember(pointer, digest, root)
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    if pointer.get("closed"):
        require((root / "current").is_symlink(), f"the channel was closed at {pointer['createdAt']}")
        print(f"closed: the channel ended at {pointer['createdAt']}; the installed release stays")
        return
    require(pointer["enabled"], "updates are switched off")
    require(pointer["expires"] is None or now < pointer["expires"], "the pointer has expired")

    # Step 3: nothing to do if this release is installed.
    version, current = pointer["version"], root / "current"
    if current.is_symlink() and os.readlink(current) == f"versions/{version}":
        print(f"unchanged: {version}")
        return

    # Step 4: the manifest and the package, each by its hash.
    manifest = json.loads(fetch_proved(pointer["info"], base))
    for member in ("app", "packageHash", "package"):
        require(manifest[member] == pointer[member], f"pointer and manifest differ in '{member}'")
    sizes = [asset["size"] for asset in manifest["assets"]]
    require(pointer["tree"] == {"assets": len(sizes), "size": sum(sizes)}, "a tree of another size")
    package = zipfile.ZipFile(io.BytesIO(fetch_proved(pointer["package"], base)))

    tree = root / "fresh"
    shutil.rmtree(tree, ignore_errors=True)
    require(unpack(package, manifest, tree) == pointer["packageHash"], "another tree than promised")
    switch(tree, version, root)
    print(f"installed: {version}")


if __name__ == "__main__":
    try:
        main(sys.argv[1].rstrip("/"), sys.argv[2], pathlib.Path(sys.argv[3]))
    except (Refused, OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        sys.exit(f"error: {error!r}; unaffected: the installed release")
