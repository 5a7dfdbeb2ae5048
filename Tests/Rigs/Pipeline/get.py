"""The step 'Get packtool' of action.yml, with a stand-in for GitHub's releases on this machine.

The release is a tarball like those of 'make dist'. It contains the tested program once, and otherwise a
script, because the step only unpacks and starts it.
"""
import functools
import hashlib
import http.server
import io
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tarfile
import threading
import time

from workflow import Run

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHOP = ROOT / "examples/storefront"
STEP = "Get packtool"
VERSION = "9.8.7"
SLICE = 1 << 16
ARCH = {"x86_64": "X64", "aarch64": "ARM64", "arm64": "ARM64"}[platform.machine()]
OS = {"Linux": "Linux", "Darwin": "macOS"}[platform.system()]
PLATFORM = {"Linux": f"linux-{platform.machine()}", "Darwin": "macos-universal"}[platform.system()]
SCRIPT = f"#!/bin/sh\necho packtool {VERSION}\n"


def tarball(program, name):
    """The bytes of a tarball with this program; the directory has the tarball's name."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=1) as archive:
        for path, data in ((f"{name}/bin/packtool", program), (f"{name}/share/man/man1/packtool.1", b".TH")):
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = len(data), 0o755
            archive.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


def digest(data):
    return hashlib.sha256(data).hexdigest()


class Server(http.server.ThreadingHTTPServer):
    """Serves `files`. Like GitHub's, an address below /releases/ redirects to another one.

    `faults` are the answers to the next requests for content: an HTTP status, 'cut' (less than the announced
    length) or 'short' (the same without an announcement). The last one stays.
    """

    daemon_threads = True

    def __init__(self, rate=None):
        """`rate` is the most bytes per second of a connection."""
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.faults, self.requests, self.rate = {}, [], [], rate
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        if "/releases/download/" in self.path:
            self.send_response(302)
            path = self.path.replace("/releases/download/", "/")
            self.send_header("Location", f"{server.url}/assets{path}")
            self.end_headers()
            return
        path = self.path.removeprefix("/assets")
        server.requests.append(path)
        data = server.files.get(path)
        fault = server.faults[0] if server.faults else None
        if len(server.faults) > 1:
            server.faults.pop(0)
        status = fault if isinstance(fault, int) else 200 if data is not None else 404
        self.send_response(status)
        if status == 200:
            if fault != "short":
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.send(data[:len(data) // 2] if fault in ("cut", "short") else data)
        else:
            self.end_headers()

    def send(self, data):
        began, rate = time.monotonic(), self.server.rate
        for start in range(0, len(data), SLICE):
            self.wfile.write(data[start:start + SLICE])
            if rate:
                time.sleep(max(0, began + (start + SLICE) / rate - time.monotonic()))

    def log_message(self, *_):
        pass


class Get:
    def __init__(self, packtool, work, rate=None):
        self.packtool, self.work, self.number = packtool, work, 0
        work.mkdir()
        self.server = Server(rate)
        self.name = f"packtool-{VERSION}-{PLATFORM}.tar.gz"
        self.data = tarball(SCRIPT.encode(), self.name.removesuffix(".tar.gz"))
        self.path = f"/owner/packtool/v{VERSION}/{self.name}"
        # A curl for which GitHub is the server of this rig, and which fails at once with ONCE.
        tools = work / "tools"
        tools.mkdir()
        (tools / "curl").write_text(
            '#!/bin/bash\nset -eu\nwords=()\n'
            f'for word; do words+=("${{word/#https:\\/\\/github.com/{self.server.url}}}"); done\n'
            f'exec "{shutil.which("curl")}" "${{words[@]}}" ${{ONCE:+--retry 0}}\n')
        (tools / "curl").chmod(0o755)
        self.tools = f"{tools}:{os.environ['PATH']}"
        self.release()

    @functools.cached_property
    def packed(self):
        """A tarball with the tested program, its man pages and completions."""
        name = self.name.removesuffix(".tar.gz")
        subprocess.run([ROOT / "Scripts/install-files.sh", self.packtool, f"/{name}", self.work / "dist"],
                       check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["tar", "-C", self.work / "dist", "-czf", self.work / self.name, name], check=True)
        return (self.work / self.name).read_bytes()

    def release(self, *lines, files=None, faults=()):
        """Sets the server's files and the lines of packaging/binaries.txt, by default those of a release."""
        self.server.files = {self.path: self.data} if files is None else files
        self.server.faults, self.server.requests = list(faults), []
        self.lines = lines or (f"{'0' * 64}  packtool-{VERSION}-{PLATFORM}.tar.gz.sig",
                               f"{digest(self.data)}  {self.name}")
        return self.server

    def run(self, cache=None, action=None, variables=None, repository="", lines=None, **inputs):
        """A job with this step, on a runner with the tool cache `cache`."""
        self.number += 1
        place = self.work / f"job-{self.number}"
        action = place / (action or "_actions/owner/packtool/v1")
        (action / "packaging").mkdir(parents=True)
        (action / "Scripts").mkdir()
        for name in ("action.yml", "Scripts/get-packtool.sh"):
            shutil.copy(ROOT / name, action / name)
        lines = self.lines if lines is None else lines
        if lines:
            (action / "packaging/binaries.txt").write_text("".join(f"{line}\n" for line in lines))
        self.action = action
        github = {"ref_type": "branch", "ref_name": "main", "sha": "0" * 40, "workspace": str(place),
                  "action_repository": repository}
        variables = {"RUNNER_OS": OS, "RUNNER_ARCH": ARCH, "RUNNER_TOOL_CACHE": str(cache or place / "cache"),
                     "ONCE": "1", **(variables or {})}
        inputs = {name.replace("_", "-"): str(value) for name, value in inputs.items()}
        return Run(action / "action.yml", inputs, github, place / "runner", self.tools, variables)

    def got(self, **values):
        """Runs the step, which must succeed and put the release on the path."""
        run = self.run(**values).go(last=STEP)
        log = run.log[STEP]
        assert not run.failed, log
        version = subprocess.check_output(["packtool", "--version"], env={"PATH": run.path}, text=True)
        assert version == log["out"].splitlines()[-1] + "\n" == f"packtool {VERSION}\n", (version, log)
        return log

    def refused(self, *texts, **values):
        """Runs the step, which must fail with these texts, and leave no program on the path."""
        run = self.run(**values)
        before = run.path
        run.go(last=STEP)
        log = run.log[STEP]
        assert run.failed and run.path == before, log
        annotations = [line for line in log["out"].splitlines() if line.startswith("::error::")]
        assert len(annotations) == 1 and annotations[0].count("%0Ahelp: ") == 1, log
        for text in texts:
            assert text in annotations[0], (text, annotations)
        return log

    # The release of the action.

    def whole_run(self):
        """The tested program, from the release to the findings."""
        server = self.release(f"{digest(self.packed)}  {self.name}", files={self.path: self.packed})
        run = self.run(build=SHOP / "dist/1.1.0", config=SHOP / "packtool.yaml").go()
        assert not run.failed, run.log
        assert run.outputs()["version"] and len(server.requests) == 1, server.requests

    def addresses(self):
        """The repository is that of the runner's directory, of the context, or of the checkout's remote."""
        server = self.release()
        self.got()
        # An action that uses this one is the repository of the context.
        self.got(repository="someone/else")
        # Runners other than GitHub's have other directories.
        self.got(action="actions/packtool@v1", repository="owner/packtool")
        assert server.requests == [self.path] * 3, server.requests
        for url in (f"{server.url}/owner/packtool", f"{server.url}/owner/packtool.git",
                    "git@github.com:owner/packtool.git", "https://github.com/owner/packtool"):
            run = self.run(action="packtool")
            subprocess.run(["git", "init", "--quiet", self.action], check=True)
            subprocess.run(["git", "-C", self.action, "remote", "add", "origin", url], check=True)
            assert not run.go(last=STEP).failed, run.log
        assert server.requests == [self.path] * 7, server.requests
        self.refused("repository of this action is unknown", "packtool-url", digest(self.data),
                     action="packtool")

    def other_platforms(self):
        self.release()
        for system, arch in (("Windows", "X64"), ("Linux", "X86"), ("Linux", "ARM"), ("Linux", "S390X")):
            self.refused("no program for the runner's platform", f"{system} {arch}",
                         variables={"RUNNER_OS": system, "RUNNER_ARCH": arch})
        names = {"linux-x86_64": ("Linux", "X64"), "linux-aarch64": ("Linux", "ARM64"),
                 "macos-universal": ("macOS", "ARM64")}
        for wanted, (system, arch) in names.items():
            variables = {"RUNNER_OS": system, "RUNNER_ARCH": arch}
            name = f"packtool-{VERSION}-{wanted}.tar.gz"
            others = [f"{'0' * 64}  packtool-{VERSION}-{other}.tar.gz" for other in names if other != wanted]
            self.release(*others, f"{digest(self.data)}  {name}",
                         files={f"/owner/packtool/v{VERSION}/{name}": self.data})
            self.got(variables=variables)
            # A release that lacks this platform.
            self.release(*others)
            self.refused("no program for the runner's platform", "build-from-source", variables=variables)

    def no_release(self):
        self.refused("is not a release", "packaging/binaries.txt", "build-from-source", lines=[])

    # Downloads that fail.

    def wrong_content(self):
        other = tarball(b"#!/bin/sh\necho evil\n", self.name.removesuffix(".tar.gz"))
        self.release(files={self.path: other})
        cache = self.work / "wrong"
        log = self.refused(digest(other), digest(self.data), "do not use this file", cache=cache)
        assert "evil" not in str(log) and not cache.exists()

    def other_version(self):
        """Checksums of another version: its tarball does not exist, or has another content."""
        older = f"packtool-9.8.6-{PLATFORM}.tar.gz"
        self.release(f"{digest(b'older')}  {older}")
        self.refused(f"/v9.8.6/{older}", "could not be downloaded", "exit code 22")
        self.release(f"{digest(b'older')}  {self.name}")
        self.refused(digest(b"older"), "do not use this file")

    def broken_download(self):
        server = self.release(files={})
        retry = {"ONCE": ""}
        self.refused("could not be downloaded", self.name, "exit code 22", "packtool-url", variables=retry)
        assert len(server.requests) == 4, server.requests
        self.release(faults=["cut"])
        self.refused("could not be downloaded", "exit code 18")
        # Without a length, only the checksum tells.
        self.release(faults=["short"])
        self.refused(digest(self.data[:len(self.data) // 2]))
        server = self.release(faults=["cut", 503, None])
        self.got(variables=retry)
        assert len(server.requests) == 3, server.requests

    # The cache of the runner.

    def cache(self):
        cache = self.work / "cache"
        server = self.release()
        assert "downloaded from" in self.got(cache=cache)["out"]
        assert "from the cache" in self.got(cache=cache)["out"]
        assert len(server.requests) == 1, server.requests
        kept = cache / f"packtool/{digest(self.data)}.tar.gz"
        assert [file for file in cache.rglob("*") if file.is_file()] == [kept]
        for number, damage in enumerate((b"x" * 1000, self.data[:99], b""), 2):
            kept.write_bytes(damage)
            self.got(cache=cache)
            assert len(server.requests) == number and kept.read_bytes() == self.data, server.requests
        # Without network.
        server = self.release(faults=[500])
        self.got(cache=cache)
        assert not server.requests
        kept.write_bytes(b"damaged")
        self.refused("could not be downloaded", cache=cache)
        self.refused("could not be downloaded", "exit code 7", packtool_url="http://127.0.0.1:9/packtool.tar.gz",
                     packtool_sha256=digest(self.data), cache=self.work / "empty")
        assert not (self.work / "empty").exists()

    def unusable_cache(self):
        cache = self.work / "file"
        cache.touch()
        self.release()
        assert "was not kept" in self.got(cache=cache)["out"]
        self.got(variables={"RUNNER_TOOL_CACHE": ""})

    def at_once(self):
        """Several runners of a machine with one cache."""
        cache, logs = self.work / "shared", []
        server = self.release()
        runs = [self.run(cache=cache) for _ in range(6)]
        threads = [threading.Thread(target=lambda run=run: logs.append(run.go(last=STEP))) for run in runs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(logs) == 6 and not any(run.failed for run in logs), [run.log for run in logs]
        before = len(server.requests)
        self.got(cache=cache)
        assert len(server.requests) == before

    # The same files by hand.

    def install_page(self):
        """The commands of docs/guide/install.md, with a stand-in for gh."""
        blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / "docs/guide/install.md").read_text(), re.M | re.S)
        install, remove = "\n".join(blocks[:-1]), blocks[-1]
        place, prefix = self.work / "by-hand", self.work / "by-hand/.local"
        (place / "tools").mkdir(parents=True)
        (place / "tools/gh").write_text(
            '#!/bin/sh\nset -eu\n[ "$1 $2 $4 $5" = "attestation verify --repo OWNER/packtool" ]\n'
            '[ -f "$3" ]\n')
        (place / "tools/gh").chmod(0o755)
        (prefix / "bin").mkdir(parents=True)
        (prefix / "bin/other").touch()

        def run(script):
            return subprocess.run(
                ["bash", "-euc", script], cwd=place, capture_output=True, text=True,
                env={"PATH": f"{place / 'tools'}:{self.tools}", "HOME": str(place), "ONCE": "1"})

        folder, name = "/OWNER/packtool/v1.0.0", "packtool-1.0.0-linux-x86_64.tar.gz"
        sums = f"{'0' * 64}  packtool-1.0.0-linux-aarch64.tar.gz\n{digest(self.packed)}  {name}\n"
        for data in (self.packed[:-1], self.packed):
            self.release(files={f"{folder}/{name}": data, f"{folder}/SHA256SUMS": sums.encode()})
            done = run(install)
            if data != self.packed:
                assert done.returncode == 1 and "FAILED" in done.stdout, done
                assert not (prefix / "share").exists()
        assert done.returncode == 0 and (prefix / "share/man/man1/packtool-check.1").is_file(), done
        done = run(remove)
        left = [file.name for file in prefix.rglob("*") if not file.is_dir()]
        assert done.returncode == 0 and left == ["other"], (done, left)

    # The inputs.

    def mirror(self):
        """A tarball from another address, with its checksum in lower or upper case."""
        server = self.release(files={"/mirror/packtool.tar.gz": self.data})
        url = f"{server.url}/mirror/packtool.tar.gz"
        for lines in (None, []):
            self.got(packtool_url=url, packtool_sha256=digest(self.data).upper(), lines=lines)
        self.refused(digest(self.data), packtool_url=url, packtool_sha256="0" * 64)
        # An annotation decodes %25.
        self.refused("/a%2520b", packtool_url=f"{server.url}/a%20b", packtool_sha256="0" * 64)
        self.refused("only one of the inputs", packtool_url=url)
        self.refused("only one of the inputs", packtool_sha256="0" * 64)

    def wrong_tarballs(self):
        empty = io.BytesIO()
        tarfile.open(fileobj=empty, mode="w:gz").close()
        other = tarball(b"\x7fELF of another machine", "packtool")
        for data, text in ((b"<html>", "contains no bin/packtool"),
                           (empty.getvalue(), "contains no bin/packtool"),
                           (other, "does not run on this runner")):
            server = self.release(files={"/file": data})
            self.refused(text, packtool_url=f"{server.url}/file", packtool_sha256=digest(data))

    def own_program(self):
        server = self.release()
        program = self.work / "own"
        program.write_text(SCRIPT)
        program.chmod(0o755)
        self.got(packtool=program)
        self.got(packtool="../own")
        assert not server.requests
        self.refused("there is no program '../none'", packtool="../none")

    def from_source(self):
        """With a stand-in for make: it writes the program that the Makefile would."""
        tools = self.work / "make"
        tools.mkdir()
        (tools / "make").write_text(
            '#!/bin/sh\nset -eu\n[ "$1 $3" = "--directory release" ]\nmkdir -p "$2/.build/release"\n'
            f'cp "{self.work}/made" "$2/.build/release/packtool"\n')
        (tools / "make").chmod(0o755)
        (self.work / "made").write_text(SCRIPT)
        (self.work / "made").chmod(0o755)
        before, self.tools = self.tools, f"{tools}:{self.tools}"
        try:
            for lines in (None, []):
                self.got(build_from_source="true", lines=lines)
        finally:
            self.tools = before

    @property
    def all(self):
        return [self.whole_run, self.addresses, self.other_platforms, self.no_release, self.wrong_content,
                self.other_version, self.broken_download, self.cache, self.unusable_cache, self.at_once,
                self.install_page, self.mirror, self.wrong_tarballs, self.own_program, self.from_source]
