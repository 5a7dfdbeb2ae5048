"""A TCP proxy that simulates the latency of an Internet server for a local one.

Every byte arrives half a round trip later, and a connection takes one round trip to open. Bandwidth is not
limited. Runs in a separate thread.
"""

import asyncio
import collections
import threading
import time


class Delay:
    """A context manager that listens on `port`; `sent` counts bytes sent by clients, `received` the
    others.

    marks: when clients have the answer to each request whose head starts with the first word of `watch` and
    contains the second.
    """

    def __init__(self, target: int, round_trip: float, *watch: bytes):
        self.target, self.half, self.watch = target, round_trip / 2, watch
        self.sent = self.received = self.connections = 0
        self.marks: list[float] = []
        self.port = 0
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self) -> "Delay":
        self.thread.start()
        self.ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)

    def clear(self) -> None:
        self.sent = self.received = self.connections = 0
        self.marks = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def run(self) -> None:
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(
            self.loop.create_server(lambda: Near(self), "127.0.0.1", 0, backlog=512)
        )
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        self.loop.run_forever()


class Line:
    """One direction: input is delivered half a round trip later, in order."""

    def __init__(self, delay: Delay, extra: float = 0):
        self.delay, self.extra = delay, extra
        self.output: asyncio.Transport | None = None
        self.waiting: collections.deque[tuple[float, bytes]] = collections.deque()
        self.started = time.monotonic()

    def put(self, data: bytes) -> None:
        # The first bytes also wait for the connection.
        due = max(time.monotonic(), self.started + self.extra) + self.delay.half
        self.waiting.append((due, data))
        self.delay.loop.call_later(max(0, due - time.monotonic()), self.release)

    def release(self) -> None:
        now = time.monotonic() + 0.0005
        while self.output and self.waiting and self.waiting[0][0] <= now:
            _, data = self.waiting.popleft()
            if data:
                self.output.write(data)
            else:
                self.output.close()


class Near(asyncio.Protocol):
    """The client's side of a connection."""

    def __init__(self, delay: Delay):
        self.delay = delay
        self.up = Line(delay, delay.half * 2)
        self.down = Line(delay)
        self.is_watched = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.delay.connections += 1
        self.down.output = transport  # type: ignore[assignment]
        self.connecting = self.delay.loop.create_task(self.connect())

    async def connect(self) -> None:
        transport, _ = await self.delay.loop.create_connection(
            lambda: Far(self), "127.0.0.1", self.delay.target
        )
        self.up.output = transport
        self.up.release()

    def data_received(self, data: bytes) -> None:
        self.delay.sent += len(data)
        watch = self.delay.watch
        if watch and data.startswith(watch[0]) and watch[1] in data[:400]:
            self.is_watched = True
        self.up.put(data)

    def connection_lost(self, reason: Exception | None) -> None:
        self.up.put(b"")


class Far(asyncio.Protocol):
    """The server's side."""

    def __init__(self, near: Near):
        self.near = near

    def data_received(self, data: bytes) -> None:
        delay = self.near.delay
        delay.received += len(data)
        if self.near.is_watched:
            self.near.is_watched = False
            delay.marks.append(time.monotonic() + delay.half)
        self.near.down.put(data)

    def connection_lost(self, reason: Exception | None) -> None:
        self.near.down.put(b"")
