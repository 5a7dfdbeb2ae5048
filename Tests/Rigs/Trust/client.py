"""A client's checks of signed pointers, written only from docs/formats.md, with `cryptography`.

It shares no code with packtool. `decide` returns a client's decision about a pointer, `choose` the release
for the device, and `receive` applies it: the results equal those of `packtool install --trust`.
It writes nothing, and reads packages with zipfile: a client that writes also needs the strict zip profile, as
in examples/client/client.py.
"""
import base64
import dataclasses
import datetime
import hashlib
import io
import json
import re
import unicodedata
import urllib.parse
import zipfile
import zlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

POINTER = "application/vnd.packtool.pointer+json"
ROOT = "application/vnd.packtool.root+json"
LIMIT = 64 << 10
STEPS = 32
DAY = 86400
ED25519 = bytes.fromhex("302a300506032b6570032100")
P256 = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200") + b"\4"
SMALL_ORDER = {
    0, 1, 2**255 - 20,
    *(int.from_bytes(bytes.fromhex(y), "little") for y in (
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")),
}


# Limits of docs/formats.md.
DEEPEST, KEYS, ROLES, SIGNATURES, FLOORS, FALLBACKS, DELTAS, ASSETS = 16, 32, 16, 64, 100, 8, 100, 200_000
BIGGEST = 2**53 - 1
PLATFORMS = ("ios", "android")
NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?")
JUNK = re.compile(r"\.DS_Store|Thumbs\.db|desktop\.ini|__MACOSX|\.git|\.svn|\.hg|\.Spotlight-V100|\.Trashes|"
                  r"\.fseventsd|\._.*|\.#.*|.*~|#.*#|\..*\.sw[pox]|\.sw[pox]|\.packtool-rewrite\.json|"
                  r"\.[0-9a-f]{32}\.packtool", re.DOTALL)
DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])(\..*)?", re.I | re.A | re.DOTALL)
BASE_URL = re.compile(r"https?://(?!:)[^/@]+(/[^/]+)*")


class Refused(Exception):
    """A refusal with the code of packtool's error."""


def strict(text):
    """Parses strict JSON as defined in docs/formats.md; objects are `Members`."""
    def unique(pairs):
        if len({name for name, _ in pairs}) != len(pairs):
            raise ValueError("a name appears twice")
        return Members(pairs)

    def integer(digits):
        value = int(digits)
        if abs(value) > BIGGEST:
            raise ValueError(f"{digits} is beyond 2^53 - 1")
        return value

    def refuse(word):
        raise ValueError(f"{word} is not JSON")

    try:
        # A number with a fraction is not an integer, but is allowed in ignored members.
        value = json.loads(text.decode("utf-8"), object_pairs_hook=unique, parse_int=integer,
                           parse_float=Fraction, parse_constant=refuse)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    look(value, 1)
    return value


class Fraction(str):
    """A number with a fraction, as written; not a text."""


def look(value, depth):
    """Refuses deep nesting, and text that UTF-8 cannot represent."""
    if depth > DEEPEST:
        raise ValueError(f"nested deeper than {DEEPEST}")
    if isinstance(value, str):
        value.encode("utf-8")
    elif isinstance(value, Members):
        for name in value:
            name.encode("utf-8")
        value = value.values()
    if not isinstance(value, (str, int, type(None))):
        for element in value:
            look(element, depth + 1)


class Members(dict):
    """An object with typed access to its members; a ValueError for anything else."""

    def named(self):
        """Checks on first access that the names also differ as normalized text."""
        if len({unicodedata.normalize("NFC", name) for name in self}) != len(self):
            raise ValueError("two names are the same text")
        return self

    def may(self, name, kind, *how):
        """A member that may be missing or null."""
        return None if self.get(name) is None else kind(self[name], *how)

    def must(self, name, kind, *how):
        if self.get(name) is None:
            raise ValueError(f"{name} is missing")
        return kind(self[name], *how)


def string(value, most=None):
    if type(value) is not str or most is not None and len(value.encode()) > most:
        raise ValueError(f"{value!r} is no text, or longer than {most} bytes")
    return value


def matching(value, form):
    if not re.fullmatch(form, string(value)):
        raise ValueError(f"{value!r} has not the form {form}")
    return value


def path(value):
    """A path by the first list of "Names"."""
    if re.search("[\0-\x1f\x7f-\x9f\\\\]", string(value)) or any(
            part in ("", ".", "..") or len(part.encode()) > 255 for part in value.split("/")):
        raise ValueError(f"{value!r} is no path")
    return value


def packaged(value):
    """A path by both lists of "Names", as in a manifest or package."""
    parts = path(string(value, 1024)).split("/")
    if (len(parts) > 32 or ":" in value or unicodedata.normalize("NFC", value) != value
            or any(part[-1] in ". " or DEVICE.fullmatch(part) or JUNK.fullmatch(part) for part in parts)):
        raise ValueError(f"{value!r} is not for packages")
    return value


def app_name(value):
    return matching(value, NAME)


def channel_name(value):
    if app_name(value) != value.lower():
        raise ValueError(f"{value} has capitals")
    return value


def digest(value):
    return matching(value, "[0-9a-f]{64}")


def release_version(value):
    return matching(value, "[0-9a-f]{20}")


def flag(value):
    if type(value) is not bool:
        raise ValueError(f"{value!r} is not true or false")
    return value


def members(value):
    if not isinstance(value, Members):
        raise ValueError(f"{value!r} is no object")
    return value.named()


def elements(value, most):
    if not isinstance(value, list) or len(value) > most:
        raise ValueError(f"no list of at most {most}")
    return value


def at_most(value, most):
    """An object whose names are data."""
    if len(members(value)) > most:
        raise ValueError(f"more than {most} members")
    return value


def decoded(text):
    data = base64.b64decode(string(text), validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError("not the one spelling of base64")
    return data


def whole(value, low, high=BIGGEST):
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{value} is no number from {low} to {high}")
    return value


def moment(text):
    matching(text, "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
    # Python has no year 0; the calendar repeats after 400 years.
    early = text.startswith("0000")
    time = datetime.datetime.fromisoformat("0400" + text[4:] if early else text)
    return int(time.timestamp()) - (146_097 * DAY if early else 0)


def native_version(text):
    matching(text, r"[0-9]{1,9}(\.[0-9]{1,9}){0,3}")
    return [int(number) for number in text.split(".")]


def public(spki, algorithm):
    """A verification key; raises for an invalid key, or one with forgeable signatures."""
    if algorithm == "ed25519":
        if len(spki) != 44 or not spki.startswith(ED25519):
            raise ValueError("not an Ed25519 key")
        y = int.from_bytes(spki[12:], "little") & (2**255 - 1)
        if y >= 2**255 - 19 or y in SMALL_ORDER:
            raise ValueError("a weak key")
        return ed25519.Ed25519PublicKey.from_public_bytes(spki[12:])
    if len(spki) != 91 or not spki.startswith(P256):
        raise ValueError("not a P-256 key")
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), spki[26:])


def verifies(key, signature, message):
    if len(signature) != 64:
        return False
    try:
        if isinstance(key, ed25519.Ed25519PublicKey):
            key.verify(signature, message)
        else:
            r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
            key.verify(utils.encode_dss_signature(r, s), message, ec.ECDSA(hashes.SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return True


@dataclasses.dataclass
class Envelope:
    type: str
    payload: bytes
    signatures: list

    @classmethod
    def read(cls, data, type):
        if len(data) > LIMIT:
            raise ValueError("larger than 64 KiB")
        value = members(strict(data))
        if value.must("payloadType", string) != type:
            raise ValueError("another type")
        signatures = [members(s) for s in value.must("signatures", elements, SIGNATURES)]
        payload = value.must("payload", decoded)
        if value.may("digest", digest) not in (None, hashlib.sha256(payload).hexdigest()):
            raise ValueError("damaged")
        return cls(type, payload,
                   [(s.must("keyid", string), s.must("sig", decoded)) for s in signatures])

    @property
    def message(self):
        head = f"DSSEv1 {len(self.type.encode())} {self.type} {len(self.payload)} "
        return head.encode() + self.payload


@dataclasses.dataclass
class Root:
    app: str
    version: int
    epoch: int
    created: int
    expires: int
    keys: dict
    roles: dict
    floors: dict
    data: bytes = b""

    @classmethod
    def parse(cls, payload):
        value = members(strict(payload))
        value.must("schema", whole, 1, 1)
        keys = {}
        for keyid, key in value.must("keys", at_most, KEYS).items():
            spki = members(key).must("public", decoded)
            if hashlib.sha256(spki).hexdigest() != keyid:
                raise ValueError("id and key disagree")
            algorithm = key.must("algorithm", string)
            known = algorithm in ("ed25519", "ecdsa-p256-sha256")
            keys[keyid] = public(spki, algorithm) if known else None
            key.may("name", string, 200)
        roles = {}
        for name, role in value.must("roles", at_most, ROLES).items():
            ids = [string(keyid) for keyid in members(role).must("keys", elements, KEYS)]
            if len(set(ids)) != len(ids) or not set(ids) <= keys.keys():
                raise ValueError("a key twice, or an unknown one")
            roles[name] = (ids, role.must("threshold", whole, 1, len(ids)))
        if "root" not in roles:
            raise ValueError("no role root")
        root = cls(value.must("app", app_name), value.must("version", whole, 1),
                   value.must("epoch", whole, 1), value.must("createdAt", moment),
                   value.must("expires", moment), keys, roles,
                   {channel_name(c): whole(n, 1)
                    for c, n in (value.may("floors", at_most, FLOORS) or {}).items()})
        if not root.created < root.expires <= root.created + 1827 * DAY:
            raise ValueError("a lifetime of more than five years")
        return root

    def role(self, channel):
        return self.roles.get(f"release:{channel}") or self.roles.get("release")

    def accepts(self, envelope, role):
        if role is None:
            return False
        ids, threshold = role
        signers = {keyid for keyid, signature in envelope.signatures
                   if keyid in ids and self.keys[keyid] is not None
                   and verifies(self.keys[keyid], signature, envelope.message)}
        return len(signers) >= threshold


def own_root(data):
    """A self-signed root: a pin, or a stored one."""
    try:
        envelope = Envelope.read(data, ROOT)
        root = Root.parse(envelope.payload)
    except ValueError as error:
        raise Refused("trust.invalid-root") from error
    if not root.accepts(envelope, root.roles["root"]):
        raise Refused("trust.bad-signature")
    root.data = data
    return root


def next_root(root, data):
    try:
        envelope = Envelope.read(data, ROOT)
    except ValueError as error:
        raise Refused("trust.invalid-root") from error
    if not root.accepts(envelope, root.roles["root"]):
        raise Refused("trust.bad-signature")
    new = None
    try:
        new = Root.parse(envelope.payload)
    except ValueError as error:
        raise Refused("trust.invalid-root") from error
    if new.version != root.version + 1 or new.app != root.app or new.epoch < root.epoch:
        raise Refused("trust.root-cannot-follow")
    if not new.accepts(envelope, new.roles["root"]):
        raise Refused("trust.bad-signature")
    new.data = data
    return new


def content(value):
    value.must("url", string)
    value.must("sha256", digest)
    value.must("size", whole, 0)
    return value


def is_above(version, highest):
    """Whether a native version is above the range of `highest`."""
    return next((a > b for a, b in zip(version + [0] * 4, highest) if a != b), False)


def native_range(value):
    """The lowest and the highest native version, or None."""
    lowest, highest = (value.may(name, native_version) for name in ("minNativeVersion", "maxNativeVersion"))
    if lowest and highest and is_above(lowest, highest):
        raise ValueError("maxNativeVersion is below minNativeVersion")
    return lowest, highest


def entry(value):
    """Checks a release offered by a pointer."""
    if value.must("version", release_version) != value.must("packageHash", digest)[:20]:
        raise ValueError("version and packageHash disagree")
    tree = value.must("tree", members)
    tree.must("assets", whole, 0, ASSETS)
    tree.must("size", whole, 0)
    value.may("label", string)
    value.may("launch", path)
    content(value.must("info", members))
    content(value.must("package", members))
    for delta in value.must("deltas", elements, DELTAS):
        content(members(delta))
        delta.must("from", release_version)
        delta.must("fromHash", digest)
        delta.must("memory", whole, 0)
        delta.may("coded", whole, 0)
        delta.may("copied", whole, 0)
    value.must("rollout", whole, 0, 100)
    value.may("rolloutSalt", string, 64)
    native_range(value)
    platforms = value.may("platforms", members)
    for name in PLATFORMS if platforms else ():
        platforms.may(name, lambda one: native_range(members(one)))


def parse_pointer(payload):
    """The payload of a pointer, after checking every member in docs/formats.md."""
    value = members(strict(payload))
    value.must("schema", whole, 1, 1)
    value.must("app", app_name)
    value.must("channel", channel_name)
    sequence = value.must("sequence", whole, 1)
    value.may("previous", whole, 1, sequence - 1)
    value.may("root", whole, 1)
    value.may("operation", string)
    value.may("by", string, 200)
    if source := value.may("source", members):
        source.must("channel", channel_name)
        source.must("sequence", whole, 1)
    value.must("createdAt", moment)
    value.may("expires", moment)
    value.must("mandatory", flag)
    value.may("mandatorySequence", whole, 1, sequence)
    value.must("enabled", flag)
    value.may("bypass", flag)
    value.may("proposed", flag)
    if value.may("closed", flag) and (value["enabled"] or value.get("expires") is not None):
        raise ValueError("a closed pointer is enabled or expires")
    for one in [value, *(value.may("fallbacks", elements, FALLBACKS) or [])]:
        entry(members(one))
    return value


def check_places(value):
    """Checks that an entry's URLs consist of the base URL and the keys of the origin."""
    for one in [value, *(value.get("fallbacks") or [])]:
        version, info = one["version"], one["info"]
        place = f"/releases/{version}/"
        name = next((n for n in ("info.json", f"info-{info['sha256'][:16]}.json")
                     if info["url"].endswith(place + n)), None)
        base = info["url"].removesuffix(f"{place}{name}")
        parts = [urllib.parse.unquote(part) for part in base.split("/")[3:]]
        if (name is None or not re.fullmatch(BASE_URL, base) or re.search(r'[^!-~]|[?#\\<>"^`{}|]', base)
                or any(part in (".", "..") or "/" in part for part in parts)
                or one["package"]["url"] != f"{base}{place}package.zip"
                or any(d["url"] != f"{base}{place}delta-{d['from']}.zip" for d in one["deltas"])):
            raise Refused("origin.url-elsewhere")


@dataclasses.dataclass
class State:
    """The stored state of a client: its root, and the last accepted pointer."""
    root: Root | None = None
    checked: int | None = None
    epoch: int | None = None
    sequence: int = 0
    payload: str | None = None
    # The packageHash of the installed release.
    installed: str | None = None


def decide(state, pin, clock, channel, pointer, fetch):
    """Returns the payload of an accepted pointer, and updates `state`; raises Refused.

    `fetch(version)` returns the bytes of root/<version>.json, or None.
    """
    root = state.root
    if pin is not None and root is not None:
        if pin.app != root.app or pin.version == root.version and pin.data != root.data:
            raise Refused("trust.root-differs")
        root = max(root, pin, key=lambda r: r.version)
    root = root or pin
    try:
        envelope = Envelope.read(pointer, POINTER)
    except ValueError as error:
        raise Refused("origin.invalid-pointer") from error
    walked = False

    def walk():
        nonlocal root, walked
        for _ in range(STEPS):
            data = fetch(root.version + 1)
            if data is None:
                break
            root = next_root(root, data)
            state.root = root
            if not due and named() == root.version and root.accepts(envelope, root.role(channel)) \
                    and root.expires > max(clock, root.created):
                # Not the daily refresh.
                return
        walked = True

    def named():
        """The root named by the pointer."""
        try:
            return parse_pointer(envelope.payload).get("root")
        except ValueError:
            return None

    due = state.checked is None or not 0 <= clock - state.checked < DAY
    if due or not root.accepts(envelope, root.role(channel)) or root.expires <= max(clock, root.created):
        walk()
    while True:
        now = max(clock, root.created)
        if root.expires <= now:
            raise Refused("trust.root-expired")
        if root.role(channel) is None:
            raise Refused("trust.no-role")
        if not root.accepts(envelope, root.role(channel)):
            raise Refused("trust.unsigned" if not envelope.signatures else "trust.bad-signature")
        try:
            value = parse_pointer(envelope.payload)
        except ValueError as error:
            raise Refused("origin.invalid-pointer") from error
        if value["channel"] != channel or value["app"] != root.app:
            raise Refused("origin.invalid-pointer")
        if (value.get("root") or 0) <= root.version:
            break
        if walked:
            raise Refused("trust.root-missing")
        walk()
    same = state.epoch == root.epoch
    digest = hashlib.sha256(envelope.payload).hexdigest()
    if value["sequence"] < max(root.floors.get(channel, 0), state.sequence if same else 0):
        raise Refused("install.replayed")
    if same and value["sequence"] == state.sequence and state.payload not in (None, digest):
        raise Refused("install.split-view")
    expires = value.may("expires", moment)
    if expires is not None and expires <= now:
        raise Refused("install.expired")
    check_places(value)
    if walked or state.checked is None:
        state.checked = now
    # A pin is only stored with an accepted pointer.
    state.root = root
    state.epoch, state.sequence, state.payload = root.epoch, value["sequence"], digest
    return value


def bucket(app, channel, salt, device):
    """A number from 0 to 9,999."""
    lines = ["packtool rollout 1", app, channel, salt, device]
    return int.from_bytes(hashlib.sha256("\n".join(lines).encode()).digest()[:8], "big") % 10_000


def salt(one):
    """The salt that selects, with a device's id, the devices of an entry's share."""
    return one["packageHash"] if one.get("rolloutSalt") is None else one["rolloutSalt"]


def choose(value, native, device, installed, platform=None):
    """The entry of an accepted pointer for a device; None to keep the installed release.

    `native`, `device` and `platform` are texts, or None if unknown; `installed` is a packageHash.
    """
    if value.get("bypass"):
        raise Refused("install.bypassed")
    if value.get("closed"):
        if installed is None:
            raise Refused("install.closed")
        return None
    if not value["enabled"]:
        raise Refused("install.disabled")
    version = native and native_version(native)
    for one in [value, *(value.get("fallbacks") or [])]:
        own = (one.get("platforms") or {}).get(platform) if platform in PLATFORMS else None
        lowest, highest = native_range(one if own is None else own)
        if (lowest or highest) and not version:
            continue
        if lowest and version + [0] * (4 - len(version)) < lowest + [0] * (4 - len(lowest)):
            continue
        if highest and is_above(version, highest):
            continue
        share = 100 * one["rollout"]
        if (one["rollout"] == 100 or one["packageHash"] == installed
                or device is not None and bucket(value["app"], value["channel"], salt(one), device) < share):
            return one
    return None


def receive(state, value, read):
    """Fetches the package of an accepted pointer's first entry, and checks all its names and content.

    Only valid if every device may have that entry. `read(place)` returns the bytes of a file of the origin,
    or None. Returns the files; updates `state`; raises Refused.
    """
    if state.installed == value["packageHash"]:
        return None
    reference = value["package"]
    base = reference["url"].rpartition("/releases/")[0]
    data = read(urllib.parse.unquote(reference["url"].removeprefix(base + "/")))
    if data is None:
        raise Refused("origin.missing")
    if len(data) != reference["size"] or hashlib.sha256(data).hexdigest() != reference["sha256"]:
        raise Refused("origin.differs")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            entries = package.infolist()
            if value["tree"] != {"assets": len(entries), "size": sum(entry.file_size for entry in entries)}:
                raise Refused("origin.differs")
            # zipfile reads no more of an entry than its size, and checks its CRC-32.
            files = {packaged(entry.filename): package.read(entry) for entry in entries}
    except (zipfile.BadZipFile, zlib.error, ValueError) as error:
        raise Refused("origin.differs") from error
    listing = b"".join(hashlib.sha256(content).hexdigest().encode() + b"  " + name + b"\n"
                       for name, content in sorted((name.encode(), one) for name, one in files.items()))
    if len(files) != len(entries) or hashlib.sha256(listing).hexdigest() != value["packageHash"]:
        raise Refused("origin.differs")
    state.installed = value["packageHash"]
    return files
