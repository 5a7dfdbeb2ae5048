"""Shared by the checks: the two clients, origins made by packtool, and pointers made by hand."""

import base64
import hashlib
import json
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("PACKTOOL", str(HERE.parents[2] / ".build/debug/packtool"))
APP, BASE = "shop", "https://cdn.example.com/shop"
POINTER = "application/vnd.packtool.pointer+json"


def packtool(*arguments, clock=None, check=True):
    """The JSON document that packtool prints, also for an error."""
    environment = dict(os.environ, PACKTOOL_JOBS="1", PACKTOOL_CACHE="")
    if clock is not None:
        environment["PACKTOOL_CLOCK"] = str(clock)
    done = subprocess.run([TOOL, *map(str, arguments), "--json"], env=environment, capture_output=True)
    document = json.loads(done.stdout or b"{}")
    if check and done.returncode:
        raise SystemExit(f"packtool {arguments}: {done.stderr.decode()}")
    return document


class Client:
    """The client of the JVM: one process that answers a command at a time."""

    def __init__(self, classes):
        self.process = subprocess.Popen(
            [
                "java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xss512k",
                "-Xmx700m",
                "-cp",
                classes,
                "packtool.client.Harness",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=dict(os.environ, LC_ALL="C.UTF-8"),
        )

    def __call__(self, command, *words, **options):
        words = [command, *words]
        for name, value in options.items():
            if value is not None:
                words += [name, value]
        self.process.stdin.write("\t".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "crash" in answer:
            raise AssertionError(f"{words}: {answer['crash']}")
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def build(directory, files):
    for path, content in files.items():
        file = directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return directory


def publish(origin, dist, label, *options, base=BASE):
    return packtool(
        "publish",
        dist,
        "--to",
        origin,
        "--app",
        APP,
        "--base-url",
        base,
        "--label",
        label,
        "--no-check",
        *options,
    )


def payload(file):
    return json.loads(base64.b64decode(json.loads(file.read_bytes())["payload"]))


def envelope(value):
    """An unsigned pointer."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return json.dumps(
        {
            "payloadType": POINTER,
            "payload": base64.b64encode(data).decode(),
            "digest": hashlib.sha256(data).hexdigest(),
            "signatures": [],
        }
    ).encode()


def put(origin, value, channel="production"):
    """Makes a pointer the current one of an origin, and puts it into the log."""
    folder = origin / "channels" / channel
    (folder / "log").mkdir(parents=True, exist_ok=True)
    data = envelope(value)
    (folder / "pointer.json").write_bytes(data)
    if isinstance(value, dict) and isinstance(value.get("sequence"), int):
        (folder / "log" / f"{value['sequence']}.json").write_bytes(data)


def hashes(directory):
    """Every file below a directory, with the hash of its content."""
    found = {}
    for path in sorted(directory.rglob("*")):
        if path.is_file() and not path.is_symlink():
            found[str(path.relative_to(directory))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def state(directory, ignores=()):
    """The state of an installation, without times and what is measured."""
    file = directory / "state.json"
    if not file.exists():
        return None
    value = json.loads(file.read_bytes())
    for name in ("speed", "rootCheckedAt", *ignores):
        value.pop(name, None)
    for one in [*value["trees"], value.get("embedded")]:
        if one:
            one.pop("installedAt")
    for one in value["channels"]:
        one.pop("answer", None)
    return value


def snapshot(directory):
    """What two clients must agree on: the state, the trees and what `current` links to."""
    link = directory / "current"
    return {
        "state": state(directory),
        "trees": hashes(directory / "versions"),
        "current": os.readlink(link) if link.is_symlink() else None,
        "names": sorted(path.name for path in directory.iterdir()) if directory.exists() else [],
    }


def compared(
    answer,
    names=(
        "outcome",
        "version",
        "packageHash",
        "sequence",
        "label",
        "channel",
        "route",
        "previous",
        "files",
        "bytes",
        "damaged",
    ),
):
    """The members of an answer that both clients have; a refusal is its code."""
    if "error" in answer:
        return {"refused": answer["error"]["code"]}
    if "refused" in answer:
        return {"refused": answer["refused"]}
    return {name: answer.get(name) for name in names}


def copy(source, target):
    shutil.rmtree(target, ignore_errors=True)
    if source is not None and source.exists():
        shutil.copytree(source, target, symlinks=True)
    return target


class Tally:
    """Counts scenarios, and shows what differs."""

    def __init__(self):
        self.count, self.wrong = 0, 0

    def same(self, name, expected, found):
        self.count += 1
        if expected != found:
            self.wrong += 1
            print(
                f"DIFFERENT {name}\n  packtool {json.dumps(expected, sort_keys=True)}"
                f"\n  JVM      {json.dumps(found, sort_keys=True)}"
            )

    def true(self, name, holds):
        self.count += 1
        if not holds:
            self.wrong += 1
            print(f"WRONG {name}")
