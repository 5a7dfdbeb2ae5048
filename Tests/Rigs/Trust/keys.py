#!/usr/bin/env python3
"""Keys in both directions between packtool, OpenSSL and Python's cryptography, through the command line."""
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import client
from cryptography.hazmat.primitives import serialization
from lab import NOW, Key, code, envelope, root, run

PASSPHRASE = "correct horse battery"
SCHEMES = [
    (["-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA256", "-iter", "600000"], ""),
    (["-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA512", "-iter", "10000"], ""),
    (["-scrypt"], ""),
    (["-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA1", "-iter", "600000"], "key.unsupported"),
    (["-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA256", "-iter", "9999"], "key.unsupported"),
    (["-v2", "des3"], "key.unsupported"),
    (["-v1", "PBE-SHA1-3DES"], "key.unsupported"),
]


def openssl(*words):
    return subprocess.run(["openssl", *map(str, words)], capture_output=True, check=True).stdout


def main():
    done, wrong = 0, []

    def expect(what, found, wanted):
        nonlocal done
        done += 1
        if found != wanted:
            wrong.append(f"{what}: {found!r}, expected {wanted!r}")
            print("WRONG", wrong[-1])

    with tempfile.TemporaryDirectory(prefix="packtool-keys-") as name:
        here = pathlib.Path(name)
        secret = here / "pass"
        secret.write_text(PASSPHRASE + "\n")
        secret.chmod(0o600)
        for number in (1, 5):
            key = Key(number)
            plain = key.write(here / f"{number}.key")
            proposal = envelope(client.ROOT, root(1, {"root": ([key], 1)}), [])
            for place, (scheme, wanted) in enumerate(SCHEMES):
                file = here / f"{number}-{place}.key"
                extra = ["-provider", "legacy", "-provider", "default"] if "-v1" in scheme else []
                try:
                    openssl("pkcs8", "-topk8", "-in", plain, "-out", file, "-passout", f"file:{secret}",
                            *scheme, *extra)
                except subprocess.CalledProcessError:
                    continue
                file.chmod(0o600)
                target = here / "root.json"
                target.write_bytes(proposal)
                result = run("keys", "sign", target, "--sign-key", file, "--passphrase-file", secret,
                             "--json")
                expect(f"{key.algorithm} {scheme}", code(result), wanted)
                if not wanted:
                    # The signature of packtool, verified by Python.
                    expect("the root", client.own_root(target.read_bytes()).version, 1)
                    result = run("keys", "sign", target, "--sign-key", file, "--json",
                                 input="", now=NOW)
                    expect("without a passphrase", code(result), "key.needs-passphrase")
        for algorithm in ("ed25519", "p256"):
            file = here / f"{algorithm}.new"
            result = run("keys", "new", file, "--algorithm", algorithm, "--passphrase-file", secret, "--json")
            expect(f"new {algorithm}", code(result), "")
            read = serialization.load_pem_private_key(file.read_bytes(), PASSPHRASE.encode())
            spki = read.public_key().public_bytes(
                serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
            found = openssl("pkey", "-in", file, "-passin", f"file:{secret}", "-pubout", "-outform", "DER")
            expect("OpenSSL's public key", found, spki)
            expect("the keyid", json.loads(result.stdout)["keyid"], hashlib.sha256(spki).hexdigest())
            expect("the mode", os.stat(file).st_mode & 0o777, 0o600)
    print(f"keys: {done} comparisons, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
