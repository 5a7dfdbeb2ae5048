#!/usr/bin/env python3
"""Signs with a P-256 key on a token that speaks PKCS#11: a smart card, a YubiKey, an HSM, SoftHSM.

    PKCS11_PIN=… packtool publish dist --to cdn --sign-with 'examples/signing/pkcs11.py MODULE TOKEN KEY'

MODULE is the token's library, such as /usr/lib/softhsm/libsofthsm2.so; TOKEN and KEY are labels. It needs
pkcs11-tool of OpenSC 0.23 or later. The PIN comes from the environment, never from the command line.
"""
import base64
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile


def main():
    module, token, label = sys.argv[1:]
    request = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        public, digest, signature = (pathlib.Path(folder, name) for name in ("public", "digest", "signature"))

        def tool(*words):
            subprocess.run(["pkcs11-tool", "--module", module, "--token-label", token, "--label", label,
                            *map(str, words)], stdout=subprocess.DEVNULL, check=True)

        tool("--read-object", "--type", "pubkey", "--output-file", public)
        keyid = hashlib.sha256(public.read_bytes()).hexdigest()
        if keyid not in request["keyids"]:
            sys.exit(f"the root does not accept the key '{label}' (keyid {keyid})")
        print(f"signing with '{label}' on '{token}': {request['summary']}", file=sys.stderr)
        digest.write_bytes(bytes.fromhex(request["sha256"]))
        tool("--login", "--pin", "env:PKCS11_PIN", "--sign", "--mechanism", "ECDSA",
             "--input-file", digest, "--output-file", signature)
        print(json.dumps({"schema": 1, "signatures": [
            {"keyid": keyid, "sig": base64.b64encode(signature.read_bytes()).decode()}]}))


if __name__ == "__main__":
    main()
