"""The end-to-end case: a WebView shows the release that packtool publishes and installs.

Publishes the storefront to a directory, installs it from there, opens every page of the installed tree
through the custom scheme, and requires that everything loads from the package and is rendered.
"""
import json
import os
import shutil
import struct
import subprocess
import zlib

from cases import failures

SHOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../examples/storefront")
HOST = "shop.example.com"
# Checks in a page after it has loaded.
CHECKS = """
  check('pictures', () => [...document.images].every(one => one.complete && one.naturalWidth > 0));
  check('styled', () => [...document.styleSheets].length > 0
    && getComputedStyle(document.body).margin !== '8px');
  check('fonts', () => document.fonts.ready.then(fonts => [...fonts].every(font => font.status !== 'error')
    && [...fonts].some(font => font.status === 'loaded')));
"""
EXPECTED = {"pictures": True, "styled": True, "fonts": True}


def run(packtool, *arguments):
    done = subprocess.run([packtool, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"error: packtool {' '.join(arguments)} ended with {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def prove(engine, packtool, output):
    """Lines about observations, and lines about failures."""
    config = os.path.join(SHOP, "packtool.yaml")
    origin, phone = os.path.join(output, "origin"), os.path.join(output, "phone")
    for directory in (origin, phone):
        shutil.rmtree(directory, ignore_errors=True)
    seen, wrong = [], []
    for release in ("1.0.0", "1.1.0"):
        run(packtool, "publish", os.path.join(SHOP, "dist", release), "--config", config, "--to", origin,
            "--label", release, "--json")
        state = run(packtool, "install", origin, "--into", phone, "--json")
        tree = os.path.realpath(os.path.join(phone, "current"))
        pages = sorted(os.path.relpath(os.path.join(folder, name), tree)
                       for folder, _, names in os.walk(tree) for name in names if name.endswith(".html"))
        asked = set()
        for page in pages:
            picture = os.path.join(output, f"storefront-{release}-{os.path.basename(page)[:-5]}.png")
            report = engine.load(
                {
                    "page": f"customscheme://{HOST}/{page}",
                    "scheme": "customscheme",
                    "package": tree,
                    "proxy": engine.network.address,
                    "client": {"profile": "basename-cache"},
                    "size": [1024, 1400],
                    "checks": CHECKS,
                    "snapshot": picture,
                    "patience": 3,
                }
            )
            asked |= {one["url"] for one in report["asked"] if one.get("answer") == "ok"}
            wrong += [f"storefront {release} {page}: {line}" for line in judge(report, picture)]
        seen.append(f"storefront {release}: installed by {state['route']}, {len(pages)} pages drawn, "
                    f"{len(asked)} files asked for through the scheme, none failed" if not wrong else
                    f"storefront {release}: wrong")
    return seen, wrong


def judge(report, picture):
    if report.get("failure"):
        return [report["failure"]]
    wrong = [f"failed: {url}" for url in failures(report)]
    wrong += [f"went to the network: {one['url']}" for one in report["network"]]
    wrong += [f"console: {line}" for line in report["console"] if "ERROR" in line]
    wrong += [
        f"a script failed: {one['message']}"
        for one in report["events"]
        if one["event"] in ("script", "rejection")
    ]
    if report["facts"] != EXPECTED:
        wrong.append(f"facts are {report['facts']}")
    colours = count_colours(picture)
    if colours < 50:
        wrong.append(f"the picture has {colours} colours: nothing was drawn")
    return wrong


def count_colours(name):
    """Distinct pixels of an 8-bit PNG as written by cairo, sampled."""
    with open(name, "rb") as file:
        data = file.read()
    position, packed, width, channels = 8, b"", 0, 4
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position:position + 8])
        chunk = data[position + 8:position + 8 + length]
        if kind == b"IHDR":
            width, _, _, colour = struct.unpack(">IIBB", chunk[:10])
            channels = {2: 3, 6: 4}[colour]
        elif kind == b"IDAT":
            packed += chunk
        position += 12 + length
    rows, stride, previous, seen = zlib.decompress(packed), width * channels, None, set()
    for start in range(0, len(rows), stride + 1):
        row = unfilter(rows[start], bytearray(rows[start + 1:start + 1 + stride]), previous, channels)
        seen.update(bytes(row[x:x + channels]) for x in range(0, stride, channels * 3))
        previous = row
    return len(seen)


def unfilter(kind, row, above, step):
    """Undoes a PNG row filter (PNG specification, section 9)."""
    above = above or bytearray(len(row))
    for x in range(len(row)):
        left = row[x - step] if x >= step else 0
        corner = above[x - step] if x >= step else 0
        if kind == 1:
            row[x] = (row[x] + left) & 255
        elif kind == 2:
            row[x] = (row[x] + above[x]) & 255
        elif kind == 3:
            row[x] = (row[x] + (left + above[x]) // 2) & 255
        elif kind == 4:
            guess = left + above[x] - corner
            distances = (abs(guess - left), abs(guess - above[x]), abs(guess - corner))
            row[x] = (row[x] + (left, above[x], corner)[distances.index(min(distances))]) & 255
    return row
