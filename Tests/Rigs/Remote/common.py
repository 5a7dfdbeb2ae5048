"""Shared by the servers and labs of this folder."""

import asyncio
import os
import pathlib
import ssl
import subprocess

# Where Scripts/install.sh installs Python packages missing on the machine.
PACKAGES = pathlib.Path(__file__).resolve().parents[3] / ".build/python"

TOOL = os.environ.get("PACKTOOL", str(PACKAGES.parents[1] / ".build/debug/packtool"))
# The program that installs and verifies: packtool, or packtool with the transport of apps.
CLIENT = os.environ.get("PACKTOOL_CLIENT", TOOL)
# Whether this transport is Foundation's URLSession on Linux. Its verdicts differ in these cases, because of
# Foundation alone:
# * It does not report chunk sizes, chunk extensions and trailers: a flood of them ends by time, not by bytes.
# * It trusts the system's certificates alone: '--ca-file' replaces their file in a private mount namespace.
# * It decompresses content by itself: 'verify' cannot compare what a compressing CDN sent.
# * Until Swift 6.4, it traps if a connection ends within the headers, or after trailers.
IS_URLSESSION = pathlib.Path(CLIENT).name == "PackToolURLSession"
TRAP = "Fatal error: Transfer completed, but there's no response."

AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"


def invocation(*arguments: str) -> list[str]:
    """The command line of the client."""
    if not IS_URLSESSION or "--ca-file" not in arguments:
        return [CLIENT, *arguments]
    at = arguments.index("--ca-file")
    mount = f'mount --bind "$0" {AUTHORITIES} && exec "$@"'
    rest = arguments[:at] + arguments[at + 2 :]
    return ["unshare", "--mount", "sh", "-c", mount, arguments[at + 1], CLIENT, *rest]


def may_trust() -> bool:
    """Whether the client can trust a certificate of ours."""
    return not IS_URLSESSION or subprocess.run(["unshare", "--mount", "true"], check=False).returncode == 0


class Listener:
    """A server on a free local port; `answer` handles a request, and tells whether to keep the connection."""

    def __init__(self, context: ssl.SSLContext | None = None):
        self.context = context
        self.server: asyncio.Server | None = None
        self.tasks: set[asyncio.Task] = set()
        self.port = 0

    @property
    def url(self) -> str:
        return f"{'https' if self.context else 'http'}://127.0.0.1:{self.port}"

    async def __aenter__(self):
        self.server = await asyncio.start_server(
            self.serve, "127.0.0.1", 0, ssl=self.context, limit=1 << 20
        )
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self.server
        self.server.close()
        for task in list(self.tasks):
            task.cancel()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self.tasks.add(task)
        try:
            while await self.answer(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, ssl.SSLError):
            pass
        finally:
            self.tasks.discard(task)
            if writer.transport:
                writer.transport.abort()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        raise NotImplementedError


async def ended(process: asyncio.subprocess.Process) -> tuple[int, str]:
    """The status and the output; -1 for a process that hung."""
    try:
        output, _ = await asyncio.wait_for(process.communicate(), 120)
    except TimeoutError:
        process.kill()
        return -1, "hung"
    return process.returncode or 0, output.decode(errors="replace")


def contents(root: pathlib.Path) -> dict[str, bytes]:
    """Every file below a directory, which need not exist."""
    found = root.rglob("*") if root.exists() else []
    return {str(path.relative_to(root)): path.read_bytes() for path in found if path.is_file()}
