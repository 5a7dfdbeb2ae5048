"""The tools that deltas are compared with: building the small ones, and telling exactly which they are."""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

from runner import BenchmarkError, say

SOURCES = Path(__file__).resolve().parent / "peers"
BROTLI = "1.2.0"  # Debian's libbrotli is 1.0.9 and knows no shared dictionaries
HDIFFPATCH = "2.6.0"
COMPILE = ["cc", "-O2", "-std=gnu11"]


class Tools:
    """Builds missing tools below `directory`. An unavailable tool is named with the reason."""

    def __init__(self, directory):
        self.directory = Path(directory).absolute()
        self.directory.mkdir(parents=True, exist_ok=True)
        self.missing = {}  # tool -> why
        self._identities = {}

    def similar(self):
        return self._helper("similar", [], [])

    def brotli_dict(self):
        source = self._brotli_source()
        library = sorted(str(p) for part in ("common", "dec", "enc")
                         for p in (source / "c" / part).glob("*.c"))
        return self._helper("brotli_dict", [f"-I{source / 'c/include'}", *library], ["-lm"])

    def lzma_dict(self):
        return self._helper("lzma_dict", [], ["-llzma"])

    def hdiffpatch(self):
        """The directory of the Python package."""
        target = self.directory / f"hdiffpatch-{HDIFFPATCH}"
        if not target.is_dir():
            unfinished = target.with_suffix(".part")
            shutil.rmtree(unfinished, ignore_errors=True)
            self._pip("install", "--only-binary=:all:", "--target", str(unfinished),
                      f"hdiffpatch=={HDIFFPATCH}")
            unfinished.rename(target)
        return target

    def get(self, name):
        """The tool's path, or None; the reason is in `missing`."""
        if name in self.missing:
            return None
        try:
            builder = getattr(self, name, None)
            path = builder() if builder else self._installed(name)
        except (BenchmarkError, OSError, ValueError) as error:
            self.missing[name] = str(error)
            say(f"  without {name}: {error}")
            return None
        return path

    def identity(self, name):
        """Name, version and content of a tool: another identity means measuring again."""
        if name not in self._identities:
            self._identities[name] = self._identify(name)
        return self._identities[name]

    # -- how

    def _identify(self, name):
        if name == "hdiffpatch":
            driver = _digest((SOURCES / "hdiff.py").read_bytes())
            return f"hdiffpatch {HDIFFPATCH} (PyPI), driver {driver}"
        path = self.get(name)
        if path is None:
            return "not there"
        versions = {"brotli_dict": f"brotli {BROTLI} (C library from PyPI's source)",
                    "lzma_dict": f"liblzma {_debian_version('liblzma5')}",
                    "similar": "similar"}
        version = versions.get(name) or _version(name)
        return f"{version}, {_digest(Path(path).read_bytes())}"

    def _installed(self, name):
        path = shutil.which(name)
        if not path:
            raise BenchmarkError(f"`{name}` is not installed")
        return Path(path)

    def _helper(self, name, before, after):
        """Compiles peers/<name>.c; the file name carries the sources, so old builds are not used."""
        digest = hashlib.sha256(" ".join([*COMPILE, BROTLI, *after]).encode())
        for source in (SOURCES / f"{name}.c", SOURCES / "peer.h"):
            digest.update(source.read_bytes())
        target = self.directory / f"{name}-{digest.hexdigest()[:12]}"
        if not target.exists():
            say(f"  building {name}")
            unfinished = target.with_suffix(".part")
            _run([*COMPILE, "-o", str(unfinished), str(SOURCES / f"{name}.c"), *before, *after])
            unfinished.rename(target)
        return target

    def _brotli_source(self):
        target = self.directory / f"brotli-{BROTLI}"
        if not target.is_dir():
            wheels = self.directory / "brotli-download"
            shutil.rmtree(wheels, ignore_errors=True)
            self._pip("download", "--no-binary=:all:", "--no-deps", "--dest", str(wheels),
                      f"brotli=={BROTLI}")
            (archive,) = wheels.glob("*.tar.gz")
            _run(["tar", "-xzf", str(archive), "-C", str(wheels)])
            (unpacked,) = (p for p in wheels.iterdir() if p.is_dir())
            unpacked.rename(target)
            shutil.rmtree(wheels)
        return target

    def _pip(self, verb, *arguments):
        say(f"  pip {verb} {arguments[-1]}")
        _run([sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", verb,
              "--no-input", *arguments])


def versions(tools, names):
    return {name: tools.identity(name) for name in names}


def _run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace")
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["without a message"]
        raise BenchmarkError(f"{Path(command[0]).name} failed: {lines[-1][:300]}")


def _version(name):
    """The version the tool prints; for tools that print none, the Debian package's version."""
    silent = {"bsdiff": "bsdiff", "bspatch": "bsdiff", "xdelta3": "xdelta3"}
    if name in silent:
        return f"{name} {_debian_version(silent[name])}"
    flags = {"zip": ["-v"], "unzip": ["-v"]}.get(name, ["--version"])
    done = subprocess.run([name, *flags], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace")
    for line in (done.stdout + done.stderr).splitlines():
        if re.search(r"\d+\.\d+", line) and "Copyright" not in line:
            return line.strip(" *").replace("|", "/")
    return name


def _debian_version(package):
    try:
        done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except OSError:
        return "of unknown version"
    return done.stdout.strip() or "of unknown version"


def _digest(content):
    return hashlib.sha256(content).hexdigest()[:12]
