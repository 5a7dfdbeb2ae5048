#!/usr/bin/env python3
"""Rehearses a release: the steps of release.yml, with stand-ins for tarballs, repository, gh, npm and docker.

  run.py PACKTOOL [--only CASE] [--mutants] [-v]

A stand-in tarball has the man pages, completions, licences and SBOM of PACKTOOL. Its program is static: it
prints the version of the release, and starts PACKTOOL for everything else.
--mutants makes one change of mutants.py at a time, and fails if its case passes.
"""

import argparse
import contextlib
import hashlib
import io
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
import traceback
from pathlib import Path

from mutants import MUTANTS

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
TOOLS = ROOT / ".build/release-rig"
PINS = ["spdx-tools==0.8.5", "packageurl-python==0.17.6"]
VERSION = "3.2.1"
OTHER_COMMIT = "0123456789" * 4
CURL = "7.88.1-10+deb12u15"
OWN = f"linux-{os.uname().machine}"
FOREIGN = "linux-aarch64" if OWN == "linux-x86_64" else "linux-x86_64"
PLATFORMS = ("linux-x86_64", "linux-aarch64", "macos-universal")
ENGINE = "lib/packtool/packtool-engine"
MACHINES = {"linux-x86_64": 62, "linux-aarch64": 183}
# The repository of the rehearsal has the files that the steps read.
FILES = (
    "CHANGELOG.md", "Dockerfile", "LICENSE", "Scripts", "docs/third-party.md", "packaging",
    "examples/storefront/dist",
    "Sources/PackTool/Settings/ToolVersion.swift",
)  # fmt: skip
PROGRAM = """
#include <string.h>
#include <unistd.h>
int main(int count, char **words) {
    static const char version[] = "packtool %s (commit %.12s)\\n";
    if (count == 2 && strcmp(words[1], "--version") == 0)
        return write(1, version, sizeof version - 1) < 0;
    execv("%s", words);
    return 127;
}
"""


def fetch_tools():
    """Installs the readers of SPDX and of package URLs from PyPI, once."""
    stamp = TOOLS / "installed"
    if not stamp.exists() or stamp.read_text() != " ".join(PINS):
        shutil.rmtree(TOOLS, ignore_errors=True)
        words = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--only-binary=:all:",
            "--root-user-action=ignore",
            "--target",
            str(TOOLS),
            *PINS,
        ]
        # One retry: package mirrors are the least reliable part of a build.
        if subprocess.run(words).returncode != 0 and subprocess.run(words).returncode != 0:
            sys.exit(
                "error: pip could not install "
                + ", ".join(PINS)
                + "\nhelp: check the connection to PyPI and run it again"
            )
        stamp.write_text(" ".join(PINS))
    sys.path.insert(0, str(TOOLS))


def call(*words, cwd=None, env=None, status=0):
    words = [str(word) for word in words]
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, timeout=300)
    assert status is None or done.returncode == status, (
        f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    )
    return done


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


class Stand:
    """The parts of all cases: the repository and the tarballs."""

    def __init__(self, packtool, folder, mutant=None):
        self.packtool, self.folder = packtool, folder
        self.source = folder / "source"
        for name in FILES:
            target = self.source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            path = ROOT / name
            if path.is_dir():
                shutil.copytree(path, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(path, target)
        self.edit(
            "Sources/PackTool/Settings/ToolVersion.swift",
            r'toolVersion = "[^"]+"',
            f'toolVersion = "{VERSION}"',
        )
        self.edit("CHANGELOG.md", r"^## .*", f"## {VERSION}")
        if mutant:
            script = self.source / "Scripts" / mutant[1]
            text = script.read_text()
            assert text.count(mutant[2]) == 1, (
                f"{script.name} has {mutant[2]!r} {text.count(mutant[2])} times"
            )
            script.write_text(text.replace(*mutant[2:]))
        git = ("git", "-c", "user.name=rig", "-c", "user.email=rig@example.com")
        call("git", "init", "--quiet", "--initial-branch", "main", self.source)
        call(*git, "add", "--all", cwd=self.source)
        call(*git, "commit", "--quiet", "--message", "all", cwd=self.source)
        self.commit = call("git", "rev-parse", "HEAD", cwd=self.source).stdout.strip()

    def edit(self, name, pattern, text):
        path = self.source / name
        path.write_text(re.sub(pattern, text, path.read_text(), count=1, flags=re.M))

    def build(self, tree):
        """The tarballs of this commit in `dist`; `tree` has the files that all of them share."""
        self.dist = self.folder / "dist"
        self.dist.mkdir()
        program = self.compile(VERSION, self.commit)
        for platform in PLATFORMS:
            self.pack(self.dist, platform, tree, for_platform(program, platform))
        write_sources(self.dist)

    def compile(self, version, commit):
        """A static program that prints this version."""
        source, output = self.folder / "program.c", self.folder / "program"
        source.write_text(PROGRAM % (version, commit, self.packtool))
        call(shutil.which("clang") or "cc", "-static", "-Os", "-o", output, source)
        return output.read_bytes()

    def pack(self, dist, platform, tree, program, sbom=None, change=None, plain=()):
        """Writes a tarball as 'make dist' does.

        `change` takes the files before they are packed; `plain` names programs to pack without permission.
        """
        stem = f"packtool-{VERSION}-{platform}"
        path = self.folder / "packed"
        path.write_bytes(program)
        beside = dist / f"{stem}.spdx.json"
        if sbom is None:
            env = os.environ | {"SOURCE_DATE_EPOCH": "1800000000"}
            call(
                ROOT / "Scripts/sbom.py",
                path,
                "--version",
                VERSION,
                "--commit",
                self.commit,
                "--platform",
                platform,
                "--package",
                f"curl={CURL}",
                "-o",
                beside,
                env=env,
            )
            sbom = beside.read_bytes()
        beside.write_bytes(sbom)
        files = {
            str(file.relative_to(tree)): file.read_bytes()
            for file in sorted(tree.rglob("*"))
            if file.is_file()
        }
        files |= {"bin/packtool": program, "share/doc/packtool/packtool.spdx.json": sbom}
        files = {f"{stem}/{name}": data for name, data in files.items()}
        if change:
            change(files, stem)
        with tarfile.open(dist / f"{stem}.tar.gz", "w:gz", compresslevel=1) as archive:
            for name, data in sorted(files.items()):
                member = tarfile.TarInfo(name)
                own = name.partition("/")[2]
                member.mode = 0o755 if own in ("bin/packtool", ENGINE) and own not in plain else 0o644
                if data is None:
                    member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
                    archive.addfile(member)
                else:
                    member.size = len(data)
                    archive.addfile(member, io.BytesIO(data))
        write_checksum(dist, stem)
        if platform in MACHINES:
            write_engine(dist, platform, for_platform(Path("/bin/true").read_bytes(), platform))


def write_engine(dist, platform, data, path=ENGINE, mode=0o755):
    stem = f"packtool-engine-{VERSION}-{platform}"
    with tarfile.open(dist / f"{stem}.tar.gz", "w:gz", compresslevel=1) as archive:
        member = tarfile.TarInfo(f"{stem}/{path}")
        member.mode, member.size = mode, len(data)
        archive.addfile(member, io.BytesIO(data))


def write_checksum(dist, stem):
    (dist / f"{stem}.sha256").write_text(f"{sha256(dist / f'{stem}.tar.gz')}  {stem}.tar.gz\n")


def for_platform(program, platform, cpus=(0x01000007, 0x0100000C)):
    """The program with the header of another platform."""
    if platform in MACHINES:
        return program[:18] + struct.pack("<H", MACHINES[platform]) + program[20:]
    slices = [struct.pack(">5I", cpu, 3, 4096, len(program), 12) for cpu in cpus]
    return (struct.pack(">II", 0xCAFEBABE, len(cpus)) + b"".join(slices)).ljust(4096, b"\0") + program


def write_sources(dist, leave_out=None):
    """Empty source packages, in the versions of the SBOM."""
    sbom = json.loads((dist / f"packtool-{VERSION}-linux-x86_64.spdx.json").read_text())
    with tarfile.open(dist / f"packtool-{VERSION}-library-sources.tar", "w") as archive:
        for part in sbom["packages"]:
            if "LGPL" in part["licenseDeclared"] and part["name"] != leave_out:
                version = part["versionInfo"].split(":")[-1].split("+b")[0]
                archive.addfile(tarfile.TarInfo(f"library-sources/{part['name']}_{version}.dsc"))


def shared_tree(packtool, folder):
    """Man pages, completions and licences, as in each tarball."""
    call(ROOT / "Scripts/install-files.sh", packtool, "/tree", folder)
    doc = folder / "tree/share/doc/packtool"
    call(ROOT / "Scripts/licences.sh", doc / "licences", "static")
    shutil.copy(ROOT / "docs/third-party.md", doc)
    (folder / "tree/bin/packtool").unlink()
    return folder / "tree"


class Lab:
    """One case: a clone of the repository, its own copy of the tarballs, and the state of the services."""

    def __init__(self, stand, tree, folder, verbose=False):
        self.stand, self.tree, self.folder, self.verbose = stand, tree, folder, verbose
        self.origin, self.checkout, self.state = folder / "origin.git", folder / "checkout", folder / "state"
        self.dist = self.checkout / "dist"
        call("git", "clone", "--quiet", "--bare", stand.source, self.origin)
        # As on a runner: without history.
        call("git", "clone", "--quiet", "--depth", "1", f"file://{self.origin}", self.checkout)
        shutil.copytree(stand.dist, self.dist)
        self.state.mkdir()
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name in ("gh", "npm", "docker"):
            (self.bin / name).symlink_to(HERE / "stubs.py")
        self.env = {
            name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_"))
        }
        self.env |= {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "STUBS": str(self.state),
            "REAL_NPM": shutil.which("npm") or "",
            "HOME": str(folder),
            "npm_config_update_notifier": "false",
        }

    def step(self, *words, error=None, env=None):
        """Runs a step of Scripts/release.py; `error` is part of its message if it must fail."""
        done = call("Scripts/release.py", *words, cwd=self.checkout, env=self.env | (env or {}), status=None)
        if self.verbose:
            print("$", *words, f"→ {done.returncode}\n{done.stdout}{done.stderr}")
        assert "Traceback" not in done.stderr, done.stderr
        if error is None:
            assert done.returncode == 0, done.stderr
        else:
            assert done.returncode == 1, (words, "did not fail", done.stdout)
            assert done.stderr.startswith("error: ") and "\nhelp: " in done.stderr, done.stderr
            assert error in done.stderr, (error, done.stderr)
        return done.stdout

    def collect(self, error=None, commit=None):
        return self.step(
            "collect",
            VERSION,
            commit or self.stand.commit,
            "dist",
            "--repository",
            "acme/packtool",
            error=error,
        )

    def tag(self, error=None):
        return self.step("tag", VERSION, self.stand.commit, "dist", error=error)

    def calls(self, name):
        """The recorded calls of a stub."""
        path = self.state / f"{name}.calls"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def pack(self, platform, program=None, **options):
        """Replaces a tarball by another one."""
        if program is None:
            with tarfile.open(self.dist / f"packtool-{VERSION}-{platform}.tar.gz") as archive:
                program = archive.extractfile(f"packtool-{VERSION}-{platform}/bin/packtool").read()
        self.stand.pack(self.dist, platform, self.tree, program, **options)

    def pack_npm(self):
        call(
            "packaging/npm/build.js",
            "--out",
            "dist/npm",
            VERSION,
            *[f"dist/packtool-{VERSION}-{platform}.tar.gz" for platform in PLATFORMS],
            cwd=self.checkout,
            env=self.env,
        )

    def remote(self, *words):
        return call("git", *words, cwd=self.origin).stdout.strip()


# Cases


def workflow(lab):
    """All steps of release.yml that call a script, with its own command lines."""
    import yaml

    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    built = lab.checkout / ".build/dist"
    output = lab.folder / "output"
    output.write_text("")
    env = lab.env | {
        "VERSION": VERSION, "PLATFORM": OWN, "GITHUB_SHA": lab.stand.commit,
        "GITHUB_REPOSITORY": "Acme/packtool", "GITHUB_OUTPUT": str(output), "GH_TOKEN": "x",
    }  # fmt: skip
    done = []

    def run(job):
        """A job after the jobs that it needs."""
        needs = jobs[job].get("needs", [])
        for need in [needs] if isinstance(needs, str) else needs:
            if need not in done:
                run(need)
        if job == "linux":
            # The tarball of this machine's platform is where 'make dist' writes it.
            built.mkdir(parents=True)
            for path in lab.dist.glob(f"*{OWN}*"):
                shutil.copy(path, built)
        for step in jobs[job].get("steps", []):
            command = step.get("run", "")
            if re.search(r"Scripts/release\.py|build\.js", command) and job != "macos":
                call("bash", "-eo", "pipefail", "-c", command, cwd=lab.checkout, env=env)
        done.append(job)

    run("publish")
    assert set(done) == set(jobs), set(jobs) - set(done)
    # Nothing is published before the tests, and the release is the last one.
    assert done.index("collect") > max(
        done.index(job) for job in ("test-linux", "test-apple", "linux", "macos")
    )
    assert done[-1] == "publish"
    release = json.loads((lab.state / "release.json").read_text())
    assert release["draft"] is False and release["tag"] == f"v{VERSION}", release
    listed = (lab.dist / "SHA256SUMS").read_text().split()[1::2]
    assert sorted(release["files"]) == sorted([*listed, "SHA256SUMS"]), release["files"]
    assert len(listed) == 10, listed
    names = [Path(words[1]).name for words in lab.calls("npm") if words[0] == "publish"]
    assert len(names) == 4 and names[-1] == f"packtool-{VERSION}.tgz", names
    assert all("--provenance" in words for words in lab.calls("npm") if words[0] == "publish")
    outputs = dict(line.split("=") for line in output.read_text().splitlines())
    assert outputs["name"] == "ghcr.io/acme/packtool" and outputs["final"] != outputs["ci"], outputs
    assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", outputs[name]) for name in ("final", "ci")), outputs


def check_step(lab):
    lab.step("check", VERSION)
    lab.step("check", "3.2.2", error=f"the version of the source is {VERSION}, not 3.2.2")
    source = lab.checkout / "Sources/PackTool/Settings/ToolVersion.swift"
    text = source.read_text()
    source.write_text(text.replace(VERSION, f"{VERSION}-dev"))
    lab.step("check", VERSION, error=f"the version of the source is {VERSION}-dev, not {VERSION}")
    source.write_text(text)
    changelog = lab.checkout / "CHANGELOG.md"
    text = changelog.read_text()
    changelog.write_text(text.replace(f"## {VERSION}\n", "## Unreleased\n"))
    lab.step("check", VERSION, error=f"no section '## {VERSION}'")
    changelog.write_text(f"# Changelog\n\n## {VERSION}\n\n## 3.0.0\n\nOlder.\n")
    lab.step("check", VERSION, error=f"no section '## {VERSION}'")
    changelog.write_text(text)
    lab.collect()
    lab.tag()
    lab.step("check", VERSION, error=f"the tag v{VERSION} exists")
    for word in ("1.0", "v1.0.0", "1.0.0-rc.1", "01.0.0"):
        done = call("Scripts/release.py", "check", word, cwd=lab.checkout, env=lab.env, status=2)
        assert "is no version" in done.stderr, done.stderr


def tarballs(lab):
    """Files that must not be released."""
    commit, dist, fresh = lab.stand.commit, lab.dist, lab.folder / "fresh"
    shutil.copytree(dist, fresh)
    stem = f"packtool-{VERSION}-{OWN}"
    other = lab.stand.compile(VERSION, OTHER_COMMIT)
    own = lab.stand.compile(VERSION, commit)
    # It prints the version, and publishes nothing.
    broken = own.replace(
        str(lab.stand.packtool).encode(), b"/bin/true".ljust(len(str(lab.stand.packtool)), b"\0")
    )
    beside = dist / f"{stem}.spdx.json"

    def remove(name):
        return lambda files, stem: files.pop(f"{stem}/{name}")

    def add(name, data=b"x"):
        return lambda files, stem: files.update({name.replace("STEM", stem): data})

    def damage(path, data):
        return lambda: path.write_bytes(data(path.read_bytes()))

    def with_sbom(text, replacement):
        data = beside.read_bytes()
        assert text in data, text
        lab.pack(OWN, sbom=data.replace(text, replacement, 1))

    def truncate():
        path = dist / f"{stem}.tar.gz"
        path.write_bytes(path.read_bytes()[:-2000])
        write_checksum(dist, stem)

    cases = [
        ("no tarball for macos-universal", (dist / f"packtool-{VERSION}-macos-universal.tar.gz").unlink),
        (f"no tarball for {FOREIGN}", (dist / f"packtool-{VERSION}-{FOREIGN}.tar.gz").unlink),
        ("the checksum of", damage(dist / f"{stem}.tar.gz", lambda data: data + b"\0")),
        ("the checksum of", damage(dist / f"{stem}.sha256", lambda data: b"0" * 64 + data[64:])),
        ("the checksum of", (dist / f"{stem}.sha256").unlink),
        ("cannot be read", truncate),
        ("differs from the SBOM", damage(beside, lambda data: data + b"\n")),
        ("differs from the SBOM", beside.unlink),
        ("describes the version 3.2.0", lambda: with_sbom(b'Info": "3.2.1"', b'Info": "3.2.0"')),
        (f"describes the commit {OTHER_COMMIT}", lambda: with_sbom(commit.encode(), OTHER_COMMIT.encode())),
        ("describes the commit ,", lambda: with_sbom(f"built from commit {commit}".encode(), b"")),
        ("describes the program", lambda: with_sbom(b'"checksumValue": "', b'"checksumValue": "0')),
        (f"not 'packtool {VERSION} (commit {commit[:12]})'", lambda: lab.pack(OWN, other)),
        ("'", lambda: lab.pack(OWN, broken)),
        (f"not one for {OWN}", lambda: lab.pack(OWN, for_platform(own, FOREIGN))),
        (f"not one for {FOREIGN}", lambda: lab.pack(FOREIGN, for_platform(own, OWN))),
        ("not one for macos-universal", lambda: lab.pack("macos-universal", own)),
        ("not one for macos-universal",
         lambda: lab.pack("macos-universal", for_platform(own, "macos-universal", [0x0100000C]))),
        ("is not static", lambda: lab.pack(OWN, Path(shutil.which("env")).read_bytes())),
        ("bin/packtool in", lambda: lab.pack(OWN, plain=["bin/packtool"])),
        (f"{ENGINE} in", lambda: write_engine(dist, OWN, own, mode=0o644)),
        (f"lacks {ENGINE}", lambda: write_engine(dist, OWN, own, "bin/packtool")),
        (f"not one for {FOREIGN}", lambda: write_engine(dist, FOREIGN, own)),
        ("no packtool-engine", (dist / f"packtool-engine-{VERSION}-{OWN}.tar.gz").unlink),
        ("lacks share/man/man1/packtool.1",
         lambda: lab.pack(OWN, change=remove("share/man/man1/packtool.1"))),
        ("lacks share/doc/packtool/licences/LICENSE",
         lambda: lab.pack(OWN, change=add("STEM/share/doc/packtool/licences/LICENSE", b""))),
        ("has the member", lambda: lab.pack(OWN, change=add("STEM/../../evil"))),
        ("has the member", lambda: lab.pack(OWN, change=add("elsewhere"))),
        ("has the member", lambda: lab.pack(OWN, change=add("STEM/bin/link", None))),
        ("library-sources.tar lacks glibc", lambda: write_sources(dist, "glibc")),
        ("library-sources.tar", (dist / f"packtool-{VERSION}-library-sources.tar").unlink),
    ]  # fmt: skip
    for error, damage_it in cases:
        shutil.rmtree(dist)
        shutil.copytree(fresh, dist)
        damage_it()
        lab.collect(error=error)
        assert not (dist / "SHA256SUMS").exists(), error
    shutil.rmtree(dist)
    shutil.copytree(fresh, dist)
    lab.collect(error=f"describes the commit {commit}", commit=OTHER_COMMIT)
    lab.step("verify", VERSION, commit, f"dist/packtool-{VERSION}-{FOREIGN}.tar.gz", error="does not run on")
    lab.step("verify", "3.2.2", commit, f"dist/{stem}.tar.gz", error="is no tarball of packtool 3.2.2")
    assert "runs" in lab.step("verify", VERSION, commit, f"dist/{stem}.tar.gz")
    formula = lab.checkout / "packaging/homebrew/packtool.rb"
    text = formula.read_text()
    formula.write_text(text.replace("macos-universal", "macos-arm64"))
    lab.collect(error="has no line for")
    formula.write_text(text)
    lab.collect()


def checksums(lab):
    """The files that 'collect' writes, read by other tools."""
    lab.collect()
    call("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=lab.dist)
    call("sha256sum", "--check", "--strict", "binaries.txt", cwd=lab.dist)
    names = [line.split("  ")[1] for line in (lab.dist / "binaries.txt").read_text().splitlines()]
    assert names == [f"packtool-{VERSION}-{platform}.tar.gz" for platform in PLATFORMS], names
    for platform in PLATFORMS:
        stem = f"packtool-{VERSION}-{platform}"
        listed = call("tar", "-tzf", lab.dist / f"{stem}.tar.gz").stdout.split()
        assert all(name.startswith(f"{stem}/") for name in listed) and f"{stem}/bin/packtool" in listed, (
            listed
        )
    before = (lab.dist / "SHA256SUMS").read_bytes()
    lab.collect()
    assert (lab.dist / "SHA256SUMS").read_bytes() == before


def homebrew(lab):
    """The formula has the checksums, and installs the files, with a stand-in for Homebrew's classes."""
    lab.collect()
    text = (lab.dist / "packtool.rb").read_text()
    assert "OWNER" not in text and "0.0.0" not in text and '"0000' not in text, text
    if not shutil.which("ruby"):
        print("skipped the formula: no ruby")
        return
    sums = dict(reversed(line.split("  ")) for line in (lab.dist / "binaries.txt").read_text().splitlines())
    for system, cpu, platform in (
        ("macos", "arm", "macos-universal"),
        ("linux", "intel", "linux-x86_64"),
        ("linux", "arm", "linux-aarch64"),
    ):
        tree = lab.folder / f"brew-{platform}"
        tree.mkdir()
        tarball = f"packtool-{VERSION}-{platform}.tar.gz"
        call("tar", "-xzf", lab.dist / tarball, "-C", tree, "--strip-components=1")
        prefix = lab.folder / f"prefix-{platform}"
        done = call(
            "ruby", "-w", HERE / "formula.rb", lab.dist / "packtool.rb", system, cpu, prefix, cwd=tree
        )
        said = json.loads(done.stdout)
        base = f"https://github.com/acme/packtool/releases/download/v{VERSION}"
        assert said == {"url": f"{base}/{tarball}", "sha256": sums[tarball]} and not done.stderr, (
            said,
            done.stderr,
        )
        for name in (
            "bin/packtool",
            "share/man/man1/packtool-check.1",
            "etc/bash_completion.d/packtool",
            "share/zsh/site-functions/_packtool",
            "share/fish/vendor_completions.d/packtool.fish",
            "share/doc/packtool/licences/glibc/copyright",
        ):
            assert (prefix / name).is_file(), name


def sbom(lab):
    """The SBOM is valid for the SPDX library, and has the same bytes in every run."""
    from packageurl import PackageURL
    from spdx_tools.spdx.model import RelationshipType
    from spdx_tools.spdx.parser.parse_anything import parse_file
    from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

    crypto = ".build/checkouts/swift-crypto/Sources"
    for name in (f"{crypto}/CCryptoBoringSSL/hash.txt", f"{crypto}/CXKCP/vendored-sources.txt",
                 ".build/workspace-state.json"):
        (lab.checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, lab.checkout / name)
    program = lab.folder / "program"
    program.write_bytes(b"program")
    first, second = lab.folder / "first.spdx.json", lab.folder / "second.spdx.json"
    words = [
        lab.checkout / "Scripts/sbom.py",
        program,
        "--version",
        VERSION,
        "--commit",
        lab.stand.commit,
        "--platform",
        "linux-x86_64",
    ]
    environment = lab.env | {"SOURCE_DATE_EPOCH": "1800000000"}
    given = ["--package", f"curl={CURL}"]
    call(*words, *given, "-o", first, env=environment)
    call(*words, *given, "-o", second, env=environment | {"TZ": "Asia/Tokyo", "LC_ALL": "C"})
    assert first.read_bytes() == second.read_bytes()
    document = parse_file(str(first))
    messages = validate_full_spdx_document(document)
    assert not messages, [message.validation_message for message in messages]
    assert str(document.creation_info.created) == "2027-01-15 08:00:00", document.creation_info.created
    parts = {part.name: part for part in document.packages}
    linked = {
        relation.related_spdx_element_id
        for relation in document.relationships
        if relation.relationship_type == RelationshipType.STATIC_LINK
    }
    assert linked == {part.spdx_id for name, part in parts.items() if name != "packtool"}
    assert parts["packtool"].checksums[0].value == hashlib.sha256(b"program").hexdigest()
    # Each row of the list has the version of dpkg, and a URL with the same version.
    rows = [line.split() for line in (ROOT / "Scripts/linked.txt").read_text().splitlines() if line[0] != "#"]
    for name, binary, *_ in rows:
        installed = CURL if name == "curl" else call("dpkg-query", "-W", "-f", "${Version}", binary).stdout
        purl = PackageURL.from_string(parts[name].external_references[0].locator)
        assert parts[name].version == purl.version == installed, (name, purl)
        assert (purl.type, purl.namespace, purl.name) == (
            "deb",
            "debian",
            binary if name != "curl" else "curl",
        ), purl
    for name in ("flyingfox", "swift-argument-parser", "swift-asn1", "swift-crypto", "swift-runtime"):
        purl = PackageURL.from_string(parts[name].external_references[0].locator)
        assert purl.type == "swift" and purl.version == parts[name].version, purl
    for name in ("BoringSSL", "XKCP"):
        assert str(parts[name].download_location).endswith(f"@{parts[name].version}"), parts[name]
    # Other input is refused, or gives another document.
    done = call(*words, "--package", "wget=1", "-o", second, env=environment, status=1)
    assert "'wget' is not in linked.txt" in done.stderr and "help: " in done.stderr, done.stderr
    program.write_bytes(b"other program")
    call(*words, *given, "-o", second, env=environment)
    assert (
        parse_file(str(second)).creation_info.document_namespace != document.creation_info.document_namespace
    )


def licences(lab):
    """A library without a row in the page, or without a text, is refused."""
    checkouts = lab.checkout / ".build/checkouts"
    for path in (ROOT / ".build/checkouts").glob("*/[LN][IO]*"):
        if path.is_file():
            (checkouts / path.parent.name).mkdir(parents=True, exist_ok=True)
            shutil.copy(path, checkouts / path.parent.name)
    words = (lab.checkout / "Scripts/licences.sh", "texts")
    table, page = lab.checkout / "Scripts/linked.txt", lab.checkout / "docs/third-party.md"
    rows, text = table.read_text(), page.read_text()

    def refused(error):
        done = call(*words, "static", cwd=lab.checkout, env=lab.env, status=1)
        assert error in done.stderr and "help: " in done.stderr, done.stderr

    page.write_text(text.replace("[nettle]", "[metal]"))
    refused("'nettle' is not in docs/third-party.md")
    page.write_text(text + "[nonsense]\n")
    table.write_text(rows + "nonsense libnonsense-dev MIT\n")
    refused("no licence of 'nonsense' at /usr/share/doc/libnonsense-dev/copyright")
    table.write_text(rows)
    call(*words, "static", cwd=lab.checkout, env=lab.env)
    for name in ("glibc/copyright", "common-licenses/LGPL-2.1", "common-licenses/LGPL", "swift/LICENSE.txt"):
        assert (lab.checkout / "texts" / name).stat().st_size > 100, name
    call(*words, cwd=lab.checkout, env=lab.env)
    assert not (lab.checkout / "texts/glibc").exists()


def tags(lab):
    lab.collect()
    name = f"v{VERSION}"
    lab.tag()
    commit = lab.remote("rev-parse", name)
    assert lab.remote("rev-parse", f"{name}^") == lab.stand.commit
    changed = lab.remote("diff", "--name-status", f"{name}^", name)
    assert changed == "A\tpackaging/binaries.txt", changed
    assert (
        lab.remote("show", f"{name}:packaging/binaries.txt") + "\n" == (lab.dist / "binaries.txt").read_text()
    )
    assert lab.remote("rev-parse", "main") == lab.stand.commit
    assert lab.remote("cat-file", "-t", name) == "commit"
    assert call("git", "status", "--porcelain", "--untracked-files=no", cwd=lab.checkout).stdout == ""
    # The tag is complete: a clone of it has the checksums.
    call("git", "clone", "--quiet", "--branch", name, f"file://{lab.origin}", lab.folder / "clone")
    assert (lab.folder / "clone/packaging/binaries.txt").is_file()
    # Again, also from a new clone.
    assert "already" in lab.tag()
    shutil.copytree(lab.dist, lab.folder / "kept")
    shutil.rmtree(lab.checkout)
    call("git", "clone", "--quiet", "--depth", "1", f"file://{lab.origin}", lab.checkout)
    shutil.copytree(lab.folder / "kept", lab.dist)
    assert "already" in lab.tag() and lab.remote("rev-parse", name) == commit
    # Other tarballs of the same commit.
    path = lab.dist / "binaries.txt"
    path.write_text(path.read_text().replace("a", "b"))
    lab.tag(error=f"the tag {name} exists")
    assert lab.remote("rev-parse", name) == commit


def github(lab):
    """A draft that fails in the middle is completed by the next run; a published release is not replaced."""
    lab.collect()
    lab.step("draft", VERSION, "dist", error="tag")
    lab.tag()
    lab.step("publish", VERSION, error="there is no draft")
    lab.step("draft", VERSION, "dist", env={"GH_FAILS": "view"}, error="gh release view")
    assert not (lab.state / "release.json").exists()
    lab.step("draft", VERSION, "dist", env={"GH_FAILS": "upload"}, error="gh release upload")
    release = json.loads((lab.state / "release.json").read_text())
    assert release["draft"] and len(release["files"]) == 3, release
    lab.step("draft", VERSION, "dist")
    lab.step("draft", VERSION, "dist")
    release = json.loads((lab.state / "release.json").read_text())
    assert release["draft"] and len(release["files"]) == 11, release
    assert all(sha256(lab.dist / name) == value for name, value in release["files"].items()), release
    first = (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1].splitlines()[2]
    assert release["notes"].startswith(first) and "\n## " not in release["notes"], release["notes"]
    lab.step("publish", VERSION)
    lab.step("publish", VERSION)
    assert [words[1] for words in lab.calls("gh")].count("edit") == 1
    assert "already" in lab.step("draft", VERSION, "dist")
    (lab.dist / "SHA256SUMS").write_text("other\n")
    lab.step("draft", VERSION, "dist", error="is published, with other files")
    release = json.loads((lab.state / "release.json").read_text())
    assert not release["draft"] and release["files"]["SHA256SUMS"] != sha256(lab.dist / "SHA256SUMS")


def npm(lab):
    lab.collect()
    lab.pack_npm()
    registry = lab.state / "registry"
    lab.step("npm", VERSION, "dist", env={"NPM_FAILS": "view"}, error="npm view")
    assert not registry.exists() or not list(registry.iterdir())
    # The third one fails.
    lab.step("npm", VERSION, "dist", env={"NPM_FAILS": "2"}, error="npm publish")
    assert len(list(registry.iterdir())) == 2
    lab.step("npm", VERSION, "dist")
    published = [Path(words[1]).name for words in lab.calls("npm") if words[0] == "publish"]
    # Two, one that failed, the rest.
    assert len(published) == 5 and published[2] == published[3], published
    assert published[-1] == f"packtool-{VERSION}.tgz", published
    assert "already" in lab.step("npm", VERSION, "dist")
    assert len([words for words in lab.calls("npm") if words[0] == "publish"]) == 5
    # Another content of the same version: nothing is published, not even the missing packages.
    for path in registry.iterdir():
        if "darwin" in path.name:
            path.unlink()
        elif "arm64" in path.name:
            path.write_text("sha512-other")
    lab.step("npm", VERSION, "dist", error="with other content")
    assert len(list(registry.iterdir())) == 3
    next(path for path in registry.iterdir() if "arm64" in path.name).unlink()
    packages = sorted((lab.dist / "npm").glob("*.tgz"))
    packages[0].rename(lab.folder / packages[0].name)
    lab.step("npm", VERSION, "dist", error="has 3 packages")
    (lab.folder / packages[0].name).rename(packages[0])
    lab.step("npm", "3.2.2", "dist", error=f"has the version {VERSION}, not 3.2.2")


def image(lab):
    lab.collect()
    words = ("image", VERSION, "dist", "ghcr.io/acme/packtool")
    lab.step(*words, env={"DOCKER_FAILS": "1"}, error="docker buildx build")
    lab.step(*words)
    built = json.loads((lab.state / "images.json").read_text())
    name = f"ghcr.io/acme/packtool:{VERSION}"
    for suffix, target in (("", "final"), ("-ci", "ci")):
        assert built[name + suffix]["parts"] == [f"{name}{suffix}-{cpu}" for cpu in ("amd64", "arm64")], built
        for cpu, platform in (("amd64", "linux-x86_64"), ("arm64", "linux-aarch64")):
            part = built[f"{name}{suffix}-{cpu}"]
            with tarfile.open(lab.dist / f"packtool-{VERSION}-{platform}.tar.gz") as archive:
                program = archive.extractfile(f"packtool-{VERSION}-{platform}/bin/packtool").read()
            assert part["program"] == hashlib.sha256(program).hexdigest(), (cpu, part)
            assert part["platform"] == f"linux/{cpu}" and part["target"] == target, part
            assert part["files"] == ["etc", "tmp", "usr", "usr/bin", "usr/share", "work"], part
    count = len(lab.calls("docker"))
    assert "exists already" in lab.step(*words)
    assert not [words for words in lab.calls("docker")[count:] if "build" in words or "create" in words]


CASES = [workflow, check_step, tarballs, checksums, homebrew, sbom, licences, tags, github, npm, image]


def run_cases(stand, tree, cases, verbose=False, quiet=False):
    """Runs the cases; the number of those that failed."""
    failed = 0
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="packtool-release-") as name:
            begun = time.monotonic()
            try:
                case(Lab(stand, tree, Path(name).resolve(), verbose))
                if not quiet:
                    print(f"ok      {case.__name__}  {time.monotonic() - begun:.1f} s", flush=True)
            except (AssertionError, OSError, KeyError, subprocess.SubprocessError) as error:
                failed += 1
                if quiet:
                    return failed
                print(f"FAILED  {case.__name__}: {error}", flush=True)
                traceback.print_exc(limit=-2, file=sys.stdout)
    return failed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("packtool", type=Path)
    parser.add_argument("--only", action="append")
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("-v", action="store_true")
    given = parser.parse_args()
    fetch_tools()
    # The steps print no colours, and git reads no configuration of this user.
    os.environ |= {"GIT_CONFIG_GLOBAL": "/dev/null", "NO_COLOR": "1"}
    packtool = given.packtool.resolve()
    cases = [case for case in CASES if not given.only or case.__name__ in given.only]
    with tempfile.TemporaryDirectory(prefix="packtool-release-") as name, contextlib.ExitStack() as stack:
        folder = Path(name).resolve()
        tree = shared_tree(packtool, folder)
        failed = 0
        for mutant in MUTANTS if given.mutants else [None]:
            home = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=folder)))
            stand = Stand(packtool, home, mutant)
            stand.build(tree)
            if mutant is None:
                failed = run_cases(stand, tree, cases, given.v)
            elif run_cases(stand, tree, [globals()[mutant[0]]], quiet=True) == 0:
                failed += 1
                print(f"FAILED  {mutant[0]} passes with {mutant[3]!r} instead of {mutant[2]!r}", flush=True)
            shutil.rmtree(home)
    if not failed:
        print(
            f"release: {len(MUTANTS)} mutants found" if given.mutants else f"release: {len(cases)} cases pass"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
