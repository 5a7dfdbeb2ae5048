#!/usr/bin/env python3
"""Signs with a key in AWS KMS: of the type ECC_NIST_P256, for SIGN_VERIFY.

    packtool publish dist --to s3://shop --sign-with 'examples/signing/aws-kms.py alias/packtool-release'

It needs the AWS CLI, and the permissions kms:GetPublicKey and kms:Sign for the key.
"""
import base64
import hashlib
import json
import subprocess
import sys
import tempfile


def kms(*words):
    answer = subprocess.run(["aws", "kms", *words, "--output", "json"], stdout=subprocess.PIPE, check=True)
    return json.loads(answer.stdout)


def main():
    key = sys.argv[1]
    request = json.load(sys.stdin)
    public = base64.b64decode(kms("get-public-key", "--key-id", key)["PublicKey"])
    keyid = hashlib.sha256(public).hexdigest()
    if keyid not in request["keyids"]:
        sys.exit(f"the root does not accept {key} (keyid {keyid})")
    print(f"signing with {key}: {request['summary']}", file=sys.stderr)
    with tempfile.NamedTemporaryFile() as digest:
        digest.write(bytes.fromhex(request["sha256"]))
        digest.flush()
        signature = kms("sign", "--key-id", key, "--signing-algorithm", "ECDSA_SHA_256",
                        "--message-type", "DIGEST", "--message", f"fileb://{digest.name}")["Signature"]
    print(json.dumps({"schema": 1, "signatures": [{"keyid": keyid, "sig": signature}]}))


if __name__ == "__main__":
    main()
