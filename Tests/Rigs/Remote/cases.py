"""The required behavior of an install over HTTP, one case each; 'lab' is defined in run.py."""

import asyncio
import base64
import json
import pathlib
import shutil
import ssl
import subprocess

from common import IS_URLSESSION, TOOL, TRAP, invocation, may_trust
from origin import FLOODS, Fault, Origin

SECRET = "hunter2-geheim"


def paths(origin: Origin) -> list[str]:
    return [entry[1].split("?")[0] for entry in origin.log]


async def requests(lab) -> None:
    """a first install and an update by delta take 2 requests, nothing new 1, which is answered by 304"""
    phone = lab.phone(False)
    async with Origin(lab.cdn) as origin:
        status, text = await lab.install(origin.url, phone)
        lab.expect("first", status == 0 and lab.state(phone) == 1, text)
        lab.expect("first requests", len(origin.log) == 2, str(paths(origin)))
        lab.expect("no condition", not any("if-none-match" in r[2] for r in origin.log))
        origin.log.clear()
        origin.sent = 0
        status, text = await lab.install(origin.url, phone)
        lab.expect("nothing new", status == 0 and len(origin.log) == 1, f"{paths(origin)} {text}")
        lab.expect("304", origin.log[0][3] == 304 and origin.sent == 0, str(origin.log))
        # A stored pointer counts for its own address alone, and is checked like a fetched one.
        async with Origin(lab.cdn) as other:
            status, text = await lab.install(other.url, phone)
            lab.expect("another address", status == 0 and other.log[0][3] == 200, f"{other.log} {text}")
    phone = lab.phone(True)
    async with Origin(lab.cdn) as origin:
        status, text = await lab.install(origin.url, phone)
        lab.expect("delta", status == 0 and lab.state(phone) == 1 and "delta" in text, text)
        lab.expect("delta requests", len(origin.log) == 2, str(paths(origin)))
        lab.expect("identity", all(r[2].get("accept-encoding") == "identity" for r in origin.log))


async def conditions(lab) -> None:
    """304 stands for the stored pointer, which is checked again, and for nothing else"""
    from run import environment

    short, name = lab.folder / "short", "channels/production/pointer.json"
    lab.publish("two", "--expires-in-days", "400", to=short)
    phone = lab.phone(False)
    async with Origin(short) as origin:
        status, text = await lab.install(origin.url, phone)
        lab.expect("install", status == 0 and lab.state(phone) == 1, text)
        later = environment()
        later["PACKTOOL_CLOCK"] = str(int(later["PACKTOOL_CLOCK"]) + 401 * 86400)
        process = await asyncio.create_subprocess_exec(
            *lab_command(lab, origin.url, phone), "--json", env=later,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )
        text = (await process.communicate())[0].decode()
        lab.expect("expired", process.returncode == 1 and '"install.expired"' in text, text)
        lab.expect("304", origin.log[-1][3] == 304 or "packtool=" in origin.log[-1][1], str(origin.log))
        # A damaged copy is not taken for the pointer, and does not stop updates.
        state = json.loads((phone / "state.json").read_text())
        state["channels"][0]["answer"]["bytes"] = base64.b64encode(b"{}").decode()
        (phone / "state.json").write_text(json.dumps(state))
        status, text = await lab.install(origin.url, phone)
        lab.expect("a damaged copy", status == 0 and lab.state(phone) == 1, text)
    for installed in (False, True):
        for path in (name, "package.zip"):
            phone = lab.phone(installed)
            async with Origin(lab.cdn, Fault("304", path=path, times=None)) as origin:
                status, text = await lab.install(origin.url, phone, "--json")
                is_done = status == 0 and lab.state(phone) == 1
                is_kept = status in (1, 2) and lab.state(phone) == (0 if installed else None)
                lab.expect(f"304 for {path}", is_kept if path == name else is_done, text)


async def two_deltas(lab) -> None:
    """two releases behind, one log entry shows two deltas in a row: 4 requests, a fraction of the package"""
    chain, name = lab.folder / "chain", "three"
    lab.builds.append(lab.build(name, lab.script.replace("v77 ", "v78x ").replace("v99 ", "v98x ")))
    shutil.copytree(lab.folder / "cdn.old", chain)
    for build in ("two", name):
        lab.publish(build, "--deltas", "1", to=chain)
    newest = len(lab.builds) - 1
    size = next(chain.glob("releases/*/package.zip")).stat().st_size
    phone = lab.phone(True)
    async with Origin(chain) as origin:
        status, text = await lab.install(origin.url, phone)
        lab.expect("installed", status == 0 and lab.state(phone) == newest and "delta" in text, text)
        kinds = [path.rsplit("/", 1)[-1].split("-")[0] for path in paths(origin)]
        expected = ["pointer.json", "2.json", "delta", "delta"]
        lab.expect("requests", kinds == expected, str(paths(origin)))
        lab.expect("bytes", 0 < origin.sent < size // 20, f"{origin.sent} of a package of {size}")
        print(f"      {len(kinds)} requests, {origin.sent} bytes; the package has {size}")
        origin.log.clear()
        status, text = await lab.install(origin.url, phone)
        lab.expect("nothing new", status == 0 and len(origin.log) == 1, f"{paths(origin)} {text}")
    # A missing entry only costs the route that it shows.
    for kind in ("404", "kept-404", "403", "flip", "empty", "endless", "gzip", "page", "cut"):
        phone = lab.phone(True)
        async with Origin(chain, Fault(kind, path="log/2.json", times=None)) as origin:
            status, text = await lab.install(origin.url, phone)
            lab.expect(f"{kind}: the package", status == 0 and lab.state(phone) == newest, text)
            lab.expect(f"{kind}: silent", "package" in text and "failed" not in text, text)
            # The manifest is read to see whether single files are smaller than the package.
            last = [path.rsplit("/", 1)[-1] for path in paths(origin) if not path.endswith("/info.json")]
            lab.expect(f"{kind}: requests", last[-2:] == ["2.json", "package.zip"], str(paths(origin)))
            lab.expect(f"{kind}: no further entry", not any("log/1.json" in p for p in paths(origin)))
        lab.faults += 1
    # Neither delta is required to reach the newest release.
    for at in (2, 3):
        phone = lab.phone(True)
        async with Origin(chain, Fault("flip", at=at, path="delta-", times=None)) as origin:
            status, text = await lab.install(origin.url, phone)
            done = status == 0 and lab.state(phone) == newest and "the delta failed" in text
            lab.expect(f"delta {at - 1} damaged", done, text)
        lab.faults += 1


async def resumes(lab) -> None:
    """an interrupted package continues by Range, in the run and in the next one"""
    phone = lab.phone(False)
    async with Origin(lab.cdn, Fault("cut", path="package.zip")) as origin:
        status, text = await lab.install(origin.url, phone)
        ranges = [r[2].get("range") for r in origin.log if "package.zip" in r[1]]
        lab.expect(
            "in the run", status == 0 and ranges[0] is None and ranges[1] is not None, f"{ranges} {text}"
        )
    phone = lab.phone(False)
    async with Origin(lab.cdn, Fault("stall", path="package.zip", times=None)) as origin:
        process = await asyncio.create_subprocess_exec(
            *lab_command(lab, origin.url, phone),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        for _ in range(200):
            await asyncio.sleep(0.05)
            parts = list(phone.glob(".parts/*"))
            if parts and parts[0].stat().st_size > 0:
                break
        process.kill()
        await process.wait()
        size = parts[0].stat().st_size
        origin.log.clear()
        origin.fault = None
        status, text = await lab.install(origin.url, phone)
        ranges = [r[2].get("range") for r in origin.log if "package.zip" in r[1]]
        lab.expect("next run", status == 0 and ranges == [f"bytes={size}-"], f"{ranges} {size} {text}")
        lab.expect("whole", lab.state(phone) == 1 and not (phone / ".parts").exists())
    # Regression: a link in place of the directory for parts was followed, and its content removed.
    phone = lab.phone(False)
    others = lab.folder / "others"
    others.mkdir()
    (others / "mine.txt").write_text("mine")
    phone.mkdir()
    (phone / ".parts").symlink_to(others)
    async with Origin(lab.cdn) as origin:
        status, text = await lab.install(origin.url, phone)
        lab.expect("a link at .parts", status == 2 and "help:" in text, f"{status} {text}")
        lab.expect("what is behind it", [path.name for path in others.iterdir()] == ["mine.txt"])


def lab_command(lab, url: str, phone: pathlib.Path) -> list[str]:
    return invocation("install", url, "--into", str(phone))


async def mirrors(lab) -> None:
    """a mirror with wrong bytes is used for one file only; an unreachable first address is harmless"""
    for kind in ("flip", "404", "page", "500"):
        phone = lab.phone(False)
        fault = Fault(kind, path="package.zip", times=None)
        async with Origin(lab.cdn, fault) as bad, Origin(lab.cdn) as good:
            status, text = await lab.install(bad.url, phone, "--mirror", good.url)
            lab.expect(f"{kind} with mirror", status == 0 and lab.state(phone) == 1, text)
            # A missing file may exist in the next release.
            is_named = f"'{bad.url}' was not asked again: " in text
            lab.expect(f"{kind}: the first address is named", is_named == (kind != "404"), text)
            is_last = paths(bad)[-1].endswith("package.zip")
            lab.expect(f"{kind}: nothing else is requested there", is_last, str(paths(bad)))
    phone = lab.phone(False)
    async with Origin(lab.cdn) as good:
        status, text = await lab.install("http://127.0.0.1:9", phone, "--mirror", good.url)
        lab.expect("dead first", status == 0 and lab.state(phone) == 1, text)


async def routes(lab) -> None:
    """a failing delta falls back to the package, a failing package to single files"""
    phone = lab.phone(True)
    async with Origin(lab.cdn, Fault("flip", path="delta-", times=None)) as origin:
        status, text = await lab.install(origin.url, phone)
        lab.expect("package", status == 0 and lab.state(phone) == 1 and "the delta failed" in text, text)
    for kind in ("404", "500", "page"):
        phone = lab.phone(False)
        async with Origin(lab.cdn, Fault(kind, path="package.zip", times=None)) as origin:
            status, text = await lab.install(origin.url, phone)
            is_whole = status == 0 and lab.state(phone) == 1
            lab.expect(f"files, {kind}", is_whole and "single files" in text, text)
    phone = lab.phone(True)
    async with Origin(lab.cdn, Fault("404", path="releases/", times=None)) as origin:
        status, text = await lab.install(origin.url, phone)
        lab.expect("stays", status == 1 and lab.state(phone) == 0 and "origin.missing" not in text, text)


async def caches(lab) -> None:
    """cached 404s, cached wrong bytes and an old pointer are bypassed"""
    for kind in ("kept-404", "wrong-cached"):
        for path in ("package.zip", "delta-"):
            phone = lab.phone(path == "delta-")
            async with Origin(lab.cdn, Fault(kind, path=path, times=None)) as origin:
                status, text = await lab.install(origin.url, phone)
                is_done = status == 0 and lab.state(phone) == 1 and path.strip("-").split(".")[0] in text
                lab.expect(f"{kind} {path}", is_done and "failed" not in text, text)
    phone = lab.phone(True)
    async with Origin(lab.cdn) as origin:
        await lab.install(origin.url, phone)
        origin.fault = Fault("stale", path="pointer.json", times=None)
        status, text = await lab.install(origin.url, phone)
        lab.expect("stale pointer", status == 0 and lab.state(phone) == 1, text)


async def refusals(lab) -> None:
    """each bad server gets its own error, and the installed release stays"""
    expected = {
        "page": ("http.page-for-file", "pointer"),
        "gzip": ("http.transformed", "pointer"),
        "endless": ("http.too-large", "pointer"),
        "redirect-loop": ("http.redirect", "pointer"),
        "redirect-file": ("http.redirect", "pointer"),
        "500": ("http.status", "pointer"),
        "400": ("http.status", "pointer"),
        "refuse": ("http.interrupted", "pointer"),
        "mute": ("http.too-slow", "pointer"),
        "404": ("origin.nothing-published", "pointer"),
    }

    async def one(kind: str, code: str, path: str) -> None:
        phone = lab.phone(True)
        async with Origin(lab.cdn, Fault(kind, path=path, times=None)) as origin:
            status, text = await lab.install(origin.url, phone, "--json")
            lab.expect(f"{kind}", status in (1, 2) and f'"{code}"' in text, text)
            lab.expect(f"{kind} stays", lab.state(phone) == 0)

    await asyncio.gather(*[one(kind, *rest) for kind, rest in expected.items()])
    phone = lab.phone(True)
    status, text = await lab.install("http://127.0.0.1:9/shop", phone, "--json")
    lab.expect("unreachable", status == 2 and '"http.unreachable"' in text and lab.state(phone) == 0, text)


async def floods(lab) -> None:
    """endless data around a pointer is cut off soon, and the installed release stays"""
    bounded = ["flood-headers", "flood-100"]

    async def one(kind: str) -> None:
        phone = lab.phone(True)
        async with Origin(lab.cdn, Fault(kind, path="pointer", times=None)) as origin:
            status, text = await lab.install(origin.url, phone, "--json")
            is_trap = kind == "flood-trailers" and IS_URLSESSION and TRAP in text
            lab.expect(kind, status in (1, 2) or is_trap, text)
            if IS_URLSESSION and kind not in bounded:
                lab.expect(f"{kind} stays", lab.state(phone) == 0)
                return
            if "extension" in kind:
                lab.expect(f"{kind} is named", '"http.flood"' in text and len(origin.log) == 1, text)
            # Most of it is in the buffers of the sockets, and was never read.
            each = origin.sent // len(origin.log)
            lab.expect(f"{kind}: {each} bytes for a pointer", each < 16 << 20)
            lab.expect(f"{kind} stays", lab.state(phone) == 0)

    kinds = bounded if IS_URLSESSION and not lab.long else FLOODS
    await asyncio.gather(*[one(kind) for kind in kinds])


async def secrets(lab) -> None:
    """user, password and query of a URL are sent but never shown; a password goes to no other host"""
    word = base64.b64encode(f"me:{SECRET}".encode()).decode()
    async with Origin(lab.cdn, password=word) as origin:
        address = origin.url.replace("://", f"://me:{SECRET}@") + f"?token={SECRET}"
        for fault, expected in (
            (None, 0),
            (Fault("page", times=None), 1),
            (Fault("500", times=None), 2),
            (Fault("redirect-file", times=None), 2),
        ):
            origin.fault = fault
            phone = lab.phone(False)
            status, text = await lab.install(address, phone, "--json")
            lab.expect(f"status {expected}", status == expected and SECRET not in text, text)
        lab.expect("query sent", all(f"token={SECRET}" in r[1] for r in origin.log))
        async with Origin(lab.cdn) as other:
            origin.fault, origin.elsewhere = Fault("redirect-host", times=None), other.url
            status, text = await lab.install(address, lab.phone(False))
            lab.expect("other host", status == 0 and other.log != [], text)
            lab.expect("no password", all("authorization" not in r[2] for r in other.log))
    status, text = await lab.install(f"http://me:{SECRET}@cdn.example.com/shop", lab.phone(False))
    lab.expect("plain http", status == 64 and SECRET not in text, f"{status} {text}")


async def certificates(lab) -> None:
    """an unverifiable certificate is refused; with --ca-file or SSL_CERT_FILE it is accepted"""
    key, cert = lab.folder / "key.pem", lab.folder / "cert.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-keyout",
            str(key),
            "-out",
            str(cert),
            "-days",
            "30",
            "-subj",
            "/CN=127.0.0.1",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    async with Origin(lab.cdn, context=context) as origin:
        phone = lab.phone(False)
        status, text = await lab.install(origin.url, phone, "--json")
        lab.expect("refused", status == 2 and '"http.certificate"' in text and not origin.log, text)
        if not may_trust():
            print("      not tried: accepted certificates, because this needs root")
            return
        status, text = await lab.install(origin.url, phone, "--ca-file", str(cert))
        lab.expect("accepted", status == 0 and lab.state(phone) == 1, text)
        async with Origin(lab.cdn) as plain:
            origin.fault, origin.elsewhere = Fault("redirect-host", times=None), plain.url
            status, text = await lab.install(origin.url, lab.phone(False), "--ca-file", str(cert), "--json")
            lab.expect("downgrade", status == 2 and '"http.redirect"' in text and not plain.log, text)
            status, report = await lab.verify(origin.url, 1795251600, "--ca-file", str(cert))
            codes = [finding["code"] for finding in report.get("findings", [])]
            lab.expect("verify of a downgrade", status == 1 and codes == ["http.redirect"], str(report))
            lab.expect("a downgrade is not followed", not plain.log, str(plain.log))


async def moved(lab) -> None:
    """files of the pointer are deleted because a newer pointer exists: it is read again"""
    phone = lab.phone(False)
    half = lab.folder / "half"
    shutil.copytree(lab.cdn, half)
    shutil.copytree(lab.folder / "cdn.old", lab.folder / "half.old")
    for release in (half / "releases").iterdir():
        if not list(release.glob("delta-*")):
            shutil.rmtree(release)
    async with Origin(half, Fault("stale", path="pointer.json", times=1)) as origin:
        status, text = await lab.install(origin.url, phone)
        lab.expect("moved", status == 0 and lab.state(phone) == 1, text)


async def kills(lab) -> None:
    """kill -9 before and after each answer leaves the old or the new release; the next run completes it"""
    for installed in (False, True):
        for number in range(2):
            for moment in ("before", "after"):
                phone = lab.phone(installed)
                async with Origin(lab.cdn) as origin:
                    process = await asyncio.create_subprocess_exec(
                        *lab_command(lab, origin.url, phone),
                        stdout=asyncio.subprocess.DEVNULL,
                        stderr=asyncio.subprocess.DEVNULL,
                    )

                    def kill(current: int, wanted: int = number, process=process) -> None:
                        if current == wanted and process.returncode is None:
                            process.kill()

                    setattr(origin, moment, kill)
                    await process.wait()
                    what = f"kill {moment} {number}"
                    lab.expect(what, lab.state(phone) in ([0, 1] if installed else [None, 1]))
                    setattr(origin, moment, lambda _: None)
                    status, text = await lab.install(origin.url, phone)
                    lab.expect(f"{what}, again", status == 0 and lab.state(phone) == 1, text)
                    lab.expect(f"{what}, clean", not (phone / ".parts").exists())
                    lab.faults += 1


async def trust(lab) -> None:
    """with --trust over HTTP, a signed origin is installed and an unsigned or forged pointer refused"""
    from run import environment

    signed, keys, words = lab.folder / "signed", lab.folder / "keys", lab.folder / "pass.txt"
    words.write_text("correct horse battery staple\n")
    words.chmod(0o600)
    locked = ["--passphrase-file", str(words)]
    signed.mkdir()
    for command in (
        ["keys", "init", "--app", "shop", "--dir", str(keys), *locked],
        ["keys", "publish", str(keys / "1.root.json"), "--to", str(signed)],
        ["publish", str(lab.folder / "two"), "--to", str(signed), "--app", "shop", "--no-check"]
        + ["--base-url", "https://cdn.example.com/shop", "--sign-key", str(keys / "release.key"), *locked],
    ):
        done = subprocess.run([TOOL, *command], capture_output=True, text=True, env=environment())
        assert done.returncode == 0, done.stderr
    root = ["--trust", str(keys / "1.root.json")]
    phone = lab.phone(False)
    async with Origin(signed) as origin:
        status, text = await lab.install(origin.url, phone, *root)
        lab.expect("signed", status == 0 and lab.state(phone) == 1 and "root 1" in text, text)
        # A first run requests the next root once.
        asked = [path.rpartition("/")[2] for path in paths(origin)]
        wanted = ["pointer.json", "2.json", "package.zip"]
        lab.expect("signed requests", asked == wanted, str(asked))
        origin.log.clear()
        status, text = await lab.install(origin.url, phone)
        lab.expect("nothing new", status == 0 and len(origin.log) == 1, f"{paths(origin)} {text}")
    today = lab.folder / "walked-today"
    shutil.copytree(phone, today, symlinks=True)
    # A cache still has the 404 of root 2.
    second = str(keys / "2.json")
    for command in (
        ["keys", "root", str(keys / "1.root.json"), "-o", second],
        ["keys", "sign", second, "--previous", str(keys / "1.root.json")]
        + ["--sign-key", str(keys / "root.key"), *locked],
        ["keys", "publish", second, "--to", str(signed)],
        ["renew", str(signed), "--sign-key", str(keys / "release.key"), *locked],
    ):
        done = subprocess.run([TOOL, *command], capture_output=True, text=True, env=environment())
        assert done.returncode == 0, done.stderr
    async with Origin(signed, Fault("kept-404", path="root/2.json", times=None)) as origin:
        status, text = await lab.install(origin.url, phone)
        lab.expect("a kept 404 of a root", status == 0, f"{status} {text} {paths(origin)}")
    async with Origin(signed) as origin:
        status, text = await lab.install(origin.url, today)
        # It has already requested a newer root today, and the pointer names one.
        asked = [path.rpartition("/")[2] for path in paths(origin)]
        wanted = ["pointer.json", "2.json"]
        lab.expect("one request for a new root", status == 0 and asked == wanted, f"{asked} {text}")
    phone = lab.phone(False)
    async with Origin(signed) as origin:
        status, text = await lab.install(origin.url, phone, *root)
        # Root 2, and the missing root 3, which ends the refresh.
        asked = [path.rpartition("/")[2] for path in paths(origin)]
        wanted = ["pointer.json", "2.json", "3.json", "package.zip"]
        lab.expect("requests for a new root", status == 0 and asked == wanted, f"{asked} {text}")
        origin.log.clear()
        status, text = await lab.install(origin.url, phone)
        lab.expect("and then none", status == 0 and len(origin.log) == 1, f"{paths(origin)} {text}")
    async with Origin(lab.cdn) as origin:
        status, text = await lab.install(origin.url, lab.phone(False), *root)
        lab.expect("unsigned", status == 1 and "help:" in text, f"{status} {text}")
    forged = lab.folder / "forged"
    shutil.copytree(signed, forged)
    pointer = forged / "channels/production/pointer.json"
    # A well-formed signature with one bit flipped: the signature check must fail, not the parser.
    value = json.loads(pointer.read_text())
    signature = bytearray(base64.b64decode(value["signatures"][0]["sig"]))
    lab.expect("the signature's length", len(signature) == 64, str(len(signature)))
    signature[40] ^= 1
    value["signatures"][0]["sig"] = base64.b64encode(signature).decode()
    pointer.write_text(json.dumps(value))
    phone = lab.phone(False)
    async with Origin(forged) as origin:
        status, text = await lab.install(origin.url, phone, *root)
        lab.expect("forged", status == 1 and "0 valid signatures of role" in text and "help:" in text,
                   f"{status} {text}")
        lab.expect("nothing of it", not [p for p in paths(origin) if "/releases/" in p], str(paths(origin)))
        lab.expect("nothing is installed", lab.state(phone) is None)


# The cases that depend most on the transport.
TRANSPORT_CASES = [requests, resumes, caches, refusals, floods, secrets, certificates]

CASES = [
    requests,
    conditions,
    two_deltas,
    resumes,
    mirrors,
    routes,
    caches,
    refusals,
    floods,
    secrets,
    certificates,
    moved,
    kills,
    trust,
]
