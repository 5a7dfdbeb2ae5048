"""Checks the results: a benchmark over a wrong result is worthless."""

import base64
import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import trees
from runner import BenchmarkError


def _name(member):
    return member.filename.removeprefix("./")  # bsdtar and others keep the "./" of the root


def directory_bytes(path):
    """The bytes of a zip's entries for directories: local header and central directory.

    packtool stores files only, the peers also store directories. Sizes are compared without these
    bytes, so leaving them out gains nothing.
    """
    total = 0
    with zipfile.ZipFile(path) as archive, open(path, "rb") as raw:
        for member in archive.infolist():
            if member.is_dir():
                raw.seek(member.header_offset + 26)
                lengths = raw.read(4)
                local = 30 + int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")
                name = len(member.orig_filename.encode())
                descriptor = 16 if member.flag_bits & 8 else 0
                total += local + member.compress_size + descriptor
                total += 46 + name + len(member.extra) + len(member.comment)
    return total


def check_members(path, tree):
    """The zip contains exactly the files of the tree: names, sizes and CRCs."""
    with zipfile.ZipFile(path) as archive:
        members = [m for m in archive.infolist() if not m.is_dir()]
    found = {_name(m): (m.file_size, m.CRC) for m in members}
    expected = {a.path: (a.size, a.crc32) for a in tree.assets}
    if len(found) != len(members):
        raise BenchmarkError(f"{path} has a name twice")
    wrong = sorted(n for n in found.keys() | expected.keys() if found.get(n) != expected.get(n))
    if wrong:
        shown = ", ".join(wrong[:5])
        raise BenchmarkError(f"{path} does not equal {tree.root}: {len(wrong)} differ, e.g. {shown}")


def check_zip(path, tree):
    """An independent reader accepts the zip and unpacks it to the CRCs of the tree."""
    if not shutil.which("unzip"):
        raise BenchmarkError("unzip is needed to check the packages; please install it")
    done = subprocess.run(["unzip", "-tqq", str(path)], capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchmarkError(f"unzip -t refuses {path}: {(done.stdout + done.stderr).strip()[-500:]}")
    check_members(path, tree)


def check_version_line(stdout, tree):
    """`packtool hash` prints the version that coreutils would give, and nothing else."""
    found = stdout.decode(errors="replace")
    if found != tree.version + "\n":
        raise BenchmarkError(f"packtool hash printed {found[:80]!r}, the version is {tree.version}")


def check_pipeline(stdout, tree):
    if stdout.split()[:1] != [tree.package_hash.encode()]:
        raise BenchmarkError(f"the coreutils pipeline and Python disagree about {tree.root}")


def check_digest_count(stdout, tree):
    """Every file was hashed: one line each."""
    lines = stdout.count(b"\n")
    if lines != len(tree.assets):
        raise BenchmarkError(f"{lines} digests for {len(tree.assets)} files of {tree.root}")


def check_origin(origin, tree):
    """The origin serves the tree: pointer, manifest, package, objects and the live copy."""
    origin = Path(origin)
    release = origin / "releases" / tree.version
    pointer = _read_pointer(origin / "channels" / "production" / "pointer.json")
    manifest = _read_json(release / "info.json")
    for name, document in (("the pointer", pointer), ("info.json", manifest)):
        if document.get("version") != tree.version:
            raise BenchmarkError(f"{name} names {document.get('version')}, not {tree.version}")
    check_zip(release / "package.zip", tree)
    _check_objects(origin, tree)


def _read_json(path):
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise BenchmarkError(f"{path} cannot be read: {error}") from None


def _read_pointer(path):
    envelope = _read_json(path)
    return json.loads(base64.b64decode(envelope["payload"]))


def _check_objects(origin, tree):
    objects, site = trees.Tree(origin / "objects"), trees.Tree(origin / "site")
    stored = {(a.path, a.sha256) for a in objects.assets}
    live = {(a.path, a.sha256) for a in site.assets}
    for asset in tree.assets:
        name = asset.path.rsplit("/", 1)[-1]
        if (f"{asset.sha256}/{name}", asset.sha256) not in stored:
            raise BenchmarkError(f"{origin} has no right object for {asset.path}")
        if (asset.path, asset.sha256) not in live:
            raise BenchmarkError(f"{origin}/site does not have {asset.path} as it is in the build")
