#!/usr/bin/env python3
"""Which certificate authorities packtool trusts: those of --ca-file or SSL_CERT_FILE instead of the system's.

Regression: Debian's libcurl also trusted the directory /etc/ssl/certs. It is replaced in a mount namespace,
so this runs as root; otherwise it is skipped.
"""

import functools
import http.server
import os
import ssl
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from common import TOOL

MOUNT = 'mount --bind "$0" /etc/ssl/certs && exec "$@"'


def openssl(*words, folder):
    return subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def authority(name, folder):
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
            "-keyout", f"{name}.key", "-out", f"{name}.pem", folder=folder)
    return folder / f"{name}.pem"


def serve(origin, work):
    """An HTTPS server whose certificate is by the authority 'own'; returns its address."""
    (work / "names").write_text("subjectAltName=DNS:localhost\n")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", "s.key",
            "-out", "s.csr", folder=work)
    openssl("x509", "-req", "-in", "s.csr", "-CA", "own.pem", "-CAkey", "own.key", "-CAcreateserial",
            "-days", "2", "-extfile", "names", "-out", "s.pem", folder=work)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=origin)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(work / "s.pem", work / "s.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"https://localhost:{server.server_port}"


def main():
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        print("SKIP authorities: it needs root, for a mount")
        return
    http.server.SimpleHTTPRequestHandler.log_message = lambda *_: None
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        own, other = authority("own", work), authority("other", work)
        # The system trusts 'own', by a bundle and by a directory.
        system = work / "system"
        system.mkdir()
        (system / "ca-certificates.crt").write_text(own.read_text())
        digest = openssl("x509", "-hash", "-noout", "-in", "own.pem", folder=work).strip()
        (system / f"{digest}.0").write_text(own.read_text())
        (work / "dist").mkdir()
        (work / "dist/index.html").write_text("<!doctype html><meta charset=utf-8><title>a</title>")
        subprocess.run([TOOL, "publish", "dist", "--to", "cdn", "--app", "a", "--quiet",
                        "--base-url", "https://cdn.example.com/a"], cwd=work, check=True)
        address = serve(work / "cdn", work)
        cases = [("the system's", [], {}, 0), ("--ca-file, right", ["--ca-file", own], {}, 0),
                 ("--ca-file, another", ["--ca-file", other], {}, 2),
                 ("SSL_CERT_FILE, another", [], {"SSL_CERT_FILE": str(other)}, 2)]
        for number, (name, flags, variables, expected) in enumerate(cases):
            done = subprocess.run(
                ["unshare", "--mount", "sh", "-c", MOUNT, system, TOOL, "install", address,
                 "--into", f"phone-{number}", *flags],
                cwd=work, env=os.environ | variables, capture_output=True, text=True)
            if done.returncode != expected:
                sys.exit(f"error: {name}: exit code {done.returncode}, not {expected}\n{done.stderr}")
    print(f"ok  certificate authorities: {len(cases)} cases")


if __name__ == "__main__":
    main()
