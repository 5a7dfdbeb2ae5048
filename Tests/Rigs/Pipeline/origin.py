#!/usr/bin/env python3
"""Runs the nginx configuration of docs/guide/origin.md and installs two releases through it.

  Tests/Rigs/Pipeline/origin.py PACKTOOL
"""
import http.client
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
GUIDE = ROOT / "docs/guide/origin.md"
SHOP = ROOT / "examples/storefront"
SHORT = "public, max-age=60, must-revalidate, no-transform"
CHECKED = "public, no-cache, no-transform"
LONG = "public, max-age=31536000, immutable, no-transform"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def configuration(work, port, more=""):
    """The configuration of the guide with another port and folder, inside a complete file with 'more'."""
    blocks = re.findall(r"^```nginx\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1, "the guide has one nginx configuration"
    text = blocks[0]
    for old, new in (("listen 80;", f"listen 127.0.0.1:{port};"), ("root /srv/cdn;", f"root {work}/cdn;")):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    folders = "".join(f"{name}_temp_path {work}/tmp-{name};" for name in
                      ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    # 'user root' lets nginx read the temporary folder; it is ignored for other users.
    return (f"daemon off; user root; worker_processes 1; pid {work}/nginx.pid; error_log {work}/error.log;\n"
            f"events {{}}\nhttp {{ access_log off; gzip on; gzip_types *; {folders}\n{text}\n{more}\n}}\n")


class Server:
    def __init__(self, work, more=lambda port: ""):
        self.port = free_port()
        (work / "nginx.conf").write_text(configuration(work, self.port, more(self.port)))
        command = ["nginx", "-p", str(work), "-e", str(work / "error.log"), "-c", str(work / "nginx.conf")]
        done = subprocess.run([*command, "-t"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait(self):
        for _ in range(100):
            try:
                return self.get("/")
            except OSError:
                assert self.process.poll() is None, "nginx has ended"
                time.sleep(0.1)
        raise AssertionError("nginx does not answer")

    def get(self, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path, headers={
            "Accept-Encoding": "gzip, br",
            **{name.replace("_", "-"): value for name, value in headers.items()}})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body


def check(server, origin):
    count = 0
    for file in sorted(path for path in origin.rglob("*") if path.is_file()):
        name = file.relative_to(origin).as_posix()
        status, headers, body = server.get(f"/shop/{name}")
        if name.startswith(".packtool"):
            assert status == 404, name
            continue
        count += 1
        changing = ("/pointer.json", "/pruned.json")
        mutable = (name == "info.json" or name.startswith("site/") or name.endswith(changing)
                   or "/feeds/" in name)
        lifetime = CHECKED if name == "site/chcp.manifest" else SHORT if mutable else LONG
        assert status == 200 and body == file.read_bytes(), name
        assert headers.get_all("Cache-Control") == [lifetime], (name, headers.as_string())
        assert headers.get_all("Access-Control-Allow-Origin") == ["*"], name
        assert headers["X-Content-Type-Options"] == "nosniff", name
        assert headers["Content-Encoding"] is None, name
        assert headers["ETag"] and headers["Accept-Ranges"] == "bytes", name
        for end, kind in {".js": "javascript", ".mjs": "javascript", ".css": "text/css", ".html": "text/html",
                          ".zip": "application/zip", ".json": "application/json", ".svg": "image/svg+xml",
                          ".woff2": "font/woff2", ".png": "image/png"}.items():
            if name.endswith(end):
                assert kind in headers["Content-Type"], (name, headers["Content-Type"])
    assert count > 100, count
    assert server.get("/shop/.packtool/")[0] == 404
    assert server.get("/shop/.packtool")[0] == 404
    for missing in ("/shop/releases/none/info.json", "/shop/channels/none/pointer.json",
                    "/shop/objects/", "/"):
        status, headers, _ = server.get(missing)
        assert status in (403, 404), missing
        assert headers["Cache-Control"] == "no-store", (missing, headers.as_string())
        assert headers["Access-Control-Allow-Origin"] == "*", missing
    pointer = "/shop/channels/production/pointer.json"
    _, headers, _ = server.get(pointer)
    status, headers, body = server.get(pointer, If_None_Match=headers["ETag"])
    assert status == 304 and not body and headers["Cache-Control"] == SHORT
    package = next(origin.glob("releases/*/package.zip"))
    status, headers, body = server.get(f"/shop/{package.relative_to(origin)}", Range="bytes=100-199")
    assert status == 206 and body == package.read_bytes()[100:200] and headers["Cache-Control"] == LONG
    return count


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    packtool = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        origin = work / "cdn/shop"
        origin.parent.mkdir()
        server = Server(work)
        try:
            server.wait()
            url = f"http://127.0.0.1:{server.port}/shop"
            # A module: without the guide, neither nginx nor the app has a type for its name.
            build = work / "1.0.0"
            shutil.copytree(SHOP / "dist/1.0.0", build)
            (build / "assets/extra.mjs").write_text("export {};\n")
            for label, source in (("1.0.0", build), ("1.1.0", SHOP / "dist/1.1.0")):
                subprocess.run([packtool, "publish", source, "--to", origin, "--app", "storefront", "--quiet",
                                "--no-check", "--base-url", url, "--label", label,
                                "--feed", "capgo,cordova-hcp"], check=True)
                subprocess.run([sys.executable, ROOT / "examples/client/client.py", url, "storefront",
                                work / "phone"], check=True, stdout=subprocess.DEVNULL)
                subprocess.run(["diff", "-r", source, f"{work}/phone/current/"], check=True)
                subprocess.run([packtool, "install", url, "--into", work / "tablet", "--quiet"], check=True)
                subprocess.run(["diff", "-r", source, f"{work}/tablet/current/"], check=True)
            count = check(server, origin)
        finally:
            server.process.terminate()
            server.process.wait()
    print(f"origin: nginx serves {count} files as the guide says; two releases installed through it")


if __name__ == "__main__":
    main()
