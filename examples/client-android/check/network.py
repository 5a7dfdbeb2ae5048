#!/usr/bin/env python3
"""Faulty and hostile web servers, and damaged files: packtool and the client of the JVM do the same.

network.py CLASSES WORK [--seed N] [--count N]
"""

import argparse
import http.server
import pathlib
import random
import sys
import threading

import support
from support import packtool

CLOCK, NOW = 1_795_248_000, "2026-11-21T08:00:00Z"


class Server(http.server.ThreadingHTTPServer):
    """Serves a directory, with faults that a scenario sets."""

    daemon_threads = True

    def __init__(self, root):
        super().__init__(("127.0.0.1", 0), Handler)
        self.root, self.faults, self.seen = root, {}, []
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/shop"

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        path = self.path.split("?")[0].removeprefix("/shop/")
        self.server.seen.append((path, dict(self.headers)))
        kind = next((fault for end, fault in self.server.faults.items() if path.endswith(end)), None)
        file = self.server.root / path
        if kind == "missing" or not file.is_file():
            return self.answer(404, b"")
        data = file.read_bytes()
        headers = {"ETag": '"' + support.hashlib.sha256(data).hexdigest()[:16] + '"'}
        if self.headers.get("If-None-Match") == headers["ETag"]:
            return self.answer(304, b"", headers)
        return self.faulty(kind, data, headers)

    def faulty(self, kind, data, headers):
        if kind == "page":
            return self.answer(200, b"<html>log in", {"Content-Type": "text/html"})
        if kind == "compressed":
            return self.answer(200, data, {"Content-Encoding": "br"})
        if kind == "stale" and "?" not in self.path:
            return self.answer(200, data[:-1] + b"?", headers)
        if kind == "wrong":
            return self.answer(200, data[:-1] + bytes([data[-1] ^ 1]), headers)
        if kind == "long":
            return self.answer(200, data + b"x" * 1000, headers)
        if kind == "redirected" and "moved" not in self.path:
            return self.answer(302, b"", {"Location": self.path + "?moved"})
        if kind == "loop":
            return self.answer(302, b"", {"Location": self.path})
        if kind == "file":
            return self.answer(302, b"", {"Location": "file:///etc/passwd"})
        if kind == "forbidden":
            return self.answer(403, b"")
        if kind == "gone":
            return self.answer(410, b"")
        if kind == "cut" and "Range" not in self.headers:
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2])
            self.wfile.flush()
            self.close_connection = True
            return self.connection.shutdown(2)
        start = self.headers.get("Range")
        if start and kind != "no-ranges":
            first = int(start[6:].split("-")[0])
            if first >= len(data):
                return self.answer(416, b"", {"Content-Range": f"bytes */{len(data)}"})
            shown = first + 1 if kind == "wrong-range" else first
            return self.answer(
                206, data[first:], {**headers, "Content-Range": f"bytes {shown}-{len(data) - 1}/{len(data)}"}
            )
        return self.answer(200, data, headers)

    def answer(self, status, data, headers=()):
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


FAULTS = [
    "missing",
    "page",
    "compressed",
    "stale",
    "wrong",
    "long",
    "redirected",
    "loop",
    "file",
    "forbidden",
    "gone",
    "cut",
    "no-ranges",
    None,
]


QUICK = ["missing", "wrong", "compressed", "redirected"]


def network(tally, client, work, is_long):
    origin = work / "cdn"
    server = Server(origin)
    noise = random.Random(3)
    big = bytes(noise.getrandbits(8) for _ in range(700_000))
    dists = []
    for number in range(2):
        words = ";".join(f"word{n * (number + 1) % 977}" for n in range(4000))
        dists.append(
            support.build(
                work / f"dist{number}",
                {
                    "index.html": f"{number}",
                    "app.js": words,
                    "image.png": big[: 400_000 + number],
                    "same.bin": big,
                },
            )
        )
        support.publish(origin, dists[-1], f"1.{number}", base=server.url)
    second = (origin / "channels/production/pointer.json").read_bytes()
    first = (origin / "channels/production/log/1.json").read_bytes()
    faults = FAULTS if is_long else QUICK
    for file in ("pointer.json", "package.zip", "info.json", ".png"):
        for fault in faults:
            run(tally, client, work, server, f"fresh, {file} {fault}", {file: fault}, [second])
    for fault in faults:
        name = next(path.name for path in origin.rglob("delta-*.zip"))
        run(tally, client, work, server, f"update, delta {fault}", {name: fault}, [first, second])
        run(
            tally,
            client,
            work,
            server,
            f"update, delta missing, package {fault}",
            {name: "missing", "package.zip": fault},
            [first, second],
        )
        run(
            tally,
            client,
            work,
            server,
            f"all missing, files {fault}",
            {name: "missing", "package.zip": "missing", ".js": fault},
            [first, second],
        )
    run(tally, client, work, server, "confirmed pointer", {}, [second, second])
    run(tally, client, work, server, "older pointer", {}, [second, first])
    server.faults = {}
    conditions = [headers for path, headers in server.seen if "If-None-Match" in headers]
    tally.true("a stored pointer is confirmed", len(conditions) > 0)
    server.shutdown()


def run(tally, client, work, server, name, faults, pointers):
    one, other = support.copy(None, work / "one"), support.copy(None, work / "other")
    pointer = server.root / "channels/production/pointer.json"
    for step, data in enumerate(pointers):
        pointer.write_bytes(data)
        server.faults = faults if step == len(pointers) - 1 else {}
        expected = packtool("install", server.url, "--into", one, "--device", "d", clock=CLOCK, check=False)
        found = client("install", origin=server.url, into=other, device="d", now=NOW)
        # packtool fetches deltas past caches by itself; the codes of the network may differ in a word.
        tally.same(f"{name}, step {step}", support.compared(expected), support.compared(found))
        both = [support.snapshot(at) if at.exists() else None for at in (one, other)]
        for snapshot in both:
            if snapshot:
                snapshot["names"] = [n for n in snapshot["names"] if n != ".parts"]
        tally.same(f"{name}, step {step}, files", *both)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("classes")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--long", action="store_true")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    tally, client = support.Tally(), support.Client(arguments.classes)
    network(tally, client, arguments.work, arguments.long)
    client.close()
    print(f"{tally.count} comparisons over HTTP, {tally.wrong} differences")
    sys.exit(1 if tally.wrong else 0)


if __name__ == "__main__":
    main()
