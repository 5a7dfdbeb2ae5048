#!/usr/bin/env python3
"""Measures what an installation costs a device: requests, round trips, bytes, and disk; writes DEVICES.md.

    devices.py --pairs NAME:OLD:NEW ... [--output FILE]

PACKTOOL is the measured binary (default .build/release/packtool); PACKTOOL_BEFORE one to compare it with.
Each publishes its own origin, because their formats may differ. The origin is served by Python with ETags,
through a proxy 1 s away (Tests/Rigs/Remote/delay.py): the seconds of a run are its round trips.
"""

import argparse
import datetime
import hashlib
import http.server
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import machine

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/Rigs/Remote"))
from delay import Delay  # noqa: E402

CORPUS = Path(os.environ.get("PACKTOOL_CORPUS", HERE / "work/corpus"))
TRIP = 1.0
FLOWS = ("first install", "nothing new", "update", "nothing new after it")


class Server(http.server.ThreadingHTTPServer):
    """Serves a directory, and records the requests."""

    daemon_threads = True

    def __init__(self, root):
        self.root, self.requests = root, []
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path.partition("?")[0]
        file = self.server.root / path.lstrip("/")
        body, status, tag = b"", 404, None
        if file.is_file():
            body = file.read_bytes()
            tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
            status = 304 if self.headers.get("If-None-Match") == tag else 200
        if status == 304:
            body = b""
        self.server.requests.append((path, status))
        self.send_response(status)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        if tag:
            self.send_header("ETag", tag)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def run(argv, environment=None):
    """Seconds and CPU seconds of a run, and the bytes it read and wrote by its own calls."""
    begun = time.monotonic()
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               env={**os.environ, **(environment or {})})
    # A zombie keeps its counters until it is waited for.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    seconds = time.monotonic() - begun
    counters = dict(line.split(": ") for line in Path(f"/proc/{process.pid}/io").read_text().splitlines())
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"error: {' '.join(map(str, argv))} failed\n{process.stderr.read().decode()}")
    return {"seconds": seconds, "cpu": usage.ru_utime + usage.ru_stime,
            "read": int(counters["rchar"]), "written": int(counters["wchar"])}


def measure(packtool, old, new):
    """The figures of each flow."""
    result = {}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        origin, phone = Path(folder) / "cdn", Path(folder) / "phone"

        def publish(build):
            run([packtool, "publish", build, "--to", origin, "--app", "shop", "--base-url",
                 "https://cdn.example.com/shop", "--no-check", "--quiet"])

        server = Server(origin)
        with Delay(server.server_address[1], TRIP) as line:
            for flow in FLOWS:
                if flow in ("first install", "update"):
                    publish(old if flow == "first install" else new)
                line.clear()
                server.requests.clear()
                figures = run([packtool, "install", line.url, "--into", phone, "--quiet"])
                result[flow] = figures | {"trips": figures["seconds"] / TRIP, "down": line.received,
                                          "requests": list(server.requests)}
        server.shutdown()
    return result


def changed(old, new):
    """The bytes of the files of a build that the other does not have."""
    known = {hashlib.sha256(file.read_bytes()).digest() for file in old.rglob("*") if file.is_file()}
    files = {hashlib.sha256(file.read_bytes()).digest(): file.stat().st_size
             for file in new.rglob("*") if file.is_file()}
    return sum(size for digest, size in files.items() if digest not in known)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=HERE / "DEVICES.md")
    parser.add_argument("--pairs", nargs="+", required=True, help="NAME:OLD:NEW, directories of the corpus")
    options = parser.parse_args()
    tools = {"now": os.environ.get("PACKTOOL", str(HERE.parent / ".build/release/packtool"))}
    if before := os.environ.get("PACKTOOL_BEFORE"):
        tools = {"before": before} | tools
    here = machine.describe()
    lines = ["# What an installation costs a device", "", "Written by `Benchmarks/devices.py`.", "",
             f"{datetime.date.today()}, {here['CPU']}, {here['cores']} cores; a proxy {TRIP:.0f} s away,",
             "so seconds are round trips, with opening the connection.",
             "Bytes down are those on the wire.",
             "Read and written count the calls (`rchar`, `wchar` of `/proc/PID/io`), with system files.", ""]
    for pair in options.pairs:
        name, old, new = pair.split(":")
        old, new = CORPUS / old, CORPUS / new
        lines += [f"## {name}", "",
                  f"{changed(old, new):,} bytes of the new release are in changed files.", "",
                  "| flow | packtool | requests | round trips | bytes down | CPU | read | written |",
                  "|---|---|--:|--:|--:|--:|--:|--:|"]
        results = {tool: measure(binary, old, new) for tool, binary in tools.items()}
        for flow in FLOWS:
            for tool, result in results.items():
                one = result[flow]
                statuses = sum(status == 304 for _, status in one["requests"])
                lines.append(
                    f"| {flow} | {tool} | {len(one['requests'])}{' (304)' if statuses else ''} | "
                    f"{one['trips']:.2f} | {one['down']:,} | {one['cpu']:.2f} s | {one['read']:,} | "
                    f"{one['written']:,} |")
        lines.append("")
        print("\n".join(lines[-11:]), flush=True)
    options.output.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
