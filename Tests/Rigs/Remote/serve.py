#!/usr/bin/env python3
"""Tests the answers of 'packtool serve' with Python's http.client, and with the reference client.

serve.py [--only CASE]
"""

import argparse
import base64
import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Iterator

from common import contents

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOL = os.environ.get("PACKTOOL", str(ROOT / ".build/debug/packtool"))
LASTS = "public, max-age=31536000, immutable, no-transform"
CHANGES = "public, max-age=60, must-revalidate, no-transform"


class Lab:
    def __init__(self, folder: pathlib.Path, big: int = 0):
        self.folder = folder
        self.failures: list[str] = []
        self.build = folder / "dist"
        self.write("one")
        if big:
            (self.build / "big.bin").write_bytes(random.Random(2).randbytes(big))
        self.cdn = folder / "cdn"
        self.publish()

    def write(self, text: str) -> None:
        (self.build / "assets").mkdir(parents=True, exist_ok=True)
        (self.build / "index.html").write_text(
            "<!doctype html><title>Shop</title><script src=assets/a.js></script>"
        )
        noise = random.Random(1)
        lines = "".join(f"let v{number} = {noise.random()};\n" for number in range(2000))
        (self.build / "assets/a.js").write_text(f"// {text}\n{lines}")
        (self.build / "assets/süß +.css").write_text("b{}")

    def run(self, *words: str) -> tuple[int, str]:
        done = subprocess.run([TOOL, *words], capture_output=True, text=True, cwd=self.folder, timeout=120)
        return done.returncode, done.stdout + done.stderr

    def publish(self) -> None:
        status, text = self.run(
            "publish", "dist", "--to", "cdn", "--app", "shop", "--base-url", "https://cdn.example.com/shop",
            "--no-check", "--quiet",
        )  # fmt: skip
        assert status == 0, text

    def expect(self, what: str, condition: object, text: object = "") -> None:
        if not condition:
            self.failures.append(f"{what}: {str(text)[:600]}")

    @contextlib.contextmanager
    def serving(self, *words: str, **variables: str) -> Iterator["Server"]:
        process = subprocess.Popen(
            [TOOL, "serve", *words, "--listen", "127.0.0.1:0", "--json"], cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, **variables},
        )  # fmt: skip
        try:
            assert process.stdout
            text = ""
            while not text.rstrip().endswith("}"):
                line = process.stdout.readline()
                assert line, f"it ended with {process.wait()}"
                text += line
            said = json.loads(text)
            yield Server(said.get("address", said.get("url")).split("/")[2], process.pid)
        finally:
            process.send_signal(signal.SIGINT)
            self.expect("ends by Ctrl-C", process.wait(20) == 0, process.returncode)

    def install(self, server: "Server", name: str, *more: str) -> tuple[int, str, dict[str, bytes]]:
        phone = self.folder / name
        status, text = self.run("install", f"http://{server.host}", "--into", str(phone), *more)
        return status, text, contents(phone / "current")


class Server:
    def __init__(self, host: str, pid: int):
        self.host = host
        self.pid = pid

    def ask(self, target: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection(self.host, timeout=30)
        with contextlib.closing(connection):
            connection.putrequest(method, target, skip_accept_encoding=True, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            connection.endheaders()
            answer = connection.getresponse()
            fields = {name.lower(): value for name, value in answer.getheaders()}
            try:
                return answer.status, fields, answer.read()
            except http.client.IncompleteRead as cut:
                return -1, fields, cut.partial


def sequence(answer: bytes) -> int:
    return json.loads(base64.b64decode(json.loads(answer)["payload"]))["sequence"]


POINTER = "/channels/production/pointer.json"


def places(lab: Lab) -> None:
    """every file of an origin arrives unchanged, with its headers; all else is an uncacheable 404"""
    secret = lab.folder / "secret.txt"
    secret.write_text("secret")
    (lab.cdn / "objects/link").symlink_to(secret)
    with lab.serving("cdn") as server:
        for path, body in contents(lab.cdn).items():
            target = "/" + "/".join(urllib.parse.quote(name) for name in path.split("/"))
            status, fields, found = server.ask(target)
            if path.startswith(".packtool/") or path == "objects/link":
                lab.expect(f"{path} is not served", status == 404 and b"secret" not in found, status)
                continue
            lasting = path.startswith(("objects/", "releases/")) or "/log/" in path
            lab.expect(f"{path}: bytes", status == 200 and found == body, status)
            lab.expect(f"{path}: length", fields.get("content-length") == str(len(body)), fields)
            lab.expect(
                f"{path}: lifetime", fields.get("cache-control") == (LASTS if lasting else CHANGES), fields
            )
            lab.expect(f"{path}: CORS", "access-control-allow-origin" not in fields, fields)
            lab.expect(f"{path}: no encoding", "content-encoding" not in fields, fields)
            tag = fields.get("etag", "")
            lab.expect(f"{path}: ETag", hashlib.sha256(body).hexdigest()[:32] in tag, tag)
            head = server.ask(target, "HEAD")
            lab.expect(
                f"{path}: HEAD", head[0] == 200 and head[2] == b"" and head[1].get("etag") == tag, head
            )
            status, _, found = server.ask(target, If_None_Match=tag)
            lab.expect(f"{path}: 304", status == 304 and found == b"", status)
        for target in (
            "/nothing", "/objects/", "/objects", "/", "/../secret.txt", "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "//etc/passwd", "/objects/%00", "/info.json/x", "/%ff", "/info.json%2f",
            "/.packtool/lock", "/x" * 400,
        ):  # fmt: skip
            status, fields, found = server.ask(target)
            lab.expect(f"{target}: status", status in (400, 404), status)
            lab.expect(f"{target}: content", b"secret" not in found and b"root:" not in found, found)
            if status == 404:
                lab.expect(f"{target}: not kept", fields.get("cache-control") == "no-store", fields)
        for method in ("POST", "PUT", "DELETE"):
            lab.expect(f"{method} is refused", server.ask("/info.json", method)[0] == 405)
    (lab.cdn / "objects/link").unlink()


def ranges(lab: Lab) -> None:
    """a single range is answered; invalid and multiple ranges get the whole file or a refusal"""
    with lab.serving("cdn") as server:
        body = (lab.cdn / "info.json").read_bytes()
        size = len(body)
        for text, want in (
            ("bytes=0-9", body[:10]), ("bytes=5-", body[5:]), ("bytes=-7", body[-7:]),
            ("bytes=0-999999", body),
            (f"bytes={size - 1}-", body[-1:]),
        ):  # fmt: skip
            status, fields, found = server.ask("/info.json", Range=text)
            start = size - len(want) if text.startswith("bytes=-") else int(text[6:].split("-")[0])
            place = f"bytes {start}-{start + len(want) - 1}/{size}"
            right = status == 206 and found == want and fields.get("content-range") == place
            lab.expect(text, right, (status, fields))
        status, fields, _ = server.ask("/info.json", Range=f"bytes={size}-")
        lab.expect("past the end", status == 416 and fields.get("content-range") == f"bytes */{size}", fields)
        for text in ("bytes=5-1", "lines=1-2", "bytes=a-b", "bytes=0-1,4-5", "bytes=99999999999999999999-"):
            status, _, found = server.ask("/info.json", Range=text)
            lab.expect(text, status == 200 and found == body or status == 416, status)
        tag = server.ask("/info.json")[1]["etag"]
        lab.expect("If-Range", server.ask("/info.json", Range="bytes=0-1", If_Range=tag)[0] == 206)
        lab.expect(
            "If-Range of another", server.ask("/info.json", Range="bytes=0-1", If_Range='"x"')[0] == 200
        )


def updates(lab: Lab) -> None:
    """a client installs from it, and releases published while it runs are served at once"""
    with lab.serving("cdn") as server:
        status, text, found = lab.install(server, "phone")
        lab.expect("install", status == 0 and found == contents(lab.build), text)
        lab.write("two")
        lab.publish()
        status, text, found = lab.install(server, "phone")
        lab.expect("update", status == 0 and found == contents(lab.build), text)


def watch(lab: Lab) -> None:
    """a build is published again after each change, and a client follows"""
    with lab.serving("dist", "--watch", "--app", "shop") as server:
        for text in ("three", "four"):
            status, said, found = lab.install(server, "watched")
            lab.expect(f"before {text}", status == 0 and found == contents(lab.build), said)
            before = sequence(server.ask(POINTER)[2])
            lab.write(text)
            end = time.monotonic() + 60
            while sequence(server.ask(POINTER)[2]) == before and time.monotonic() < end:
                time.sleep(0.1)
        status, said, found = lab.install(server, "watched")
        lab.expect("after", status == 0 and found == contents(lab.build), said)
        pointer = json.loads(base64.b64decode(json.loads(server.ask(POINTER)[2])["payload"]))
        lab.expect("by a delta", pointer["deltas"], pointer)


def page(lab: Lab) -> None:
    """a build is served like the handler does; a missing file is a 404 with an explanation"""
    with lab.serving("dist", "--page") as server:
        body = (lab.build / "index.html").read_bytes()
        status, fields, found = server.ask("/index.html")
        lab.expect("page", status == 200 and found == body and "text/html" in fields["content-type"], fields)
        lab.expect("script", server.ask("/assets/a.js")[2] == (lab.build / "assets/a.js").read_bytes())
        status, _, found = server.ask("/assets/none.js")
        lab.expect("missing", status == 404 and b"none.js" in found, found)
        (lab.build / "assets/a.js").write_text("// anew\n")
        lab.expect("read anew", server.ask("/assets/a.js")[2] == b"// anew\n")
    lab.write("two")


def faults(lab: Lab) -> None:
    """each fault works as documented, and the client keeps its release"""
    lab.write("five")
    lab.publish()
    with lab.serving("cdn") as server:
        newest = sequence(server.ask(POINTER)[2])
        lab.install(server, "new")
    for fault in ("stale", "404", "cut", "slow"):
        with lab.serving("cdn", "--fault", fault) as server:
            if fault == "stale":
                lab.expect("stale", sequence(server.ask(POINTER)[2]) == newest - 1)
                status, text, found = lab.install(server, "new")
                lab.expect("an older pointer is refused", status == 1 and found == contents(lab.build), text)
            if fault == "404":
                status, text, found = lab.install(server, "fresh")
                lab.expect("nothing is installed", status != 0 and found == {}, text)
            if fault == "cut":
                lab.expect("cut", server.ask("/info.json")[0] in (-1, 200))
                name = next(path for path in contents(lab.cdn) if path.endswith("/a.js"))
                lab.expect("cut in the middle", server.ask("/" + name)[0] == -1)
            if fault == "slow":
                name = next(path for path in contents(lab.cdn) if path.endswith("/a.js"))
                started = time.monotonic()
                whole = server.ask("/" + name)[2]
                wanted = (len(whole) / 32768) / 2
                lab.expect("slow", whole and time.monotonic() - started > wanted, time.monotonic() - started)


def browsers(lab: Lab) -> None:
    """pages of other web origins and foreign host names are refused; flags allow an app's own"""
    app, evil = "customscheme://shop.example.com", "https://attacker.example"
    for source in (["cdn"], ["dist", "--page"]):
        with lab.serving(*source) as server:
            path = "/info.json" if source == ["cdn"] else "/index.html"
            status, _, found = server.ask(path, Host="attacker.example")
            lab.expect("host", status == 421 and b"--allow-host" in found, (status, found))
            status, fields, found = server.ask(path, Origin=evil)
            lab.expect("origin", status == 403 and b"--allow-origin" in found, (status, found))
            lab.expect("origin: CORS", "access-control-allow-origin" not in fields, fields)
            policy = server.ask(path)[1].get("cross-origin-resource-policy")
            lab.expect("loads by other pages", policy == "same-origin", policy)
    with lab.serving("cdn", "--allow-host", "mac.local", "--allow-origin", app) as server:
        status, fields, _ = server.ask("/info.json", Host="mac.local:80", Origin=app)
        right = status == 200 and fields.get("access-control-allow-origin") == app
        lab.expect("allowed", right and fields.get("vary") == "Origin", fields)
        lab.expect("another", server.ask("/info.json", Origin=evil)[0] == 403)
    # A build's profile names the web origins of its pages.
    with lab.serving("dist", "--host", "shop.example.com") as server:
        status, fields, _ = server.ask(POINTER, Origin=app)
        right = status == 200 and fields.get("access-control-allow-origin") == app
        lab.expect("the profile's", right, (status, fields))


def refusals(lab: Lab) -> None:
    """usage errors contain help, and an occupied port is reported"""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for code, *words in (
            (2, "cdn", "--listen", f"127.0.0.1:{port}"), (64, "cdn", "--listen", "nowhere"),
            (64, "cdn", "--listen", "127.0.0.1:70000"), (64, "cdn", "--watch"), (64, "cdn",
            "--fault", "fire"),
            (2, "none"), (64, "dist", "--page", "--watch"),
        ):  # fmt: skip
            status, text = lab.run("serve", *words)
            lab.expect(" ".join(words), status == code and "help:" in text, f"exit {status}: {text}")


CASES = [places, ranges, updates, watch, page, browsers, faults, refusals]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", help="one case")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(pathlib.Path(folder))
        for case in CASES:
            if options.only in (None, case.__name__):
                before = len(lab.failures)
                case(lab)
                print(f"{'ok' if len(lab.failures) == before else 'FAILED'}  {case.__doc__}", flush=True)
        for failure in lab.failures:
            print("FAILED", failure)
        return 1 if lab.failures else 0


if __name__ == "__main__":
    sys.exit(main())
