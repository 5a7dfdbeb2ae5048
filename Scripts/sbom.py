#!/usr/bin/env python3
"""Writes the SBOM of a statically linked program, in SPDX 2.3 JSON.

  Scripts/sbom.py PROGRAM --version V --commit C [--package NAME=VERSION]... -o FILE

It lists the libraries of linked.txt in their installed versions, the Swift packages of the build, and the
Swift runtime. --package names a library built from Debian's source package, such as curl=7.88.1-10+deb12u15.
On a system without Debian packages, only the libraries given by --package are listed.
The time is SOURCE_DATE_EPOCH, by default that of the commit. The same input gives the same bytes.
"""

import argparse
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
LINKED = ROOT / "Scripts/linked.txt"
BUILD = ROOT / ".build"
# Software copied into swift-crypto: name, licence, repository, and the file there that has the revision.
COPIED = (
    ("BoringSSL", "Apache-2.0", "https://boringssl.googlesource.com/boringssl",
     "CCryptoBoringSSL/hash.txt", r"revision ([0-9a-f]{40})"),
    ("XKCP", "CC0-1.0", "https://github.com/XKCP/XKCP",
     "CXKCP/vendored-sources.txt", r"-g([0-9a-f]{7,40})\)"),
)

SWIFT_LICENCE = "Apache-2.0 WITH Swift-exception"
SWIFT_PACKAGES = {
    "flyingfox": "MIT",
    "swift-argument-parser": SWIFT_LICENCE,
    "swift-asn1": "Apache-2.0",
    "swift-crypto": "Apache-2.0",
}
PUBLIC_DOMAIN = {
    "licenseId": "LicenseRef-public-domain",
    "name": "Public domain",
    "extractedText": "liblzma is in the public domain.",
}


def fail(message, help_text):
    sys.exit(f"error: {message}\nhelp: {help_text}")


def output(*command):
    """The output of a command, or None if it is missing or fails."""
    if not shutil.which(command[0]):
        return None
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return done.stdout.strip() if done.returncode == 0 else None


def spdx_id(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version, licence, purl=None, **more):
    """One package of the document; `more` are members of SPDX."""
    entry = {
        "SPDXID": spdx_id(name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
        "copyrightText": "NOASSERTION", **more,
    }  # fmt: skip
    if purl:
        entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": purl}]
    return entry


def debian_purl(name, version, **qualifiers):
    words = "&".join(f"{key}={quote(value)}" for key, value in sorted(qualifiers.items()))
    return f"pkg:deb/debian/{quote(name)}@{quote(version, safe=':')}?{words}"


def linked(given):
    """The libraries of linked.txt."""
    table = [line.split(None, 2) for line in LINKED.read_text().splitlines() if line and line[0] != "#"]
    if unknown := set(given) - {name for name, _, _ in table}:
        fail(f"'{min(unknown)}' is not in {LINKED.name}", f"add a line for it to {LINKED}")
    has_debian = shutil.which("dpkg-query") is not None
    if not has_debian:
        table = [row for row in table if row[0] in given]
    for name, binary, licence in table:
        if not has_debian:
            yield package(name, given[name], licence, f"pkg:generic/{quote(name)}@{quote(given[name])}")
            continue
        release = platform.freedesktop_os_release()
        distribution = f"{release['ID']}-{release['VERSION_ID']}"
        if name in given:
            purl = debian_purl(name, given[name], arch="source", distro=distribution)
            yield package(name, given[name], licence, purl,
                          comment="Built from Debian's source package, with Debian's patches.")
            continue
        form = "${Version} ${Architecture} ${source:Package} ${source:Version}"
        installed = output("dpkg-query", "-W", "-f", form, binary)
        if not installed:
            fail(f"the Debian package '{binary}' is not installed",
                 f"apt-get install {binary}, and link again")
        version, architecture, source, source_version = installed.split()
        if source_version != version:
            source = f"{source}@{source_version}"
        purl = debian_purl(binary, version, arch=architecture, distro=distribution, upstream=source)
        yield package(name, version, licence, purl)


def swift_packages():
    """The packages that the build fetched, their copies of other software, and the toolchain's runtime."""
    state = BUILD / "workspace-state.json"
    if not state.exists():
        fail(f"no {state}", "build packtool first")
    for dependency in json.loads(state.read_text())["object"]["dependencies"]:
        reference, checkout = dependency["packageRef"], dependency["state"].get("checkoutState", {})
        name = reference["identity"]
        if name not in SWIFT_PACKAGES:
            fail(f"the licence of the Swift package '{name}' is not known", "add it to Scripts/sbom.py")
        version = checkout.get("version") or checkout.get("revision")
        if not version:
            fail(f"'{name}' has neither a version nor a revision", "build with its release, not a local copy")
        address = urlsplit(reference["location"])
        purl = None
        if address.scheme == "https":
            purl = f"pkg:swift/{address.hostname}{address.path.removesuffix('.git')}@{quote(version)}"
        yield package(name, version, SWIFT_PACKAGES[name], purl)
    for name, licence, repository, path, pattern in COPIED:
        file = BUILD / "checkouts/swift-crypto/Sources" / path
        revision = re.search(pattern, file.read_text())
        if not revision:
            fail(f"{file} has no revision", "read the new form of the file in Scripts/sbom.py")
        yield package(name, revision[1], licence, downloadLocation=f"git+{repository}@{revision[1]}")
    version = re.search(r"Swift version (\S+)", output("swift", "--version") or "")
    if not version:
        fail("'swift --version' printed no version", "put the toolchain that built the program on the path")
    yield package("swift-runtime", version[1], SWIFT_LICENCE,
                  f"pkg:swift/github.com/swiftlang/swift@{quote(version[1])}",
                  comment="The standard library, Dispatch and Foundation of the toolchain.")


def document(given):
    program = given.program.read_bytes()
    digest = hashlib.sha256(program).hexdigest()
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or output("git", "log", "-1", "--format=%ct", given.commit)
    if not epoch:
        fail(f"the time of the commit '{given.commit}' is not known", "set SOURCE_DATE_EPOCH")
    name = f"packtool-{given.version}-{given.platform}"
    main = package(
        "packtool", given.version, "Apache-2.0", packageFileName="bin/packtool",
        checksums=[{"algorithm": "SHA256", "checksumValue": digest}],
        sourceInfo=f"built from commit {given.commit}", primaryPackagePurpose="APPLICATION",
    )  # fmt: skip
    parts = [*linked(dict(given.package)), *swift_packages()]
    parts.sort(key=lambda part: part["SPDXID"])
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", main["SPDXID"])]
    relations += [(spdx_id("swift-crypto"), "CONTAINS", spdx_id(name)) for name, *_ in COPIED]
    relations += [(main["SPDXID"], "STATIC_LINK", part["SPDXID"]) for part in parts]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{digest}",
        "creationInfo": {
            "created": datetime.fromtimestamp(int(epoch), UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Organization: The packtool authors", f"Tool: packtool-sbom-{given.version}"],
        },
        "packages": [main, *parts],
        "relationships": [{"spdxElementId": left, "relationshipType": kind, "relatedSpdxElement": right}
                          for left, kind, right in relations],
        "hasExtractedLicensingInfos": [PUBLIC_DOMAIN],
    }  # fmt: skip


def pair(word):
    name, sign, version = word.partition("=")
    if not (name and sign and version):
        raise argparse.ArgumentTypeError(f"'{word}' is not NAME=VERSION")
    return name, version


def main():
    machine = {"arm64": "aarch64", "amd64": "x86_64"}.get(platform.machine().lower(), platform.machine())
    own = "macos-universal" if sys.platform == "darwin" else f"linux-{machine}"
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--package", type=pair, action="append", default=[])
    parser.add_argument("--platform", default=own, help="as in the tarball's name (default: this machine's)")
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    text = json.dumps(document(given), indent=2, ensure_ascii=False) + "\n"
    given.output.write_text(text, encoding="utf-8")
    print(f"sbom: {text.count('STATIC_LINK')} components in {given.output}")


if __name__ == "__main__":
    main()
