#!/usr/bin/env python3
"""Tries the tarball of 'make dist' in systems that have nothing of the build machine. Runs as root.

    Tests/Rigs/Dist/run.py TARBALL [--roots DIRECTORY]

The systems are bare Debians, made by debootstrap and kept in DIRECTORY (.build/dist-roots), and empty
directories with nothing but the tarball and the certificates where Fedora, openSUSE and Alpine have them.
In each of them the program publishes, verifies and installs, also over HTTPS from a server with an
authority of its own. Reference programs on the outside are readelf, tar, sha256sum, diff and unzip.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/Rigs/Remote"))
from tls import make_certificate, serve

SHOP = ROOT / "examples/storefront/dist/1.0.0"
LIMIT = 20_000_000
# Each with the place of its bundle of authorities.
SYSTEMS = {
    "bullseye": "etc/ssl/certs/ca-certificates.crt",
    "bookworm": "etc/ssl/certs/ca-certificates.crt",
    "trixie": "etc/ssl/certs/ca-certificates.crt",
    "empty, as Alpine": "etc/ssl/cert.pem",
    "empty, as Fedora": "etc/pki/tls/certs/ca-bundle.crt",
    "empty, as openSUSE": "etc/ssl/ca-bundle.pem",
}
# What a system may have that a static program must not follow: modules for names, and providers of OpenSSL.
NSSWITCH = "passwd: files systemd\nhosts: files mdns4_minimal [NOTFOUND=return] resolve myhostname dns\n"
OPENSSL = """openssl_conf = main
[main]
providers = list
[list]
default = on
legacy = on
[on]
activate = 1
"""


def run(*words, code=0, **options):
    """Runs a command; its output. Another exit code ends the rig."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode != code:
        sys.exit(f"error: {' '.join(map(str, words))} ended with {done.returncode}, not {code}\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def check(condition, text):
    if not condition:
        sys.exit(f"error: {text}")


def check_tarball(tarball):
    """Looks at the files from the outside; returns the version and the commit."""
    name = tarball.name.removesuffix(".tar.gz")
    sums = tarball.with_name(f"{name}.sha256")
    run("sha256sum", "--check", "--strict", sums.name, cwd=tarball.parent)
    size = tarball.stat().st_size
    check(size <= LIMIT, f"{tarball.name} has {size} bytes, more than {LIMIT}")
    entries = run("tar", "-tvzf", tarball, "--numeric-owner").splitlines()
    check(all(re.match(r"[-dl][rwx-]{9} 0/0 ", entry) for entry in entries), "an entry is not root's")
    names = [entry.split(None, 5)[5] for entry in entries]
    check(all(entry.split("/")[0] == name for entry in names), f"an entry is outside {name}/")
    check(names == sorted(names, key=lambda path: path.rstrip("/").split("/")), "the entries are not sorted")
    for wanted in ("bin/packtool", "share/man/man1/packtool.1", "share/man/man1/packtool-publish.1",
                   "share/bash-completion/completions/packtool", "share/zsh/site-functions/_packtool",
                   "share/fish/vendor_completions.d/packtool.fish", "share/doc/packtool/third-party.md",
                   "share/doc/packtool/LICENSE", "share/doc/packtool/packtool.spdx.json"):
        check(f"{name}/{wanted}" in names, f"{wanted} is missing")


def check_program(program):
    """The program needs no library and no loader; the version that it prints."""
    check("INTERP" not in run("readelf", "--program-headers", "--wide", program), "it asks for a loader")
    check("NEEDED" not in run("readelf", "--dynamic", "--wide", program), "it asks for a library")
    text = run(program, "--version").strip()
    found = re.fullmatch(r"packtool (\S+) \(commit ([0-9a-f]{12}(?:-changed)?)\)", text)
    check(found, "--version does not name a commit")
    return found.groups()


class System:
    """A root directory in which the program runs, without anything from the outside but /proc."""

    def __init__(self, root):
        self.root = root

    def run(self, *words, code=0):
        # /proc is mounted for this one command only, so that no mount is left when the root is removed.
        return run("unshare", "--mount", "sh", "-c",
                   'mkdir -p "$0/proc" && mount -t proc proc "$0/proc" && exec chroot "$0" "$@"', self.root,
                   "/usr/local/bin/packtool", *words, code=code, env={"PATH": os.environ["PATH"]})

    def write(self, path, content):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_text(content)


def bare(name, kept):
    """A bare Debian of that name, made once."""
    folder = kept / name
    if not (folder / "etc/debian_version").exists():
        print(f"making {folder}", flush=True)
        run("debootstrap", "--variant=minbase", name, folder)
    return folder


def build(folder):
    """The example shop, and files whose names have letters of several scripts."""
    shutil.copytree(SHOP, folder)
    for name in ("Übersicht.txt", "菜单.txt", "Ж-é.txt"):
        (folder / name).write_text(name)


def version_of(folder):
    """The version of a build, by coreutils' rule in docs/formats.md."""
    lines = b""
    files = [os.fsencode(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()]
    for name in sorted(files):
        content = (folder / os.fsdecode(name)).read_bytes()
        lines += hashlib.sha256(content).hexdigest().encode() + b"  " + name + b"\n"
    return hashlib.sha256(lines).hexdigest()[:20]


def try_system(system, bundle, address, authority, files):
    """All that a user does, in one system."""
    root = system.root
    build(root / "dist")
    check(system.run("hash", "/dist").strip() == version_of(root / "dist"), "Python has another version")
    system.run("publish", "/dist", "--to", "/cdn", "--app", "storefront",
               "--base-url", "https://cdn.example.com/shop")
    [package] = (root / "cdn/releases").glob("*/package.zip")
    run("unzip", "-tqq", package)
    system.run("verify", "/cdn")
    system.run("install", "/cdn", "--into", "/phone")
    run("diff", "-r", root / "dist", root / "phone/current/")

    (root / bundle).unlink(missing_ok=True)
    shutil.copytree(root / "cdn", files, dirs_exist_ok=True)
    refused = system.run("install", address, "--into", "/none", code=2)
    check("ca-certificates" in refused, f"without certificates, the message names no package:\n{refused}")
    system.write(bundle, authority.read_text())
    system.write("etc/nsswitch.conf", NSSWITCH)
    system.write("usr/lib/ssl/openssl.cnf", OPENSSL)
    system.write("etc/ssl/openssl.cnf", OPENSSL)
    system.run("install", address, "--into", "/remote")
    run("diff", "-r", root / "dist", root / "remote/current/")
    engine = system.run("check", "/dist", "--engine", code=2)
    check("packtool-engine" in engine, f"--engine does not name the other archive:\n{engine}")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("tarball", type=Path)
    options.add_argument("--roots", type=Path, default=ROOT / ".build/dist-roots")
    options = options.parse_args()
    check(os.geteuid() == 0, "this needs root, for chroot\nhelp: run 'sudo make dist-check'")
    tarball = options.tarball.resolve()
    check_tarball(tarball)
    with tempfile.TemporaryDirectory(prefix="packtool-dist-") as work:
        work = Path(work)
        run("tar", "-xzf", tarball, "-C", work)
        [tree] = work.glob("packtool-*")
        version, commit = check_program(tree / "bin/packtool")
        check(tarball.name.startswith(f"packtool-{version}-linux-"), f"the program is version {version}")
        (work / "files").mkdir()
        authority = make_certificate("authority", work)
        address = serve(work / "files", authority)
        for number, (name, bundle) in enumerate(SYSTEMS.items()):
            root = work / f"root-{number}"
            if name.startswith("empty"):
                (root / "tmp").mkdir(parents=True)
            else:
                run("cp", "-a", "--reflink=auto", bare(name, options.roots), root)
            shutil.copytree(tree, root / "usr/local", dirs_exist_ok=True, symlinks=True)
            try_system(System(root), bundle, address, authority, work / "files")
            shutil.rmtree(work / "files")
            (work / "files").mkdir()
            shutil.rmtree(root)
            print(f"ok: {name}", flush=True)
    print(f"dist: {version} of commit {commit} publishes, verifies and installs in {len(SYSTEMS)} systems")


if __name__ == "__main__":
    main()
