#!/usr/bin/env python3
"""Runs small clients of the feeds (clients.py) against origins that 'packtool publish --feed' has written.

run.py [--packtool FILE] [--only CASE]

'packtool serve' answers the clients; for their automatic modes, nginx with the rules of docs/guide/feeds.md.
"""

import argparse
import contextlib
import hashlib
import http.server
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator

from clients import Capawesome, Capgo, ClientError, CordovaHCP, fetch, files

ROOT = pathlib.Path(__file__).resolve().parents[3]
GUIDE = ROOT / "docs/guide/feeds.md"
FEEDS = "capgo,capawesome,cordova-hcp"
ONE = {
    "index.html": "<!doctype html><title>Shop</title><script src=assets/a.js></script>",
    "assets/a.js": "let version = 1\n" * 200, "assets/süß +.css": "b{}", "assets/old.js": "old()\n",
    "pages/50% off.html": "<!doctype html><title>Half</title>", "empty.txt": "",
    "copy.js": "let version = 1\n" * 200,
}  # fmt: skip
TWO = {name: text for name, text in ONE.items() if name != "assets/old.js"} | {
    "assets/a.js": "let version = 2\n" * 200, "assets/new/b.js": "b()\n",
}  # fmt: skip
THREE = TWO | {"assets/a.js": "let version = 3\n" * 200}


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Lab:
    def __init__(self, tool: str, folder: pathlib.Path):
        self.tool = tool
        self.folder = folder
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.origin = folder / "cdn"
        self.count = 0

    def build(self, content: dict[str, str]) -> pathlib.Path:
        path = self.folder / "dist"
        shutil.rmtree(path, ignore_errors=True)
        for name, text in content.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_text(text)
        return path

    def run(self, *words: str, status: int = 0) -> str:
        done = subprocess.run(
            [self.tool, *words], capture_output=True, text=True, cwd=self.folder, timeout=60
        )
        text = done.stdout + done.stderr
        assert done.returncode == status, f"{words}: {done.returncode}\n{text}"
        return text

    def publish(self, content: dict[str, str], *words: str, status: int = 0) -> str:
        self.build(content)
        return self.run(
            "publish", "dist", "--to", "cdn", "--app", "shop", "--base-url", self.base, "--no-check",
            "--no-cache", *words, status=status,
        )  # fmt: skip

    def change(self, command: str, *words: str, status: int = 0) -> str:
        return self.run(*command.split(), "cdn", *words, status=status)

    def feed(self, name: str, channel: str = "production") -> str:
        return f"{self.base}/channels/{channel}/feeds/{name}.json"

    def new(self) -> pathlib.Path:
        self.count += 1
        return self.folder / f"device-{self.count}"

    @contextlib.contextmanager
    def serving(self) -> Iterator[None]:
        process = subprocess.Popen(
            [self.tool, "serve", "cdn", "--listen", f"127.0.0.1:{self.port}"], cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            for _ in range(200):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                    break
                time.sleep(0.02)
            yield
        finally:
            process.terminate()
            process.wait(10)

    @contextlib.contextmanager
    def front(self) -> Iterator[None]:
        """nginx with the rules of the guide; without nginx, a server in Python that does the same."""
        nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
        with self.nginx(nginx) if nginx else self.python():
            for _ in range(200):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                    break
                time.sleep(0.02)
            yield

    @contextlib.contextmanager
    def nginx(self, program: str) -> Iterator[None]:
        rules = re.findall(r"^```nginx\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
        assert len(rules) == 1, "the guide has one nginx configuration"
        rule = rules[0].replace("/srv/cdn/shop", str(self.origin)).replace("/shop/channels", "/channels")
        folders = "".join(
            f"{name}_temp_path {self.folder}/tmp-{name};"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (self.folder / "nginx.conf").write_text(
            f"daemon off; user root; worker_processes 1; pid {self.folder}/nginx.pid;\n"
            f"error_log {self.folder}/error.log; events {{}}\n"
            f"http {{ access_log off; {folders} server {{ listen 127.0.0.1:{self.port}; root {self.origin};\n"
            f"{rule} }} }}\n"
        )
        process = subprocess.Popen(
            [program, "-p", str(self.folder), "-e", str(self.folder / "error.log"), "-c",
             str(self.folder / "nginx.conf")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            yield
        finally:
            process.terminate()
            process.wait(10)

    @contextlib.contextmanager
    def python(self) -> Iterator[None]:
        origin = str(self.origin)

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=origin)

            def translate_path(self, path: str) -> str:
                if path.startswith("/v1/apps/com.example.shop/bundles/latest"):
                    path = "/channels/production/feeds/capawesome.json"
                return super().translate_path(path)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.do_GET()

            def log_message(self, *_) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def verify(self, status: int = 0) -> str:
        text = self.run("verify", "cdn", status=status)
        assert status or ("not read" not in text and "orphan" not in text.lower()), text
        return text

    # Devices.

    def cordova(self, content: dict[str, str]) -> CordovaHCP:
        """An app whose own pages are the release that the feed shows."""
        manifest = fetch(f"{self.base}/site/chcp.manifest")
        return CordovaHCP(self.new(), self.build(content), fetch(self.feed("cordova-hcp")), manifest)

    def expect(self, client, content: dict[str, str]) -> None:
        wanted = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in content.items()}
        assert client.tree() == wanted, f"{type(client).__name__}: {sorted(client.tree())}"


def case_life(lab: Lab) -> None:
    """Publish, update, rollback, pause, resume, rollout and native limits with all three."""
    lab.publish(ONE, "--feed", FEEDS, "--label", "1")
    lab.verify()
    with lab.serving():
        capgo, single, capawesome = Capgo(lab.new()), Capgo(lab.new()), Capawesome(lab.new())
        cordova = lab.cordova(ONE)

        def update() -> list[bool]:
            return [
                capgo.update_manually(lab.feed("capgo")),
                single.update_manually(lab.feed("capgo"), whole=False),
                capawesome.update_manually(lab.feed("capawesome")),
                cordova.update(lab.feed("cordova-hcp")),
            ]

        def all_have(content: dict[str, str]) -> None:
            for client in (capgo, single, capawesome, cordova):
                lab.expect(client, content)

        assert update() == [True, True, True, False]
        all_have(ONE)
        # The flag is left out: the feeds follow nevertheless.
        lab.publish(TWO, "--label", "2")
        lab.verify()
        single.downloads = 0
        assert update() == [True] * 4
        all_have(TWO)
        assert (single.downloads, cordova.downloads) == (2, 2), (single.downloads, cordova.downloads)
        assert update() == [False] * 4
        lab.change("rollback", "--to-release", "1")
        lab.verify()
        assert update() == [True] * 4
        all_have(ONE)
        # As for info.json: a pause keeps what is offered, and conditions keep a release from old clients.
        lab.change("pause")
        assert update() == [False] * 4
        lab.change("resume")
        lab.publish(THREE, "--label", "3", "--rollout", "50")
        assert update() == [False] * 4
        lab.change("rollout", "100")
        assert update() == [True] * 4
        all_have(THREE)
        lab.publish(TWO, "--min-native", "9")
        assert update() == [False] * 4
        lab.verify()


def case_channels(lab: Lab) -> None:
    """Promote from a channel with its own feeds; close it; prune."""
    lab.publish(ONE, "--feed", "capgo,cordova-hcp", "--label", "1")
    lab.publish(TWO, "--feed", "capgo,capawesome", "--channel", "beta", "--label", "2")
    text = lab.publish(THREE, "--feed", "cordova-hcp", "--channel", "beta", status=2)
    assert "publish.feed-unsupported" in text or "cannot show this release" in text, text
    with lab.serving():
        stable, tester, other = Capgo(lab.new()), Capgo(lab.new()), Capawesome(lab.new())
        cordova = lab.cordova(ONE)
        for client, channel in ((stable, "production"), (tester, "beta")):
            assert client.update_manually(lab.feed("capgo", channel))
        assert other.update_manually(lab.feed("capawesome", "beta"))
        lab.expect(stable, ONE)
        lab.expect(tester, TWO)
        lab.expect(other, TWO)
        lab.change("promote", "--from", "beta")
        assert stable.update_manually(lab.feed("capgo"))
        assert cordova.update(lab.feed("cordova-hcp"))
        lab.expect(stable, TWO)
        lab.expect(cordova, TWO)
        lab.change("channel close", "beta")
        try:
            tester.update_manually(lab.feed("capgo", "beta"))
        except ClientError as error:
            assert "404" in str(error), error
        else:
            raise AssertionError("a closed channel has a feed")
        lab.expect(tester, TWO)
        lab.verify()
        lab.change("prune", "--keep", "1", "--grace-days", "0", "--delay-hours", "0")
        lab.verify()
        assert not stable.update_manually(lab.feed("capgo"))
        device = Capgo(lab.new())
        assert device.update_manually(lab.feed("capgo"))
        lab.expect(device, TWO)


def case_servers(lab: Lab) -> None:
    """The automatic modes behind a static server with the rules of the guide."""
    lab.publish(ONE, "--feed", FEEDS, "--label", "1")
    with lab.front():
        capgo, capawesome, cordova = Capgo(lab.new()), Capawesome(lab.new()), lab.cordova(ONE)

        def update() -> list[bool]:
            return [
                capgo.update_automatically(lab.feed("capgo")),
                capawesome.sync(lab.base, "com.example.shop", "production"),
                cordova.update(lab.feed("cordova-hcp")),
            ]

        assert update() == [True, True, False]
        lab.publish(TWO, "--label", "2")
        assert update() == [True] * 3
        for client in (capgo, capawesome, cordova):
            lab.expect(client, TWO)
        lab.change("rollback", "--to-release", "1")
        assert update() == [True] * 3
        for client in (capgo, capawesome, cordova):
            lab.expect(client, ONE)
        # Of another app, the service has nothing.
        assert not capawesome.sync(lab.base, "com.example.other", "production")


def case_checks(lab: Lab) -> None:
    """The clients refuse damage, and what packtool cannot give; verify finds it; --repair restores it."""
    lab.publish(ONE, "--feed", FEEDS, "--label", "1")
    with lab.serving():
        cordova = lab.cordova(ONE)
        lab.publish(TWO, "--label", "2")
        offer = json.loads(fetch(lab.feed("capgo")))
        package = lab.origin / offer["url"].removeprefix(lab.base + "/")
        whole = package.read_bytes()
        damaged = bytearray(whole)
        damaged[len(damaged) // 2] ^= 1
        package.chmod(0o644)
        package.write_bytes(damaged)
        page = lab.origin / "site/assets/a.js"
        good = page.read_bytes()
        page.unlink()
        page.write_text("let version = 4\n" * 200)
        refused = [
            lambda: Capgo(lab.new()).update_manually(lab.feed("capgo")),
            lambda: Capawesome(lab.new()).update_manually(lab.feed("capawesome")),
            lambda: cordova.update(lab.feed("cordova-hcp")),
            lambda: Capawesome(lab.new(), public_key="key").update_manually(lab.feed("capawesome")),
        ]
        for attempt in refused:
            try:
                attempt()
            except ClientError:
                continue
            raise AssertionError("damage was installed")
        lab.expect(cordova, ONE)
        package.write_bytes(whole)
        page.write_bytes(good)
        lab.verify()
        names = ["channels/production/feeds/capgo.json", "channels/production/feeds/cordova-hcp.json",
                 "channels/production/feeds/capawesome.json", "site/chcp.manifest"]  # fmt: skip
        saved = {name: (lab.origin / name).read_bytes() for name in names}
        for name in names:
            file = lab.origin / name
            file.unlink()
            file.write_text("[]")
            assert name in lab.verify(status=1)
            text = lab.publish(TWO, "--repair")
            assert name in text, text
            assert file.read_bytes() == saved[name]
            lab.verify()
        assert cordova.update(lab.feed("cordova-hcp"))
        lab.expect(cordova, TWO)


def case_refusals(lab: Lab) -> None:
    """Builds that a client cannot install are refused, and a feed that cannot follow is withdrawn."""
    inner = {f"www/{name}": text for name, text in ONE.items()}
    for feed in ("capgo", "capawesome"):
        assert "index.html" in lab.publish(inner, "--feed", feed, status=2)
    assert "chcp.json" in lab.publish(ONE | {"chcp.json": "{}"}, "--feed", "cordova-hcp", status=2)
    assert "'?'" in lab.publish(ONE | {"what?.html": "<p>"}, "--feed", "cordova-hcp", status=2)
    assert "is not known" in lab.publish(ONE, "--feed", "capgoo", status=64)
    lab.publish(ONE, "--feed", FEEDS, "--label", "1")
    text = lab.publish(inner | {"chcp.manifest": "own"}, "--label", "2")
    assert text.count("is withdrawn") == 3, text
    assert (lab.origin / "site/chcp.manifest").read_text() == "own"
    assert not any((lab.origin / "channels/production/feeds").iterdir())
    lab.verify()
    # A copy of the origin must not keep a feed that was withdrawn.
    copy = [str(ROOT / "examples/ci/copy-origin.sh"), "cdn", "copy"]
    (lab.folder / "copy/channels/production/feeds").mkdir(parents=True)
    (lab.folder / "copy/channels/production/feeds/capgo.json").write_text("{}")
    if shutil.which("rsync"):
        subprocess.run(copy, cwd=lab.folder, check=True, capture_output=True)
        assert not any((lab.folder / "copy/channels/production/feeds").iterdir())
    # They come back by the flag alone, with the same release.
    lab.publish(ONE, "--label", "1")
    lab.verify()
    assert "capgo.json" in lab.publish(ONE, "--label", "1", "--feed", FEEDS)
    lab.verify()
    if shutil.which("rsync"):
        subprocess.run(copy, cwd=lab.folder, check=True, capture_output=True)
        public = {name: digest for name, digest in files(lab.origin).items() if name[0] != "."}
        assert files(lab.folder / "copy") == public
    with lab.serving():
        device = Capgo(lab.new())
        assert device.update_manually(lab.feed("capgo"))
        lab.expect(device, ONE)
        # What caches must not keep: see docs/formats.md.
        listed = f"{lab.base}/site/chcp.manifest"
        for url, control in ((listed, "no-cache"), (lab.feed("capgo"), "max-age=60")):
            with urllib.request.urlopen(url) as answer:
                assert control in answer.headers["Cache-Control"], (url, answer.headers["Cache-Control"])


CASES = {name[5:]: case for name, case in list(globals().items()) if name.startswith("case_")}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    tool = os.environ.get("PACKTOOL", str(ROOT / ".build/release/packtool"))
    parser.add_argument("--packtool", default=tool)
    parser.add_argument("--only", choices=CASES)
    given = parser.parse_args()
    begun = time.monotonic()
    failed = 0
    for name, case in CASES.items():
        if given.only in (None, name):
            with tempfile.TemporaryDirectory(prefix="packtool-feeds-") as folder:
                try:
                    case(Lab(str(pathlib.Path(given.packtool).resolve()), pathlib.Path(folder)))
                except Exception as error:
                    failed += 1
                    print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
                    if given.only:
                        raise
    print(f"{len(CASES) - failed} of {len(CASES)} cases passed in {time.monotonic() - begun:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
