"""The machine of the measurements."""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import trees


def describe():
    return {
        "CPU": _first_match("/proc/cpuinfo", r"model name\s*:\s*(.+)") or platform.processor(),
        "cores": str(_cores()),
        "memory": _memory(),
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "load before the run": " ".join(f"{load:.2f}" for load in os.getloadavg()),
    }


def file_system(path):
    """The kind of file system that a path is on."""
    return _output(["stat", "--file-system", "--format=%T", str(path)]).strip() or "unknown"


def tool_versions(packtool):
    """The first line with a version; a missing tool is reported as such."""
    commands = {
        "packtool": [packtool, "--version"],
        "zip": ["zip", "-v"],
        "7z": ["7z"],
        "bsdtar": ["bsdtar", "--version"],
        "unzip": ["unzip", "-v"],
        "openssl": ["openssl", "version"],
        "sha256sum": ["sha256sum", "--version"],
        "xargs": ["xargs", "--version"],
    }
    versions = {name: _version(command) for name, command in commands.items()}
    versions["Python"] = platform.python_version() + f" ({sys.implementation.name})"
    return versions


def commit():
    """The commit that is checked out, marked when the tree differs from it."""
    git = ["git", "-C", str(trees.REPOSITORY)]
    name = _output([*git, "rev-parse", "--short=12", "HEAD"]).strip()
    dirty = _output([*git, "status", "--porcelain", "--untracked-files=no"]).strip()
    return (name or "unknown") + (" with changes" if dirty else "")


def _cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def _memory():
    kib = _first_match("/proc/meminfo", r"MemTotal:\s*(\d+) kB")
    return f"{int(kib) / (1 << 20):.1f} GiB" if kib else "unknown"


def _first_match(path, pattern):
    try:
        match = re.search(pattern, Path(path).read_text())
    except OSError:
        return None
    return match.group(1).strip() if match else None


def _version(command):
    text = _output(command)
    for line in text.splitlines():
        if re.search(r"\d+\.\d+", line):
            return re.sub(r"\s*:?\s*Copyright.*", "", line).strip().replace("|", "/")
    return text.strip().split("\n")[0] or "not installed"


def _output(command):
    try:
        done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout or done.stderr
