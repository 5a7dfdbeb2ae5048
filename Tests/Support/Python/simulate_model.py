"""An independent model of deployed clients, run on real files, against 'packtool simulate'.

    simulate_model.py PACKTOOL DIRECTORY SEED COUNT

Makes COUNT pairs of releases from SEED in DIRECTORY, updates a device of each kind by copying and
deleting files as the client does, and compares what the device then serves, holds and has downloaded
with what 'packtool simulate --json' says. Prints the number of compared files; exit code 1 at the
first difference.
"""
import json
import os
import random
import shutil
import subprocess
import sys

packtool, directory, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
generator = random.Random(seed)
NAMES = ["index.html", "app.js", "app.1a2b.js", "logo.png", "a b.png", "LICENSE", "caf\u00e9.css", "x.js"]
FOLDERS = ["", "", "en/", "zh/", "static/js/"]
# Whether names are flat, what exists is skipped, URLs are decoded, and paths without an extension get
# the start page instead of their file (Router.swift of Capacitor): the seed's client and the others.
CLIENTS = {
    "basename-cache": (True, True, False, False),
    "capacitor": (False, False, True, True),
    "path-strict": (False, False, True, False),
}


def make_release():
    """A tree: path to content; case and normal forms never collide."""
    files = {}
    for _ in range(generator.randrange(1, 9)):
        files[generator.choice(FOLDERS) + generator.choice(NAMES)] = "content %d" % generator.randrange(4)
    return files


def write(files, root):
    shutil.rmtree(root, ignore_errors=True)
    for path, content in files.items():
        name = os.path.join(root, path)
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "w") as file:
            file.write(content)


def update(device, release, is_flat, skips):
    """The client's update; returns the bytes it downloads."""

    def place(path):
        return os.path.basename(path) if is_flat else path

    present = {os.path.relpath(os.path.join(folder, name), device)
               for folder, _, names in os.walk(device) for name in names}
    for name in present - {place(path) for path in release}:
        os.remove(os.path.join(device, name))
    total = 0
    for path in sorted(release, key=lambda path: path.encode()):
        name = os.path.join(device, place(path))
        if skips and place(path) in present:
            continue
        total += len(release[path].encode())
        if skips and os.path.exists(name):
            continue
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "w") as file:
            file.write(release[path])
    return total


def serve(device, path, is_flat, decodes, has_start_page):
    """What the handler reads when the path's URL is asked for; None where there is no such file."""
    if has_start_page and not os.path.splitext(path)[1]:
        return None
    quoted = "".join(
        c if c.isascii() and c != " " else "".join("%%%02X" % b for b in c.encode()) for c in path
    )
    looked_up = path if decodes else quoted
    name = os.path.join(device, looked_up.rsplit("/", 1)[-1] if is_flat else looked_up)
    if not os.path.isfile(name):
        return None
    with open(name) as file:
        return file.read()


compared = 0
for number in range(count):
    old, new = make_release(), make_release()
    if generator.random() < 0.1:
        new = dict(old)
    for name, release in (("old", old), ("new", new)):
        write(release, os.path.join(directory, name))
    for client, (is_flat, skips, decodes, has_start_page) in CLIENTS.items():
        device = os.path.join(directory, "device")
        shutil.rmtree(device, ignore_errors=True)
        os.makedirs(device)
        update(device, old, is_flat, skips)
        downloaded = update(device, new, is_flat, skips) if old != new else 0
        expected = {path: serve(device, path, is_flat, decodes, has_start_page) for path in new}
        run = subprocess.run([packtool, "simulate", "old", "new", "--client", client, "--json"],
                             cwd=directory, capture_output=True, text=True)
        said = json.loads(run.stdout)["clients"][0]
        wrong = {path for path in new if expected[path] != new[path]}
        problems = []
        if run.returncode != (1 if wrong else 0):
            problems.append(f"exit code {run.returncode}, wrong files {sorted(wrong)}")
        if said["download"]["singleFiles"] != downloaded:
            problems.append(f"downloads {said['download']['singleFiles']} bytes, not {downloaded}")
        held = sorted(os.path.relpath(os.path.join(folder, name), device)
                      for folder, _, names in os.walk(device) for name in names)
        if sorted(item["name"] for item in said["held"]) != held:
            problems.append(f"holds {[item['name'] for item in said['held']]}, not {held}")
        for file in said["files"]:
            compared += 1
            isWrong = file["state"] in ("stale", "shadowed", "missing")
            if isWrong != (file["path"] in wrong):
                problems.append(
                    f"{file['path']} is {file['state']}; the device serves {expected[file['path']]!r}"
                )
            if (file["state"] == "missing") != (expected[file["path"]] is None):
                problems.append(
                    f"{file['path']} is {file['state']}; the device serves {expected[file['path']]!r}"
                )
        if problems:
            print(f"seed {seed}, pair {number}, {client}\nold {old}\nnew {new}", *problems, sep="\n")
            sys.exit(1)
print(f"compared {compared} files")
