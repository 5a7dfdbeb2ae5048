#!/usr/bin/env python3
"""Heads of requests unlike a browser's, against 'packtool serve': bounds, timeouts, grammar (RFC 9112).

The grammar is written here as one regular expression, which shares nothing with the tested parser.

heads.py [--only CASE] [--heads N]
"""

import argparse
import concurrent.futures
import contextlib
import copy
import pathlib
import random
import re
import resource
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable

from serve import Lab, Server

PATIENCE = 2
COUNTS = {"heads": 1500}
Case = Callable[[Lab, Server], None]
ASK = b"GET /info.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAST = b"GET /info.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def connect(server: Server, timeout: float = 30) -> socket.socket:
    host, port = server.host.split(":")
    return socket.create_connection((host, int(port)), timeout=timeout)


def everything(connection: socket.socket) -> bytes:
    """All data up to the end of the connection by the server."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            found += piece
    return found


def tell(server: Server, sent: bytes) -> bytes:
    with contextlib.closing(connect(server)) as connection:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(sent)
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
        return everything(connection)


def statuses(found: bytes) -> list[int]:
    """The status of each answer; the bodies of refusals are short texts without such lines."""
    return [int(line) for line in re.findall(rb"HTTP/1\.1 (\d{3}) ", found)]


def answers_still(lab: Lab, server: Server, after: str) -> None:
    lab.expect(f"it still answers after {after}", server.ask("/info.json")[0] == 200)


def memory(server: Server) -> int:
    """The peak memory of the server in KiB."""
    text = pathlib.Path(f"/proc/{server.pid}/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+)", text)[0])


def lengths(lab: Lab, server: Server) -> None:
    """a head of 1 MB, 10,000 fields and a line without end are refused, in little memory"""
    before = memory(server)
    for what, sent, status in (
        ("1 MB", b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"x: " + b"y" * 1_000_000 + b"\r\n\r\n", 431),
        ("10,000 fields", b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"x: y\r\n" * 10_000 + b"\r\n", 431),
        ("101 fields", b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"x: y\r\n" * 100 + b"\r\n", 431),
        ("a line of 8,193 B", b"GET /" + b"x" * (8193 - 14) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
        ("1 MB without a line", b"x" * 1_000_000, 414),
        ("1 MB of lines", b"\r\n" * 500_000, 400),
        ("1 MB of content",
         b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 1_000_000, 405),
    ):  # fmt: skip
        found = tell(server, sent)
        lab.expect(what, statuses(found) == [status] and b"Connection: close" in found, found[:200])
    for what, sent, status in (
        ("100 fields",
         b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"x: y\r\n" * 98 + b"Connection: close\r\n\r\n", 404),
        ("a line of 8,192 B", b"GET /" + b"x" * (8192 - 14) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ):  # fmt: skip
        lab.expect(what, statuses(tell(server, sent)) == [status])
    lab.expect("memory", memory(server) - before < 16 * 1024, f"{memory(server) - before} KiB more")


def pieces(lab: Lab, server: Server) -> None:
    """a head that arrives in two pieces, cut anywhere, or byte by byte, is one head"""
    whole = server.ask("/info.json")[2]
    for cut in range(1, len(LAST)):
        with contextlib.closing(connect(server)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.sendall(LAST[:cut])
            time.sleep(0.002)
            connection.sendall(LAST[cut:])
            lab.expect(f"cut at {cut}", everything(connection).endswith(whole))
    with contextlib.closing(connect(server)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for place in range(len(LAST)):
            connection.sendall(LAST[place : place + 1])
        lab.expect("byte by byte", everything(connection).endswith(whole))


def pipeline(lab: Lab, server: Server) -> None:
    """pipelined requests are answered in their order; a wrong one ends the connection"""
    found = tell(server, ASK * 500 + LAST + ASK)
    lab.expect("501 requests, and none after the last", statuses(found) == [200] * 501, len(statuses(found)))
    heads = (
        b"HEAD /info.json HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /info.json HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-0\r\n\r\n",
        b"GET /info.json HTTP/1.1\r\nHost: localhost\r\nRange: bytes=99999999-\r\n\r\n",
    )  # fmt: skip
    found = tell(server, b"".join(heads) + b"GET /info.json HTTP/9.1\r\n\r\n" + ASK)
    lab.expect("mixed", statuses(found) == [200, 404, 206, 416, 505], statuses(found))
    # The content of a request must not be read as the next one.
    inner = b"GET /info.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for head, status in (
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(inner), 413),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(inner), 405),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 413),
    ):  # fmt: skip
        lab.expect("content", statuses(tell(server, head + inner)) == [status], head)
    lab.expect("HTTP/1.0", statuses(tell(server, b"GET /info.json HTTP/1.0\r\n\r\n" + ASK)) == [200])
    kept = tell(server, b"GET /info.json HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n" + LAST)
    lab.expect("HTTP/1.0 that stays", statuses(kept) == [200, 200], statuses(kept))


def crowd(lab: Lab, server: Server) -> None:
    """300 idle connections lock out no client, and cost no more than 256"""
    with contextlib.ExitStack() as stack:
        idle = [stack.enter_context(contextlib.closing(connect(server))) for _ in range(300)]
        answers_still(lab, server, "300 idle connections")
        time.sleep(0.2)
        files = len(list(pathlib.Path(f"/proc/{server.pid}/fd").iterdir()))
        lab.expect("at most 256 connections", files < 256 + 40, files)
        time.sleep(PATIENCE + 1.5)
        for connection in idle:
            connection.settimeout(2)
            try:
                left = connection.recv(1)
            except ConnectionResetError:
                left = b""
            lab.expect("an idle connection ends", left == b"")


def slowness(lab: Lab, server: Server) -> None:
    """clients sending a head byte by byte for ever, or reading nothing, are dropped; slow readers are not"""
    big = next(path for path in (lab.cdn / "objects").rglob("*") if path.name == "big.bin")
    target = "/" + str(big.relative_to(lab.cdn))
    ask = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    seen: dict[str, object] = {}

    def loris() -> None:
        with contextlib.closing(connect(server)) as connection:
            started = time.monotonic()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(b"GET / HTTP/1.1\r\n")
                while time.monotonic() - started < PATIENCE * 3:
                    connection.sendall(b"a: b\r\n"[:1])
                    time.sleep(0.1)
                    connection.setblocking(False)
                    with contextlib.suppress(BlockingIOError):
                        seen["answer"] = connection.recv(4096)
                        break
                    connection.setblocking(True)
            seen["loris"] = time.monotonic() - started

    def deaf() -> None:
        with contextlib.closing(connect(server)) as connection:
            connection.sendall(ask)
            time.sleep(PATIENCE + 2.5)
            seen["deaf"] = len(everything(connection))

    def patient() -> None:
        with contextlib.closing(connect(server)) as connection:
            connection.sendall(ask)
            found = 0
            for _ in range(int(PATIENCE + 3)):
                time.sleep(1)
                found += len(connection.recv(1 << 20))
            seen["patient"] = found + len(everything(connection))

    threads = [threading.Thread(target=part) for part in (loris, deaf, patient)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = float(str(seen.get("loris", 99)))
    lab.expect("a slow head ends in time", PATIENCE - 0.5 < took < PATIENCE + 2, took)
    lab.expect("and says why", b" 408 " in bytes(seen.get("answer", b"")), seen.get("answer"))  # type: ignore
    size = big.stat().st_size
    lab.expect("who reads nothing is let go", int(str(seen["deaf"])) < size, seen["deaf"])
    lab.expect("who reads slowly gets everything", int(str(seen["patient"])) > size, (seen["patient"], size))


# RFC 9112 and 9110, as far as this server supports them; HTTP/1.0 needs no Host.
TOKEN = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
FIELD = TOKEN + rb":[\t\x20-\x7e\x80-\xff]*\r\n"
HEAD = re.compile(
    rb"(?:\r\n)?(?P<method>" + TOKEN + rb") (?P<target>[\x21\x22\x24-\x7e]+) HTTP/(?P<version>\d\.\d)\r\n"
    rb"(?P<fields>(?:" + FIELD + rb")*)\r\n"
)


def grammatical(sent: bytes) -> int | None:
    """The status required by the grammar; None if any answer but a refusal of the head is correct."""
    found = HEAD.match(sent)
    if not found:
        return 400
    fields: dict[bytes, list[bytes]] = {}
    for line in found["fields"].split(b"\r\n")[:-1]:
        name, _, value = line.partition(b":")
        fields.setdefault(name.lower(), []).append(value.strip(b" \t"))
    modern = found["version"] >= b"1.1"
    wanted = found["method"] in (b"GET", b"HEAD")
    if not found["version"].startswith(b"1."):
        return 505
    absolute = re.match(rb"(?i)https?://[^/?]+", found["target"])
    if wanted and not found["target"].startswith(b"/") and not absolute:
        return 400
    for name in (b"host", b"content-length", b"transfer-encoding"):
        if len(fields.get(name, [])) > 1:
            return 400
    if modern and b"host" not in fields:
        return 400
    if not re.fullmatch(rb"[-._~!$&'()*+,;=%:\[\]0-9A-Za-z]*", fields.get(b"host", [b""])[0]):
        return 400
    if not re.fullmatch(rb"\d+", fields.get(b"content-length", [b"0"])[0]):
        return 400
    if b"transfer-encoding" in fields and (b"content-length" in fields or not modern):
        return 400
    if not wanted:
        return 405
    if b"transfer-encoding" in fields or fields.get(b"content-length", [b"0"])[0].strip(b"0"):
        return 413
    return None


def mutated(noise: random.Random) -> bytes:
    def some(right: list[bytes], wrong: list[bytes]) -> bytes:
        return noise.choice(right if noise.random() < 0.93 else wrong)

    lines = [
        some([b"GET", b"GET", b"GET", b"HEAD", b"POST"], [b"G@T", b"", b"get", b"OPTIONS"])
        + some([b" "], [b"  ", b"\t", b""])
        + some([b"/info.json", b"/", b"/none?x", b"http://h/info.json", b"https://h?x"],
               [b"*", b"x", b"/#", b"/\xc3\xbc", b"http:///x", b"HTTP://h", b"h:80", b""])
        + some([b" "], [b"  ", b"\t", b""])
        + some([b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.0"],
               [b"HTTP/2.0", b"HTTP/0.9", b"http/1.1", b"HTTP/1.12", b"HTTP/1.2", b""])
    ]  # fmt: skip
    if noise.random() < 0.97:
        lines.append(b"Host:" + some([b" localhost", b" [::1]:8080", b""], [b" a b", b" h\xff", b" a/b"]))
    for _ in range(noise.randrange(4)):
        lines.append(
            some([b"Accept: */*", b"X:", b"X: \t y \t", b"Content-Length: 0", b"X: \xc3\xbc",
                  b"Connection: close, x", b"Connection: keep-alive", b"Range: bytes=0-"],
                 [b"x : y", b" folded", b"\tfolded", b"Host: again", b"Content-Length: +5",
                  b"Content-Length: 5, 5",
                  b"nothing", b": empty", b"X: a\x00b", b"X: a\rb", b"\xfcx: y"])
        )  # fmt: skip
    if noise.random() < 0.15:
        lengths = [b"Content-Length: 5", b"Content-Length: 00"]
        lines.append(noise.choice(lengths * 2 + [b"Transfer-Encoding: x"]))
    head = b"".join(line + some([b"\r\n"] * 9, [b"\n", b"\r", b"\r\r\n"]) for line in [*lines, b""])
    if noise.random() < 0.2:
        place = noise.randrange(len(head))
        head = head[:place] + bytes([noise.randrange(256)]) + head[place + noise.randrange(2) :]
    return head


def grammar(lab: Lab, server: Server) -> None:
    """random heads, valid and invalid, get the status required by the grammar"""
    noise = random.Random(7)
    counts: dict[int | None, int] = {}
    for _ in range(COUNTS["heads"]):
        sent = mutated(noise)
        wanted = grammatical(sent)
        found = statuses(tell(server, sent))[:1]
        if not HEAD.match(sent) and not re.search(rb"\r?\n\r?\n", sent) and found == []:
            # The head is incomplete but valid so far: the client has disconnected.
            continue
        counts[wanted] = counts.get(wanted, 0) + 1
        right = found in ([200], [206], [404], [416]) if wanted is None else found == [wanted]
        # A head that breaks two rules may be refused for either.
        if wanted == 400 and found == [505]:
            right = re.match(rb"(?:\r\n)?\S+ \S+ HTTP/[02-9]\.\d\r\n", sent) is not None
        # A foreign host is refused before any lookup.
        host = re.search(rb"(?i)\r\nhost:[ \t]*([^\r\n]*)", sent)
        if found == [421] or (wanted, found) == (405, [413]):
            right = host is not None and host[1].strip(b" \t") not in (b"localhost", b"[::1]:8080")
        lab.expect(f"grammar ({wanted})", right, (sent, found))
    for status in (None, 400, 405, 413, 505):
        lab.expect(f"enough of {status}", counts.get(status, 0) > 5, counts)


CASES = [lengths, pieces, pipeline, crowd, slowness, grammar]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", help="one case")
    parser.add_argument("--heads", type=int, default=COUNTS["heads"], help="how many random heads")
    options = parser.parse_args()
    COUNTS["heads"] = options.heads
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(pathlib.Path(folder), big=24 << 20)

        def run(case: Case) -> list[str]:
            own = copy.copy(lab)
            own.failures = []
            with own.serving("cdn", PACKTOOL_HTTP_TIMEOUT=str(PATIENCE)) as server:
                case(own, server)
                answers_still(own, server, case.__name__)
            return own.failures

        # Most of them wait.
        wanted = [case for case in CASES if options.only in (None, case.__name__)]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            results = list(pool.map(run, wanted))
        for case, failures in zip(wanted, results, strict=True):
            print(f"{'FAILED' if failures else 'ok'}  {case.__doc__}")
            print("\n".join(failures[:20]), end="\n" if failures else "")
        return 1 if any(results) else 0


if __name__ == "__main__":
    sys.exit(main())
