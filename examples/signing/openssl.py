#!/usr/bin/env python3
"""Signs with a key file of OpenSSL, on this machine or behind one of its providers.

    packtool publish dist --to cdn --sign-with 'examples/signing/openssl.py release.key'
"""
import base64
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile


def openssl(*words):
    return subprocess.run(["openssl", *map(str, words)], stdout=subprocess.PIPE, check=True).stdout


def main():
    key = sys.argv[1]
    request = json.load(sys.stdin)
    public = openssl("pkey", "-in", key, "-pubout", "-outform", "DER")
    keyid = hashlib.sha256(public).hexdigest()
    if keyid not in request["keyids"]:
        sys.exit(f"the root does not accept {key} (keyid {keyid})")
    print(f"signing with {key}: {request['summary']}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        message = pathlib.Path(folder, "message")
        message.write_bytes(base64.b64decode(request["message"]))
        # Ed25519 hashes the message itself.
        digest = [] if len(public) == 44 else ["-digest", "sha256"]
        signature = openssl("pkeyutl", "-sign", "-inkey", key, "-rawin", *digest, "-in", message)
    print(json.dumps({"schema": 1, "signatures": [
        {"keyid": keyid, "sig": base64.b64encode(signature).decode()}]}))


if __name__ == "__main__":
    main()
