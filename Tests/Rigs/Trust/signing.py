#!/usr/bin/env python3
"""Publishes with each program of examples/signing: OpenSSL, a token of SoftHSM, AWS KMS and Cloud KMS.

OpenSSL and SoftHSM are the real ones. 'aws' and 'gcloud' are stand-ins that only accept the documented
command lines; with --aws the real AWS CLI on the path uses the server of AWS_ENDPOINT_URL, which can be
moto's KMS; as of 5.2.5 it treats every message as RAW, so DIGEST must be added to its sign().
"""
import base64
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOL = os.environ.get("PACKTOOL", str(ROOT / ".build/debug/packtool"))
EXAMPLES = ROOT / "examples/signing"
PIN = "482915"
VERSION = "projects/shop/locations/europe/keyRings/packtool/cryptoKeys/release/cryptoKeyVersions/1"

AWS = """#!/usr/bin/env python3
import base64, json, pathlib, subprocess, sys
service, operation, *rest = sys.argv[1:]
given = dict(zip(rest[::2], rest[1::2]))
assert service == "kms" and given.pop("--key-id") == "alias/release", sys.argv
assert given.pop("--output") == "json", sys.argv
def openssl(*words, data=b""):
    return subprocess.run(["openssl", *words], input=data, stdout=subprocess.PIPE, check=True).stdout
if operation == "get-public-key":
    assert not given, given
    public = openssl("pkey", "-in", "KEY", "-pubout", "-outform", "DER")
    print(json.dumps({"KeyId": "arn", "PublicKey": base64.b64encode(public).decode()}))
else:
    assert operation == "sign", operation
    message = given.pop("--message")
    assert given == {"--signing-algorithm": "ECDSA_SHA_256", "--message-type": "DIGEST"}, given
    assert message.startswith("fileb://"), message
    digest = pathlib.Path(message[8:]).read_bytes()
    assert len(digest) == 32, digest
    signature = openssl("pkeyutl", "-sign", "-inkey", "KEY", "-pkeyopt", "digest:sha256", data=digest)
    print(json.dumps({"KeyId": "arn", "Signature": base64.b64encode(signature).decode()}))
"""

GCLOUD = """#!/usr/bin/env python3
import pathlib, subprocess, sys
words = sys.argv[1:]
place = ["--project", "shop", "--location", "europe", "--keyring", "packtool", "--key", "release"]
def openssl(*words, data=b""):
    return subprocess.run(["openssl", *words], input=data, stdout=subprocess.PIPE, check=True).stdout
if words[:5] == ["kms", "keys", "versions", "get-public-key", "1"]:
    assert words[5:13] == place and words[13] == "--output-file" and words[15:] == ["--quiet"], words
    pathlib.Path(words[14]).write_bytes(openssl("pkey", "-in", "KEY", "-pubout"))
else:
    assert words[:4] == ["kms", "asymmetric-sign", "--version", "1"] and words[4:12] == place, words
    assert words[12:14] == ["--digest-algorithm", "sha256"] and words[14] == "--input-file", words
    assert words[16] == "--signature-file" and words[18:] == ["--quiet"], words
    pathlib.Path(words[17]).write_bytes(
        openssl("dgst", "-sha256", "-sign", "KEY", data=pathlib.Path(words[15]).read_bytes()))
    print("gcloud says something on standard output")
"""


class Wrong(Exception):
    pass


def run(*words, **how):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **how)


def made(*words, **how):
    """Runs a command that must succeed, and returns its standard output."""
    done = run(*words, **how)
    if done.returncode:
        raise Wrong(f"{shlex.join(map(str, words))}: exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def openssl_key(folder, algorithm):
    key = folder / f"{algorithm}.key"
    curve = [] if algorithm == "ED25519" else ["-pkeyopt", "ec_paramgen_curve:P-256"]
    made("openssl", "genpkey", "-algorithm", algorithm, *curve, "-out", key)
    key.chmod(0o600)
    made("openssl", "pkey", "-in", key, "-pubout", "-out", folder / "release.pub")
    return key


def stand_in(folder, name, text, environment):
    """A program of this name on the path, with its own P-256 key."""
    key = openssl_key(folder, "EC")
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin" / name
    program.write_text(text.replace("KEY", str(key)))
    program.chmod(0o755)
    environment["PATH"] = f"{folder / 'bin'}:{os.environ['PATH']}"


# Each makes a key, writes its public half to release.pub, and returns the --sign-with of it.

def openssl_ed25519(folder, environment):
    return f"{EXAMPLES}/openssl.py '{openssl_key(folder, 'ED25519')}'"


def openssl_p256(folder, environment):
    return f"{EXAMPLES}/openssl.py '{openssl_key(folder, 'EC')}'"


def softhsm(folder, environment):
    modules = sorted(pathlib.Path("/usr/lib").rglob("libsofthsm2.so"))
    if not modules or not shutil.which("pkcs11-tool"):
        raise Wrong("there is no SoftHSM: run 'Scripts/install.sh test'")
    (folder / "tokens").mkdir()
    (folder / "softhsm.conf").write_text(f"directories.tokendir = {folder / 'tokens'}\nlog.level = ERROR\n")
    environment |= {"SOFTHSM2_CONF": str(folder / "softhsm.conf"), "PKCS11_PIN": PIN}
    made("softhsm2-util", "--init-token", "--free", "--label", "shop", "--pin", PIN, "--so-pin", "0000",
         env=environment)
    tool = ["pkcs11-tool", "--module", modules[0], "--token-label", "shop", "--label", "release key"]
    made(*tool, "--login", "--pin", "env:PKCS11_PIN", "--keypairgen", "--key-type", "EC:prime256v1",
         env=environment)
    made(*tool, "--read-object", "--type", "pubkey", "--output-file", folder / "release.der", env=environment)
    made("openssl", "pkey", "-pubin", "-inform", "DER", "-in", folder / "release.der", "-out",
         folder / "release.pub")
    return f"{EXAMPLES}/pkcs11.py {modules[0]} shop 'release key'"


def aws_kms(folder, environment):
    if "--aws" not in sys.argv:
        stand_in(folder, "aws", AWS, environment)
        return f"{EXAMPLES}/aws-kms.py alias/release"
    made_key = json.loads(made("aws", "kms", "create-key", "--key-usage", "SIGN_VERIFY", "--key-spec",
                               "ECC_NIST_P256", "--output", "json", env=environment))
    key = made_key["KeyMetadata"]["KeyId"]
    public = json.loads(made("aws", "kms", "get-public-key", "--key-id", key, "--output", "json",
                             env=environment))["PublicKey"]
    (folder / "release.der").write_bytes(base64.b64decode(public))
    made("openssl", "pkey", "-pubin", "-inform", "DER", "-in", folder / "release.der", "-out",
         folder / "release.pub")
    return f"{EXAMPLES}/aws-kms.py {key}"


def gcloud_kms(folder, environment):
    stand_in(folder, "gcloud", GCLOUD, environment)
    return f"{EXAMPLES}/gcloud-kms.py {VERSION}"


PROGRAMS = [openssl_ed25519, openssl_p256, softhsm, aws_kms, gcloud_kms]


def check(program, folder):
    environment = dict(os.environ)
    command = program(folder, environment)

    def packtool(*words):
        return run(TOOL, *words, cwd=folder, env=environment)

    def expect(status, *words):
        done = packtool(*words)
        if done.returncode != status:
            raise Wrong(f"packtool {shlex.join(words)}: exit code {done.returncode}: {done.stderr}")
        return done

    (folder / "dist").mkdir()
    (folder / "dist/index.html").write_text("<!doctype html><title>Shop</title>\n")
    made("openssl", "genpkey", "-algorithm", "ED25519", "-out", folder / "root.key")
    (folder / "root.key").chmod(0o600)
    made("openssl", "pkey", "-in", folder / "root.key", "-pubout", "-out", folder / "root.pub")
    expect(0, "keys", "root", "--app", "shop", "-o", "1.json", "--key", "root=root.pub", "--key",
           "release=release.pub", "--role", "root=root", "--role", "release=release")
    expect(0, "keys", "sign", "1.json", "--sign-key", "root.key")
    expect(0, "keys", "publish", "1.json", "--to", "cdn")
    publish = ["publish", "dist", "--to", "cdn", "--app", "shop", "--base-url", "https://cdn.example/shop"]
    done = expect(0, *publish, "--sign-with", command)
    if "sign" not in done.stderr or "publish" not in done.stderr:
        raise Wrong(f"the program does not say what it signs: {done.stderr}")
    expect(0, "verify", "cdn", "--trust", "1.json")
    expect(0, "install", "cdn", "--into", "phone", "--trust", "1.json")
    # A key not named in the root signs nothing.
    made("openssl", "genpkey", "-algorithm", "ED25519", "-out", folder / "other.key")
    made("openssl", "pkey", "-in", folder / "other.key", "-pubout", "-out", folder / "other.pub")
    expect(0, "keys", "root", "--app", "shop", "-o", "other.json", "--key", "root=root.pub", "--key",
           "other=other.pub", "--role", "root=root", "--role", "release=other")
    expect(0, "keys", "sign", "other.json", "--sign-key", "root.key")
    expect(0, "keys", "publish", "other.json", "--to", "foreign")
    publish[3] = "foreign"
    done = expect(2, *publish, "--sign-with", command)
    if "does not accept" not in done.stderr or (folder / "foreign/channels").exists():
        raise Wrong(f"a key that the root does not name: {done.stderr}")
    # A dependency of the program is missing: its own message is shown, and nothing is published.
    if program is softhsm:
        environment["PKCS11_PIN"] = "999999"
    elif program is aws_kms and "--aws" in sys.argv:
        environment["AWS_ENDPOINT_URL"] = "http://127.0.0.1:9"
    else:
        environment["PATH"] = str(folder / "none") + ":" + str(pathlib.Path(sys.executable).parent)
    before = (folder / "cdn/channels/production/pointer.json").read_bytes()
    done = run(TOOL, "renew", "cdn", "--expires-in-days", "9", "--sign-with",
               f"{sys.executable} {command}", cwd=folder, env=environment)
    if done.returncode != 2 or not done.stderr.strip():
        raise Wrong(f"without what it needs: exit code {done.returncode}: {done.stderr}")
    if (folder / "cdn/channels/production/pointer.json").read_bytes() != before:
        raise Wrong("the pointer changed although nobody signed")
    if PIN in done.stderr + done.stdout:
        raise Wrong("the PIN was printed")


def main():
    wrong = []
    for program in PROGRAMS:
        with tempfile.TemporaryDirectory(prefix="packtool-signing-") as name:
            try:
                check(program, pathlib.Path(name))
            except Wrong as reason:
                wrong.append(program.__name__)
                print(f"WRONG {program.__name__}: {reason}")
    print(f"signing: {len(PROGRAMS)} programs of examples/signing, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
