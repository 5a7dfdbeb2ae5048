#!/usr/bin/env python3
"""Signs with a key file of OpenSSL, on this machine or behind one of its providers.

    packtool publish dist --to cdn --sign-with 'examples/signing/openssl.py release.key'

Asks for the pass phrase of an encrypted key on the terminal, once.
"""
import base64
import getpass
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def openssl(*words, secret=None):
    """Runs openssl; the pass phrase is no argument, which others could see, but comes from a pipe."""
    reader, writer = os.pipe()
    if secret is not None:
        os.write(writer, secret.encode() + b"\n")
        words = (*words, "-passin", f"fd:{reader}")
    os.close(writer)
    try:
        return subprocess.run(["openssl", *map(str, words)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, pass_fds=[reader], check=True).stdout
    finally:
        os.close(reader)


def pass_phrase(key):
    """What decrypts a key; None for one that is not encrypted."""
    try:
        if b"ENCRYPTED" not in pathlib.Path(key).read_bytes():
            return None
    except OSError:  # The URI of a provider: that one asks by itself.
        return None
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
    except OSError:
        sys.exit(f"{key} is encrypted, and there is no terminal to ask on")
    return getpass.getpass(f"Enter pass phrase for {key}: ")


def main():
    key = sys.argv[1]
    request = json.load(sys.stdin)
    secret = pass_phrase(key)
    public = openssl("pkey", "-in", key, "-pubout", "-outform", "DER", secret=secret)
    keyid = hashlib.sha256(public).hexdigest()
    if keyid not in request["keyids"]:
        sys.exit(f"the root does not accept {key} (keyid {keyid})")
    print(f"signing with {key}: {request['summary']}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        message = pathlib.Path(folder, "message")
        message.write_bytes(base64.b64decode(request["message"]))
        # Ed25519 hashes the message itself.
        digest = [] if len(public) == 44 else ["-digest", "sha256"]
        signature = openssl("pkeyutl", "-sign", "-inkey", key, "-rawin", *digest, "-in", message,
                            secret=secret)
    print(json.dumps({"schema": 1, "signatures": [
        {"keyid": keyid, "sig": base64.b64encode(signature).decode()}]}))


if __name__ == "__main__":
    main()
