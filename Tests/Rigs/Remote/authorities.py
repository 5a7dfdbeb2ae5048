#!/usr/bin/env python3
"""Which certificate authorities packtool trusts: those of --ca-file or SSL_CERT_FILE instead of the system's.

Regression: Debian's libcurl also trusted the directory /etc/ssl/certs. It is replaced in a mount namespace,
so this runs as root; otherwise it is skipped.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from common import TOOL
from tls import make_certificate, serve

MOUNT = 'mount --bind "$0" /etc/ssl/certs && exec "$@"'


def main():
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        print("SKIP authorities: it needs root, for a mount")
        return
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        own, other = make_certificate("own", work), make_certificate("other", work)
        # The system trusts 'own', by a bundle and by a directory.
        system = work / "system"
        system.mkdir()
        (system / "ca-certificates.crt").write_text(own.read_text())
        digest = subprocess.run(["openssl", "x509", "-hash", "-noout", "-in", own], check=True,
                                capture_output=True, text=True).stdout.strip()
        (system / f"{digest}.0").write_text(own.read_text())
        (work / "dist").mkdir()
        (work / "dist/index.html").write_text("<!doctype html><meta charset=utf-8><title>a</title>")
        subprocess.run([TOOL, "publish", "dist", "--to", "cdn", "--app", "a", "--quiet",
                        "--base-url", "https://cdn.example.com/a"], cwd=work, check=True)
        address = serve(work / "cdn", own)
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
