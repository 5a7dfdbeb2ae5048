"""A client's checks of signed pointers, written from docs/formats.md alone, with `cryptography`.

It shares no code with packtool. `decide` says what a client does with a pointer: the same verdicts as
`packtool install --trust`.
"""
import base64
import dataclasses
import datetime
import hashlib
import json
import re

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


class Refused(Exception):
    """The verdict is the code of packtool's error."""


def strict(text):
    """JSON without duplicate names, fractions or trailing bytes."""
    def members(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            raise ValueError("a name appears twice")
        return dict(pairs)

    def refuse(word):
        raise ValueError(f"{word} is not a whole number")

    return json.loads(text.decode("utf-8"), object_pairs_hook=members, parse_float=refuse,
                      parse_constant=refuse)


def decoded(text):
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError("not the one spelling of base64")
    return data


def whole(value, low, high=2**53 - 1):
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{value} is no number from {low} to {high}")
    return value


def moment(text):
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", text):
        raise ValueError(f"{text} is no time")
    return int(datetime.datetime.fromisoformat(text).timestamp())


def public(spki, algorithm):
    """A key that verifies; raises for a key that is not one, or that anybody can sign for."""
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
        value = strict(data)
        if value["payloadType"] != type:
            raise ValueError("another type")
        signatures = value["signatures"]
        if not isinstance(signatures, list) or len(signatures) > 64:
            raise ValueError("more than 64 signatures")
        return cls(type, decoded(value["payload"]), [(s["keyid"], decoded(s["sig"])) for s in signatures])

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
        value = strict(payload)
        if value["schema"] != 1:
            raise ValueError("another schema")
        keys = {}
        if len(value["keys"]) > 32 or len(value["roles"]) > 64:
            raise ValueError("too many keys or roles")
        for keyid, key in value["keys"].items():
            spki = decoded(key["public"])
            if hashlib.sha256(spki).hexdigest() != keyid:
                raise ValueError("id and key disagree")
            known = key["algorithm"] in ("ed25519", "ecdsa-p256-sha256")
            keys[keyid] = public(spki, key["algorithm"]) if known else None
        roles = {}
        for name, role in value["roles"].items():
            ids = role["keys"]
            if len(set(ids)) != len(ids) or not set(ids) <= keys.keys():
                raise ValueError("a key twice, or an unknown one")
            roles[name] = (ids, whole(role["threshold"], 1, len(ids)))
        if "root" not in roles:
            raise ValueError("no role root")
        root = cls(value["app"], whole(value["version"], 1), whole(value["epoch"], 1),
                   moment(value["createdAt"]), moment(value["expires"]), keys, roles,
                   {c: whole(n, 1) for c, n in (value.get("floors") or {}).items()})
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
    """A root that stands for itself: a pin, or a stored one."""
    try:
        envelope = Envelope.read(data, ROOT)
        root = Root.parse(envelope.payload)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused("trust.invalid-root") from error
    if not root.accepts(envelope, root.roles["root"]):
        raise Refused("trust.bad-signature")
    root.data = data
    return root


def next_root(root, data):
    try:
        envelope = Envelope.read(data, ROOT)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused("trust.invalid-root") from error
    if not root.accepts(envelope, root.roles["root"]):
        raise Refused("trust.bad-signature")
    new = None
    try:
        new = Root.parse(envelope.payload)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused("trust.invalid-root") from error
    if new.version != root.version + 1 or new.app != root.app or new.epoch < root.epoch:
        raise Refused("trust.root-cannot-follow")
    if not new.accepts(envelope, new.roles["root"]):
        raise Refused("trust.bad-signature")
    new.data = data
    return new


@dataclasses.dataclass
class State:
    """What a client stores: its root, and what it has seen."""
    root: Root | None = None
    checked: int | None = None
    epoch: int | None = None
    sequence: int = 0
    payload: str | None = None


def decide(state, pin, clock, channel, pointer, fetch):
    """Returns the payload of the pointer that is accepted, and updates `state`; raises Refused.

    `fetch(version)` gives the bytes of root/<version>.json, or None.
    """
    root = state.root
    if pin is not None and root is not None:
        if pin.app != root.app or pin.version == root.version and pin.data != root.data:
            raise Refused("trust.root-differs")
        root = max(root, pin, key=lambda r: r.version)
    root = root or pin
    state.root = root
    try:
        envelope = Envelope.read(pointer, POINTER)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
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
        walked = True

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
            value = strict(envelope.payload)
            right = value["schema"] == 1 and value["channel"] == channel and value["app"] == root.app
            whole(value["sequence"], 1)
            expires = moment(value["expires"]) if value.get("expires") else None
        except (ValueError, KeyError, TypeError) as error:
            raise Refused("origin.invalid-pointer") from error
        if not right:
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
    if expires is not None and expires <= now:
        raise Refused("install.expired")
    if walked or state.checked is None:
        state.checked = now
    state.epoch, state.sequence, state.payload = root.epoch, value["sequence"], digest
    return value
