"""A lab for attacks on packtool: fixtures, hostile files, runs with exit code, time and peak memory.

It shares no code with packtool; it writes files according to `docs/formats.md`.
"""

import base64
import contextlib
import functools
import hashlib
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "Tests/Rigs/Delta"))

BASE_URL = "https://cdn.example.com/shop"
PUBLISH = ["--app", "shop", "--base-url", BASE_URL, "--no-check"]
EMPTY = hashlib.sha256(b"").hexdigest()
CONTROLS = {
    chr(code)
    for code in [
        *range(32),
        *range(0x7F, 0xA0),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
        0x2028,
        0x2029,
        0x200E,
        0x200F,
        0x61C,
    ]
} - {"\n"}


class Wrong(Exception):
    """A sentence about unexpected behavior."""


def expect(condition, sentence):
    if not condition:
        raise Wrong(sentence)


@dataclass
class Run:
    words: list
    status: int
    out: str
    err: str
    seconds: float
    mebibytes: float
    hung: bool

    def __str__(self):
        end = "hung" if self.hung else f"exit {self.status}"
        return (
            f"{' '.join(self.words[:2])}: {end}, {self.seconds:.1f} s, {self.mebibytes:.0f} MiB: {self.last}"
        )

    @property
    def last(self):
        lines = [line for line in self.err.splitlines() if line.startswith("error")] or self.err.splitlines()[
            -1:
        ]
        return lines[0][:200] if lines else ""

    def ends(self, *statuses, within=60, mebibytes=None):
        """Expects that the run ended with one of these codes, within its limits, and with a help line."""
        expect(not self.hung, f"it hung: {self}")
        expect(self.status in (0, 1, 2, 3, 64), f"it crashed: {self}")
        expect(self.status in statuses, f"not exit {' or '.join(map(str, statuses))}: {self}")
        expect(self.seconds <= within, f"longer than {within} s: {self}")
        expect(mebibytes is None or self.mebibytes <= mebibytes, f"more than {mebibytes} MiB: {self}")
        # These commands may answer "no" with exit code 1.
        if self.status and not (
            self.words[0] in ("verify", "check", "simulate", "diff") and self.status == 1
        ):
            expect("help:" in self.err or '"help"' in self.out, f"no help: {self.err[-300:]}")
        return self


class Lab:
    """The directory of one attack, and the tool."""

    def __init__(self, tool, room, is_long):
        self.tool, self.room, self.is_long = str(tool), Path(room), is_long
        self.runs = []

    def __truediv__(self, name):
        return self.room / name

    def size(self, short, long):
        return long if self.is_long else short

    # Running.

    def run(self, *words, timeout=None, under=(), **variables):
        """Runs the tool in the directory; GNU time reports its peak memory, which Python's own would hide."""
        words = [str(word) for word in words]
        told = self.room / ".time"
        argv = [*under, "/usr/bin/time", "-f", "%M", "-o", str(told), self.tool, *words]
        if under:  # A tracer must start the tool directly.
            argv = [*under, self.tool, *words]
        keep = {name: os.environ[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH") if name in os.environ}
        environment = keep | {"SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8", "TZ": "UTC",
                              "TMPDIR": str(self.room)} | variables
        begun = time.monotonic()
        process = subprocess.Popen(argv, cwd=self.room, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=environment, start_new_session=True)
        try:
            out, err = process.communicate(timeout=timeout or self.size(120, 300))
            hung = False
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            hung = True
        seconds = time.monotonic() - begun
        peak = 0.0
        if told.exists():
            with contextlib.suppress(ValueError, IndexError):
                peak = int(told.read_text().split()[-1]) / 1024
            told.unlink()
        result = Run(
            words,
            process.returncode,
            out.decode("utf-8", "replace"),
            err.decode("utf-8", "replace"),
            seconds,
            peak,
            hung,
        )
        self.runs.append(result)
        return result

    def publish(self, build, origin, *more, **options):
        return self.run("publish", build, "--to", origin, *PUBLISH, *more, **options)

    # Fixtures.

    def write(self, path, content=b""):
        path = self.room / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def build(self, number):
        """A small build of eight scripts, two of which depend on the number."""
        for index in range(1, 9):
            source = random.Random(index)
            text = "".join(
                f"function f{source.randrange(9999)}(e,t){{return e+t*{source.randrange(10**6)}}}\n"
                for _ in range(400)
            )
            if index < 3:
                text += f"// version {number}\n" + "".join(
                    f"export const k{n}={random.Random(f'{number}{n}').randrange(10**9)};\n"
                    for n in range(30)
                )
            self.write(f"v{number}/assets/m{index}.js", text)
        self.write(f"v{number}/robots.txt", "User-agent: *\nDisallow:\n")
        self.write(
            f"v{number}/index.html",
            f"<!doctype html><title>v{number}</title><script src=assets/m1.js></script>",
        )
        return f"v{number}"

    def origin(self, *numbers, name="cdn"):
        """An origin with these builds published in order; returns the versions."""
        versions = []
        for number in numbers:
            self.publish(self.build(number), name).ends(0)
            versions.append(Pointer.read(self / name).version)
        return versions

    def copy(self, source, target):
        target = self.room / target
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)
        subprocess.run(["cp", "-a", self.room / source, target], check=True)
        return target

    def installed(self, name):
        link = self.room / name / "current"
        return os.readlink(link).split("/")[-1] if link.is_symlink() else None

    def tree(self, name):
        root = self.room / name
        return {
            str(path.relative_to(root)): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file()
        }


# Files of an origin.

def encoded(value):
    return (json.dumps(value, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")


def reference(content, url):
    return {"url": url, "sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}


def listing_hash(assets):
    """The `packageHash` of assets with `path` and `sha256`."""
    lines = [
        f"{asset['sha256']}  {asset['path']}\n" for asset in sorted(assets, key=lambda a: a["path"].encode())
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


class Pointer:
    """A channel's pointer: its payload as a dictionary, and methods to write it."""

    def __init__(self, origin, payload):
        self.origin, self.payload = Path(origin), payload

    @classmethod
    def read(cls, origin, place="pointer.json"):
        envelope = json.loads((Path(origin) / "channels/production" / place).read_bytes())
        return cls(origin, json.loads(base64.b64decode(envelope["payload"])))

    def __getattr__(self, name):
        return self.payload[name]

    def set(self, **members):
        self.payload |= members
        return self

    def write(self, raw=None):
        """Writes pointer and log entry as new files, because an object may be a hard link of an old one."""
        payload = encoded(self.payload) if raw is None else raw
        envelope = encoded({"payloadType": "application/vnd.packtool.pointer+json",
                            "payload": base64.b64encode(payload).decode(), "signatures": []})
        channel = self.origin / "channels/production"
        for place in (channel / "pointer.json", channel / f"log/{self.sequence}.json"):
            place.unlink(missing_ok=True)
            place.write_bytes(envelope)

    def place(self, name):
        return self.origin / f"releases/{self.version}/{name}"

    def replace_package(self, content):
        """Replaces the package, with a matching manifest and pointer."""
        self.payload["package"] |= reference(content, self.package["url"])
        manifest = json.loads(self.place("info.json").read_bytes()) | {"package": self.package}
        for name, data in (("package.zip", content), ("info.json", encoded(manifest))):
            self.place(name).unlink()
            self.place(name).write_bytes(data)
        self.payload["info"] |= reference(encoded(manifest), self.info["url"])
        self.write()

    def replace_delta(self, content, **members):
        """Replaces the first delta of the pointer."""
        delta = self.deltas[0]
        place = self.place(f"delta-{delta['from']}.zip")
        place.unlink()
        place.write_bytes(content)
        self.payload["deltas"] = [delta | reference(content, delta["url"]) | members]
        self.payload["sequence"] += 1
        self.write()


# Zips that no tool would write.

@dataclass
class Entry:
    name: bytes
    flags: int
    method: int
    checksum: int
    size: int
    data: bytes


def entries(path):
    """The entries of a zip with their compressed data."""
    raw, found = Path(path).read_bytes(), []
    with zipfile.ZipFile(path) as zipped:
        for info in zipped.infolist():
            name, extra = struct.unpack("<HH", raw[info.header_offset + 26:info.header_offset + 30])
            start = info.header_offset + 30 + name + extra
            found.append(
                Entry(
                    info.filename.encode(),
                    info.flag_bits,
                    info.compress_type,
                    info.CRC,
                    info.file_size,
                    raw[start : start + info.compress_size],
                )
            )
    return found


def archive(members):
    body, directory = b"", b""
    for member in members:
        fields = struct.pack("<HHHHHIIIHH", 20 if member.method else 10, member.flags, member.method, 0, 0x21,
                             member.checksum, len(member.data), member.size, len(member.name), 0)
        directory += (b"PK\x01\x02\x14\x03" + fields + struct.pack("<HHHII", 0, 0, 0, 0x81A40000, len(body))
                      + member.name)
        body += b"PK\x03\x04" + fields + member.name + member.data
    return body + directory + b"PK\x05\x06" + struct.pack(
        "<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(body), 0)


def padded_deflate(content, blocks):
    """A valid deflate stream of the content, preceded by `blocks` empty blocks."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"\0\0\0\xff\xff" * blocks + deflate.compress(content) + deflate.flush()


def sparse_zip(path, compressed, size=100):
    """A zip with an entry of gigabytes of compressed data, nearly all of it a hole."""
    name = b"a"
    fields = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0x21, 1, compressed, size, len(name), 0)
    with open(path, "wb") as file:
        file.write(b"PK\x03\x04" + fields + name)
        offset = 30 + len(name) + compressed
        file.seek(offset)
        directory = b"PK\x01\x02\x14\x03" + fields + struct.pack("<HHHII", 0, 0, 0, 0x81A40000, 0) + name
        file.write(directory + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(directory), offset, 0))


# Attacks are functions with a lab as argument, run in the order of their declaration.

ATTACKS = []


def attack(number, title, needs_root=False):
    """Declares an attack; `number` is the fault's number in the original list."""
    def declare(function):
        ATTACKS.append((number, title, needs_root, function))
        return function
    return declare


@functools.cache
def is_root():
    return os.geteuid() == 0


@contextlib.contextmanager
def room(parent):
    with tempfile.TemporaryDirectory(
        prefix="packtool-attack-", dir=parent, ignore_cleanup_errors=True
    ) as place:
        yield place
