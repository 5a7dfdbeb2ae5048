#!/usr/bin/env python3
"""Signs with a key in Cloud KMS: of the algorithm ec-sign-p256-sha256.

    packtool publish dist --to cdn --sign-with 'examples/signing/gcloud-kms.py VERSION'

VERSION is projects/P/locations/L/keyRings/R/cryptoKeys/K/cryptoKeyVersions/N. It needs the gcloud CLI, and
the roles cloudkms.publicKeyViewer and cloudkms.signer for the key.
"""
import base64
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile


def main():
    name = sys.argv[1].split("/")
    place = dict(zip(name[::2], name[1::2]))
    version = place["cryptoKeyVersions"]
    key = ["--project", place["projects"], "--location", place["locations"],
           "--keyring", place["keyRings"], "--key", place["cryptoKeys"]]
    request = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        public, message, signature = (pathlib.Path(folder, file) for file in ("key", "message", "signature"))

        def gcloud(*words):
            subprocess.run(["gcloud", "kms", *map(str, words), "--quiet"], stdout=sys.stderr, check=True)

        gcloud("keys", "versions", "get-public-key", version, *key, "--output-file", public)
        pem = public.read_text().splitlines()
        keyid = hashlib.sha256(base64.b64decode("".join(pem[1:-1]))).hexdigest()
        if keyid not in request["keyids"]:
            sys.exit(f"the root does not accept {sys.argv[1]} (keyid {keyid})")
        print(f"signing with {sys.argv[1]}: {request['summary']}", file=sys.stderr)
        message.write_bytes(base64.b64decode(request["message"]))
        gcloud("asymmetric-sign", "--version", version, *key, "--digest-algorithm", "sha256",
               "--input-file", message, "--signature-file", signature)
        print(json.dumps({"schema": 1, "signatures": [
            {"keyid": keyid, "sig": base64.b64encode(signature.read_bytes()).decode()}]}))


if __name__ == "__main__":
    main()
