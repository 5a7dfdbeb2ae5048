#!/usr/bin/env python3
"""Fetches public front-end builds for the benchmarks.

    fetch.py [--dest DIR] [--list FILE] [NAME …]

Every corpus ends up as DEST/<name>/<version>/. Existing corpora are not fetched again.
Needs nothing but Python and its pip, which does the downloading.
"""

import argparse
import fnmatch
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import trees

# Some of the packages also ship compiled code, so pip needs the machine to pick a wheel
# for. The front-end build inside is the same for all of them: any machine can take the Linux wheel.
PYTHON_VERSION = "3.12"
PLATFORMS = [
    "any",
    "manylinux_2_34_x86_64",
    "manylinux_2_28_x86_64",
    "manylinux_2_17_x86_64",
    "manylinux2014_x86_64",
    "manylinux1_x86_64",
    "linux_x86_64",
]

# A wheel comes from outside. The largest build known here has 240 MB and 5,700 files.
MAX_BYTES = 2 << 30
MAX_FILES = 100_000

# The build directory doubles as a Python package in some projects; that glue is not front-end.
GLUE = (".py", ".pyc")

FIXED_TIME = 315_619_200  # 1980-01-02: zip cannot store anything before 1980 in any time zone


class FetchError(Exception):
    pass


def say(text):
    print(text, file=sys.stderr, flush=True)


def last_line(text):
    """pip's last lines describe the error; before them it may list every version."""
    lines = text.strip().splitlines()
    return lines[-1][:300] if lines else "without a message"


def download_wheel(corpus, directory):
    """Lets pip fetch the wheel into the directory and returns its path."""
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download"]
    command += ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input"]
    command += ["--python-version", PYTHON_VERSION, "--implementation", "cp"]
    for platform in PLATFORMS:
        command += ["--platform", platform]
    command += ["--dest", str(directory), f"{corpus.package}=={corpus.version}"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise FetchError("pip download failed: " + last_line(done.stderr))
    wheels = list(Path(directory).glob("*.whl"))
    if len(wheels) != 1:
        raise FetchError(f"pip left {len(wheels)} wheels, expected one")
    return wheels[0]


def path_pattern(path):
    """Matches members below `path`; group 1 is the rest. A wildcard stays within one component."""
    components = [fnmatch.translate(part) for part in path.strip("/").split("/")]
    # fnmatch.translate gives '(?s:…)\Z': keep the middle, and let '.*' not cross a slash.
    middles = [re.sub(r"^\(\?s:(.*)\)\\[Zz]$", r"\1", part, flags=re.S) for part in components]
    return re.compile("/".join(m.replace(".*", "[^/]*") for m in middles) + "/(.+)", re.S)


def refuse_unsafe(member, relative):
    """Only plain files whose name stays inside the destination may be written."""
    parts = relative.split("/")
    if relative.startswith("/") or "\\" in relative or "\0" in relative or ":" in parts[0]:
        raise FetchError(f"unsafe name in the wheel: {member.filename!r}")
    if any(part in ("", ".", "..") for part in parts):
        raise FetchError(f"unsafe name in the wheel: {member.filename!r}")
    file_type = stat.S_IFMT(member.external_attr >> 16)
    if file_type not in (0, stat.S_IFREG):  # 0: unknown to the writer
        raise FetchError(f"not a regular file in the wheel: {member.filename!r}")


def members_below(wheel, path):
    """Yields (member, path relative to the build) for everything that has to be extracted."""
    pattern, seen, total = path_pattern(path), set(), 0
    for member in wheel.infolist():
        match = pattern.fullmatch(member.filename)
        if not match or member.is_dir() or member.filename.endswith(GLUE):
            continue
        relative = match.group(1)
        refuse_unsafe(member, relative)
        if relative in seen:
            raise FetchError(f"the wheel has {member.filename!r} twice")
        seen.add(relative)
        total += member.file_size
        if total > MAX_BYTES or len(seen) > MAX_FILES:
            raise FetchError("the wheel unpacks to more than any front-end build should")
        yield member, relative


def extract(wheel_path, path, destination):
    """Writes the build into the destination, which must be empty."""
    count = 0
    with zipfile.ZipFile(wheel_path) as wheel:
        for member, relative in list(members_below(wheel, path)):
            target = Path(destination, relative)
            target.parent.mkdir(parents=True, exist_ok=True)
            # "x": never write through something that is already there. zipfile stops at the
            # declared size and checks the CRC, so a lying header cannot fill the disk.
            with wheel.open(member) as source, open(target, "xb") as sink:
                shutil.copyfileobj(source, sink, trees.CHUNK)
            # Zip files contain times; a fixed one keeps their compressed sizes comparable.
            os.utime(target, (FIXED_TIME, FIXED_TIME))
            count += 1
    if count == 0:
        raise FetchError(f"{wheel_path.name} has nothing below {path}")
    return count


def check_content(corpus, directory):
    version = trees.Tree(directory).version
    if corpus.content not in ("-", version):
        raise FetchError(f"content is {version}, {corpus.content} was expected")


def fetch(corpus, destination):
    """Fetches one corpus. It appears under its name only when it is complete."""
    target = destination / corpus.name / corpus.version
    if target.is_dir():
        say(f"have   {corpus.name} {corpus.version}")
        return
    say(f"fetch  {corpus.name} {corpus.version} …")
    # The temporary directory is on the file system of the target, so that rename is atomic.
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=destination) as scratch:
        wheels, build = Path(scratch, "wheel"), Path(scratch, "build")
        wheels.mkdir()
        build.mkdir()
        count = extract(download_wheel(corpus, wheels), corpus.path, build)
        check_content(corpus, build)
        target.parent.mkdir(exist_ok=True)
        try:
            build.rename(target)
        except OSError:
            if not target.is_dir():  # else: another fetch was faster with the same content
                raise
    say(f"ok     {corpus.name} {corpus.version}: {count} files")


def select(corpora, names):
    unknown = set(names) - {corpus.name for corpus in corpora}
    if unknown:
        raise ValueError(f"not in the list: {', '.join(sorted(unknown))}")
    return [corpus for corpus in corpora if not names or corpus.name in names]


def parse_arguments():
    parser = argparse.ArgumentParser(description="Fetches public front-end builds from PyPI.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these (default: all)")
    parser.add_argument("--dest", type=Path, default=trees.default_corpus_directory(),
                        help="default: $PACKTOOL_CORPUS or Benchmarks/work/corpus")
    parser.add_argument("--list", type=Path, default=trees.DEFAULT_LIST, help="default: corpora.txt")
    parser.add_argument("--newest", action="store_true", help="only the newest version of each")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    try:
        corpora = select(trees.read_corpora(arguments.list), arguments.names)
        arguments.dest.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        say(f"fetch.py: {error}")
        return 2
    if arguments.newest:
        corpora = trees.newest_versions(corpora)
    failed = 0
    for corpus in corpora:
        try:
            fetch(corpus, arguments.dest)
        except (FetchError, OSError, ValueError, zipfile.BadZipFile) as error:
            say(f"FAIL   {corpus.name} {corpus.version}: {error}")
            failed += 1
    if failed:
        say(f"fetch.py: {failed} of {len(corpora)} could not be fetched; run it again to retry")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
