"""Shared by the trust rigs: keys, roots, pointers and origins, made without packtool's code."""
import argparse
import base64
import hashlib
import json
import os
import pathlib
import subprocess
import time

import client
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOL = os.environ.get("PACKTOOL", str(ROOT / ".build/debug/packtool"))
NOW = 1_795_248_000  # 2026-11-21T08:00:00Z


class Key:
    """A key pair; every fifth is P-256."""

    def __init__(self, number):
        self.number = number
        seed = hashlib.sha256(b"packtool trust rig %d" % number).digest()
        self.is_p256 = number % 5 == 0
        if self.is_p256:
            self.secret = ec.derive_private_key(int.from_bytes(seed, "big") % 2**255 + 1, ec.SECP256R1())
        else:
            self.secret = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
        self.spki = self.secret.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        self.id = hashlib.sha256(self.spki).hexdigest()
        self.algorithm = "ecdsa-p256-sha256" if self.is_p256 else "ed25519"

    def sign(self, message):
        if not self.is_p256:
            return self.secret.sign(message)
        r, s = utils.decode_dss_signature(self.secret.sign(message, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    def write(self, path):
        path.write_bytes(self.secret.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        path.chmod(0o600)
        return path


def text(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def envelope(kind, payload, keys):
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    message = client.Envelope(kind, data, []).message
    return json.dumps({
        "payloadType": kind, "payload": base64.b64encode(data).decode(),
        "signatures": [{"keyid": k.id, "sig": base64.b64encode(k.sign(message)).decode()} for k in keys],
    }).encode()


def root(version, roles, *, epoch=1, created=NOW, days=365, app="shop", floors=None):
    """roles: name -> (keys, threshold)"""
    keys = {k.id: k for ks, _ in roles.values() for k in ks}
    return {
        "schema": 1, "app": app, "version": version, "epoch": epoch, "createdAt": text(created),
        "expires": text(created + days * 86400),
        "keys": {k.id: {"algorithm": k.algorithm, "public": base64.b64encode(k.spki).decode()}
                 for k in keys.values()},
        "roles": {name: {"keys": [k.id for k in ks], "threshold": n} for name, (ks, n) in roles.items()},
        "floors": floors or {},
    }


def payload(data):
    return json.loads(base64.b64decode(json.loads(data)["payload"]))


def environment(now):
    changed = {"SOURCE_DATE_EPOCH": str(now), "PACKTOOL_CLOCK": str(now), "PACKTOOL_JOBS": "1"}
    return {k: v for k, v in os.environ.items() if k != "PACKTOOL_PASSPHRASE"} | changed


def run(*words, now=NOW, **options):
    return subprocess.run([TOOL, *map(str, words)], capture_output=True, text=True, env=environment(now),
                          timeout=120, **options)


def code(result):
    """The code of a run's error; empty if there was none."""
    if result.returncode == 0:
        return ""
    try:
        return json.loads(result.stdout)["error"]["code"]
    except (ValueError, KeyError):
        return f"exit {result.returncode}"


def arguments(description):
    """The options of a rig that mutants.py can run; the rig adds its own."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument("--fail-fast", action="store_true")
    parser.add_argument("--json", metavar="FILE", help="write what was found, for mutants.py")
    return parser


def status(wrong, place):
    """The exit status of a rig; also writes its findings for mutants.py if requested."""
    if place:
        pathlib.Path(place).write_text(json.dumps(
            {"violations": [{"where": w.split(":")[0], "problems": [w]} for w in wrong]}))
    return 1 if wrong else 0
