#!/usr/bin/env python3
"""Every limit and form of roots, pointers and envelopes in docs/formats.md, at the limit and beyond it.

`install --trust` and client.py must decide as the document defines.

  limits.py [--only NAME] [--fail-fast] [--json FILE]
"""
import base64
import hashlib
import json
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import client
from agree import BASE, Releases
from conformance import Shop
from lab import NOW, Key, arguments, code, envelope, root, status, text

KEYS = [Key(n) for n in range(80)]
WEAK = base64.b64encode(client.ED25519 + bytes([1]) + bytes(31)).decode()
BIG = 2**53
INVALID_ROOT, INVALID_POINTER = "trust.invalid-root", "origin.invalid-pointer"
DEEP = {depth: json.loads("[" * depth + "]" * depth) for depth in (15, 16, 40)}
# Name, change to the Shop, and the code of the refusal.
CASES = []


def case(name, prepare, refusal=""):
    CASES.append((name, prepare, refusal))


def raw(kind, members, signers):
    """An envelope of a payload in which `@NAME@` stands for a text that no JSON writer makes."""
    data = json.dumps(members)
    for name, words in RAW.items():
        data = data.replace(f'"@{name}@"', words)
    return envelope(kind, data.encode(), signers)


RAW = {"twice": '1, "later": 2', "NaN": "NaN", "fraction": "1.5", "one": "1.0", "big": str(BIG),
       "small": str(-BIG), "surrogate": '"\\ud800"', "pair": '"\\ud83d\\ude00"', "exponent": "1e3",
       "edge": str(BIG - 1)}


# Roots. `basic` is a valid root.

def basic(**changes):
    return root(1, {"root": ([KEYS[1]], 1), "release": ([KEYS[2]], 1)}) | changes


def roots(name, refusal="", **changes):
    value = basic(**changes)
    case(f"root: {name}", lambda shop: shop.trust(raw(client.ROOT, value, [KEYS[1]])), refusal)


def with_roles(more):
    return basic()["roles"] | more


OWN = {"keys": [KEYS[1].id], "threshold": 1}
for count in (16, 17, 64):
    roots(f"{count} roles", "" if count <= 16 else INVALID_ROOT,
          roles=with_roles({f"release:c{n}": OWN for n in range(count - 2)}))
for count in (32, 33):
    roots(f"{count} keys", "" if count <= 32 else INVALID_ROOT, keys=root(
        1, {"root": ([KEYS[1]], 1), "release": (KEYS[2:count + 1], 1)})["keys"])
for count in (100, 101):
    roots(f"{count} floors", "" if count <= 100 else INVALID_ROOT,
          floors={f"c{n}": 1 for n in range(count)})
for days in (1827, 1828):
    roots(f"{days} days", "" if days <= 1827 else INVALID_ROOT, expires=text(NOW + days * client.DAY))
roots("expires when it is made", INVALID_ROOT, expires=text(NOW))
roots("schema 2", INVALID_ROOT, schema=2)
roots("schema true", INVALID_ROOT, schema=True)
roots("floors null", floors=None)
roots("floor 0", INVALID_ROOT, floors={"production": 0})
roots("floor 2^53 - 1", "install.replayed", floors={"production": BIG - 1})
roots("floor 2^53", INVALID_ROOT, floors={"beta": BIG})
roots("floors a list", INVALID_ROOT, floors=[])
for name in ("A B", "Beta", "", ".a", "a.", "a" * 65, "é"):
    roots(f"floor of channel '{name[:9]}'", INVALID_ROOT, floors={name: 1})
for name in ("0", "a-b_c.d-", "a" * 64):
    roots(f"floor of channel '{name[:9]}'", floors={name: 1})
for name in ("SHOP x", "", "-a", "a.", "a" * 65, "schöp"):
    roots(f"app '{name[:9]}'", INVALID_ROOT, app=name)
roots("app of another pointer", INVALID_POINTER, app="Shop-2")
roots("app 1", INVALID_ROOT, app=1)
roots("version 2", version=2)
for value in (0, -1, BIG, True, "1", None, "@one@"):
    roots(f"version {value}", INVALID_ROOT, version=value)
    roots(f"epoch {value}", INVALID_ROOT, epoch=value)
roots("epoch 2^53 - 1", epoch=BIG - 1)
for time in ("2026-11-21T08:00:00+00:00", "2026-11-21T08:00:60Z", "2026-11-21 08:00:00Z",
             "2026-11-31T08:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T08:00:00z", "2026-11-21T08:00Z",
             "26-11-21T08:00:00Z", "", 0):
    roots(f"createdAt {time}", INVALID_ROOT, createdAt=time)
roots("createdAt in the year 0", INVALID_ROOT, createdAt="0000-02-29T08:00:00Z")
roots("a lifetime in the year 0", "trust.root-expired", createdAt="0000-02-29T08:00:00Z",
      expires="0005-03-01T08:00:00Z")
roots("a day more in the year 0", INVALID_ROOT, createdAt="0000-02-29T08:00:00Z",
      expires="0005-03-02T08:00:00Z")
roots("no roles", INVALID_ROOT, roles=None)
roots("no role root", INVALID_ROOT, roles={"release": OWN})
roots("an odd role", roles=with_roles({"Weird role!": OWN}))
roots("a role without keys", INVALID_ROOT, roles=with_roles({"x": {"keys": [], "threshold": 1}}))
roots("a role of a stranger", INVALID_ROOT, roles=with_roles({"x": OWN | {"keys": [KEYS[9].id]}}))
roots("a role with one key twice", INVALID_ROOT, roles=with_roles({"x": OWN | {"keys": [KEYS[1].id] * 2}}))
for threshold in (0, 2, True, None):
    roots(f"threshold {threshold}", INVALID_ROOT, roles=with_roles({"x": OWN | {"threshold": threshold}}))


def with_key(key, **changes):
    return basic()["keys"] | {key.id: {"algorithm": key.algorithm,
                                       "public": base64.b64encode(key.spki).decode()} | changes}


roots("a key with a name of 200 bytes", keys=with_key(KEYS[3], name="é" * 100))
roots("a key with a name of 201 bytes", INVALID_ROOT, keys=with_key(KEYS[3], name="é" * 100 + "a"))
roots("a key without a name", keys=with_key(KEYS[3], name=None))
roots("a key named 1", INVALID_ROOT, keys=with_key(KEYS[3], name=1))
roots("a key of an unknown algorithm", keys=with_key(KEYS[3], algorithm="ed448"))
roots("a key of another algorithm", INVALID_ROOT, keys=with_key(KEYS[3], algorithm="ecdsa-p256-sha256"))
roots("a key without algorithm", INVALID_ROOT, keys=with_key(KEYS[3], algorithm=None))
roots("a weak key", INVALID_ROOT, keys=basic()["keys"] | {
    client.hashlib.sha256(base64.b64decode(WEAK)).hexdigest(): {"algorithm": "ed25519", "public": WEAK}})
roots("an id in capitals", INVALID_ROOT, keys={k.upper(): v for k, v in basic()["keys"].items()})
for depth in (15, 16, 40):
    roots(f"a list {depth} deep", "" if depth <= 15 else INVALID_ROOT, later=DEEP[depth])
for name, refusal in (("twice", INVALID_ROOT), ("NaN", INVALID_ROOT), ("fraction", ""), ("exponent", ""),
                      ("big", INVALID_ROOT), ("small", INVALID_ROOT), ("edge", ""), ("pair", ""),
                      ("surrogate", INVALID_ROOT)):
    roots(f"unknown member {name}", refusal, later=f"@{name}@")
roots("two names that normalize to one", INVALID_ROOT, **{"\u00e9": 1, "e\u0301": 2})
roots("the same in an unknown object", later={"\u00e9": 1, "e\u0301": 2})
for name, edit, refusal in (
        ("a byte order mark", lambda data: b"\xef\xbb\xbf" + data, INVALID_ROOT),
        ("another value after it", lambda data: data + b" {}", INVALID_ROOT),
        ("white space around it", lambda data: b"\r\n\t " + data + b" \n", ""),
        ("a byte that is not UTF-8", lambda data: data.replace(b"shop", b"sh\xffp"), INVALID_ROOT)):
    case(f"root: {name}", lambda shop, edit=edit: shop.trust(envelope(
        client.ROOT, edit(json.dumps(basic()).encode()), [KEYS[1]])), refusal)
case("root: a list", lambda shop: shop.trust(envelope(client.ROOT, b"[]", [KEYS[1]])), INVALID_ROOT)


# Pointers

def pointers(name, refusal=INVALID_POINTER, **changes):
    case(f"pointer: {name}", lambda shop: shop.put(
        raw(client.POINTER, shop.payload(1) | changes, [KEYS[2]])), refusal)


def without(*names):
    def prepare(shop):
        value = {k: v for k, v in shop.payload(1).items() if k not in names}
        shop.put(envelope(client.POINTER, value, [KEYS[2]]))
    return prepare


OPTIONAL = ("previous", "root", "operation", "by", "source", "expires", "label", "launch", "rolloutSalt",
            "bypass", "mandatorySequence", "minNativeVersion", "maxNativeVersion", "platforms", "fallbacks",
            "proposed", "closed")
# The members of an offer.
ENTRY = ("version", "packageHash", "tree", "label", "launch", "info", "package", "deltas", "rollout",
         "rolloutSalt", "minNativeVersion", "maxNativeVersion", "platforms")
NEEDED = ("schema", "app", "channel", "sequence", "createdAt", "version", "packageHash", "tree", "info",
          "package", "deltas", "rollout", "mandatory", "enabled")
for member in OPTIONAL:
    pointers(f"{member} null", "", **{member: None})
    case(f"pointer: no {member}", without(member))
    pointers(f"{member} a list of lists", **{member: [[]]})
for member in NEEDED:
    pointers(f"{member} null", **{member: None})
    case(f"pointer: no {member}", without(member), INVALID_POINTER)
    pointers(f"{member} a list of lists", **{member: [[]]})
for value in (0, BIG, "@one@"):
    for member in ("sequence", "root", "mandatorySequence", "previous"):
        pointers(f"{member} {value}", **{member: value})
pointers("sequence 2^53 - 1", "", sequence=BIG - 1)
pointers("closed false", "", closed=False)
pointers("closed and enabled", closed=True, expires=None)
pointers("closed, and it expires", closed=True, enabled=False)
pointers("previous as high as sequence", previous=1)
pointers("previous below", "", sequence=9, previous=8)
pointers("mandatorySequence as high as sequence", "", mandatorySequence=1)
pointers("mandatorySequence above", mandatorySequence=2)
pointers("rollout -1", rollout=-1)
pointers("rollout 100", "", rollout=100)
pointers("rollout 101", rollout=101)
for time in ("yesterday", "2026-11-21T08:00:60Z", "2026-11-21T08:00:00+00:00", ""):
    pointers(f"createdAt {time}", createdAt=time)
    pointers(f"expires {time}", expires=time)
pointers("by of 200 bytes", "", by="é" * 100)
pointers("by of 201 bytes", by="é" * 100 + "a")
pointers("a label of 300 bytes", "", label="a" * 300)
# The only file of the release, and texts that are no path by the first list of "Names".
pointers("launch index.html", "", launch="index.html")
for value in ("", "/index.html", "../index.html", "a//b", "a/./b", "a/", "..", "a\\b", "a\nb", "a\u0085",
              "x" * 256, 1, True, {}, ["index.html"], "@surrogate@"):
    pointers(f"launch {value!r}"[:40], launch=value)
pointers("an empty salt", "", rolloutSalt="")
pointers("a salt of 64 bytes", "", rolloutSalt="é" * 32)
pointers("a salt of 65 bytes", rolloutSalt="é" * 32 + "a")
pointers("an unknown operation", "", operation="later")
pointers("a source", "", source={"channel": "beta", "sequence": 4})
pointers("a source without sequence", source={"channel": "beta"})
pointers("a source of channel B", source={"channel": "B", "sequence": 1})
for version, refusal in (("3", ""), ("1.2.3.4", ""), ("1.2.3.4.5", INVALID_POINTER), ("3.x", INVALID_POINTER),
                         ("999999999", ""), ("1234567890", INVALID_POINTER), ("1.", INVALID_POINTER),
                         ("", INVALID_POINTER), ("007", ""), ("٣", INVALID_POINTER)):
    # With another release for every device, so that an unknown version is not a reason to refuse.
    def native(shop, version=version):
        first, second = shop.payload(1), shop.payload(1, release=1)
        one = {k: second.get(k) for k in ENTRY}
        value = first | {"fallbacks": [one | {"minNativeVersion": version, "maxNativeVersion": None}]}
        shop.put(envelope(client.POINTER, value, [KEYS[2]]))
    case(f"pointer: native version '{version}'", native, refusal)
for name, platforms, refusal in (
        ("none", {}, ""), ("one", {"ios": {"minNativeVersion": "9"}}, ""), ("an unknown one", {"x": 1}, ""),
        ("null", {"ios": None, "android": None}, ""), ("a text", {"ios": "3"}, INVALID_POINTER),
        ("3.x", {"android": {"maxNativeVersion": "3.x"}}, INVALID_POINTER),
        ("an empty range", {"ios": {"minNativeVersion": "3.5", "maxNativeVersion": "3.4"}}, INVALID_POINTER)):
    pointers(f"platforms: {name}", refusal, platforms=platforms)
pointers("native versions that leave none", minNativeVersion="3.5", maxNativeVersion="3.4.9")
pointers("a version of another packageHash", version="0" * 20)
pointers("tree of 200,001 assets", tree={"assets": 200_001, "size": 1})
pointers("tree without size", tree={"assets": 1})


def reference(**changes):
    return {"url": "x", "sha256": "0" * 64, "size": 1} | changes


def with_deltas(count, **changes):
    """`count` deltas from a release that no device has."""
    def prepare(shop):
        value = shop.payload(1)
        old = "0" * 20
        url = f"{BASE}/releases/{value['version']}/delta-{old}.zip"
        delta = {"from": old, "fromHash": "0" * 64, **reference(url=url), "memory": 1} | changes
        shop.put(envelope(client.POINTER, value | {"deltas": [delta] * count}, [KEYS[2]]))
    return prepare


case("pointer: 100 deltas", with_deltas(100))
case("pointer: 101 deltas", with_deltas(101), INVALID_POINTER)
for member in ("from", "fromHash", "url", "sha256", "size", "memory"):
    case(f"pointer: a delta without {member}", with_deltas(1, **{member: None}), INVALID_POINTER)
for member in ("memory", "coded", "copied"):
    for value in (-1, BIG, 1.0, "1", True, []):
        case(f"pointer: a delta with {member} {value}", with_deltas(1, **{member: value}), INVALID_POINTER)
    case(f"pointer: a delta with {member} 2^53 - 1", with_deltas(1, **{member: BIG - 1}))
case("pointer: a delta elsewhere", with_deltas(1, url=f"{BASE}/delta.zip"), "origin.url-elsewhere")
case("pointer: a hash in capitals", with_deltas(1, sha256="A" * 64), INVALID_POINTER)


def with_fallbacks(count, **changes):
    def prepare(shop):
        other = shop.payload(1, release=1)
        entry = {k: other.get(k) for k in ENTRY}
        shop.put(envelope(client.POINTER, shop.payload(1, fallbacks=[entry | changes] * count), [KEYS[2]]))
    return prepare


case("pointer: 8 fallbacks", with_fallbacks(8))
case("pointer: 9 fallbacks", with_fallbacks(9), INVALID_POINTER)
case("pointer: a fallback with a share of 101", with_fallbacks(1, rollout=101), INVALID_POINTER)
case("pointer: a fallback with a launch page outside", with_fallbacks(1, launch="../x"), INVALID_POINTER)
case("pointer: a fallback elsewhere", with_fallbacks(1, info=reference()), "origin.url-elsewhere")
for name, base in (("another base URL", "https://other.example.com/a/b"), ("http", "http://cdn.example.com"),
                   ("a port", "https://cdn.example.com:8443/shop")):
    case(f"pointer: a fallback of {name}", lambda shop, base=base: moved(shop, base))
for name, base in (("ftp", "ftp://cdn.example.com/shop"), ("a user", "https://a@cdn.example.com/shop"),
                   ("no host", "https:///shop"), ("a query", "https://cdn.example.com/a?b"),
                   ("an empty component", "https://cdn.example.com//shop"),
                   ("..", "https://cdn.example.com/../shop"), ("%2e%2e", "https://cdn.example.com/%2e%2e/a"),
                   ("a blank", "https://cdn.example.com/a b")):
    case(f"pointer: a fallback of {name}", lambda shop, base=base: moved(shop, base), "origin.url-elsewhere")


def moved(shop, base):
    other = json.loads(json.dumps(shop.payload(1, release=1)).replace(BASE, base))
    entry = {k: other.get(k) for k in ENTRY}
    shop.put(envelope(client.POINTER, shop.payload(1, fallbacks=[entry]), [KEYS[2]]))


for depth in (15, 16, 40):
    pointers(f"a list {depth} deep", "" if depth <= 15 else INVALID_POINTER, later=DEEP[depth])
for name, refusal in (("twice", INVALID_POINTER), ("fraction", ""), ("big", INVALID_POINTER),
                      ("surrogate", INVALID_POINTER)):
    pointers(f"unknown member {name}", refusal, later=f"@{name}@")


# Envelopes

def signatures(count):
    """One valid signature, and others with unknown keys."""
    def prepare(shop):
        shop.put(envelope(client.POINTER, shop.payload(1), KEYS[2:3] + KEYS[4:3 + count]))
    return prepare


def enveloped(edit):
    def prepare(shop):
        value = json.loads(envelope(client.POINTER, shop.payload(1), [KEYS[2]]))
        edited = edit(value)
        shop.put(json.dumps(value).encode() if edited is None else edited)
    return prepare


def padded(count):
    """A pointer's file of this size in bytes."""
    def edit(value):
        data = json.dumps(value).encode()
        return data + b" " * (count - len(data))
    return edit


def spelled(value):
    """The same bytes in base64 with nonzero unused bits, or without padding."""
    data = json.loads(base64.b64decode(value["payload"]))
    for blanks in range(3):
        payload = json.dumps(data).encode() + b" " * blanks
        if base64.b64encode(payload).endswith(b"=="):
            break
    value |= json.loads(envelope(client.POINTER, payload, [KEYS[2]]))
    return value["payload"]


def set_payload(change):
    return lambda value: value.update(payload=change(spelled(value)))


case("envelope: 64 signatures", signatures(64))
case("envelope: 65 signatures", signatures(65), INVALID_POINTER)
case("envelope: 65,536 bytes", enveloped(padded(1 << 16)))
case("envelope: 65,537 bytes", enveloped(padded((1 << 16) + 1)), INVALID_POINTER)
case("envelope: an unknown member", enveloped(lambda value: value.update(later=1)))
for name, text_of, refusal in (
        ("the payload's digest", lambda payload: hashlib.sha256(payload).hexdigest(), ""),
        ("another digest", lambda payload: "0" * 64, INVALID_POINTER),
        ("a digest in capitals", lambda payload: hashlib.sha256(payload).hexdigest().upper(),
         INVALID_POINTER),
        ("a short digest", lambda payload: hashlib.sha256(payload).hexdigest()[:63], INVALID_POINTER),
        ("a digest of a number", lambda payload: 1, INVALID_POINTER)):
    case(f"envelope: {name}", enveloped(lambda value, text_of=text_of: value.update(
        digest=text_of(base64.b64decode(value["payload"])))), refusal)
case("envelope: signatures null", enveloped(lambda value: value.update(signatures=None)), INVALID_POINTER)
case("envelope: a keyid of a number",
     enveloped(lambda value: value["signatures"].append({"keyid": 1, "sig": "AAAA"})), INVALID_POINTER)
case("envelope: a keyid of another form",
     enveloped(lambda value: value["signatures"].append({"keyid": "x", "sig": "AAAA"})))
case("envelope: a signature without sig",
     enveloped(lambda value: value["signatures"].append({"keyid": "x"})), INVALID_POINTER)
case("envelope: a signature that is not base64",
     enveloped(lambda value: value["signatures"].append({"keyid": "x", "sig": "A"})), INVALID_POINTER)
case("envelope: base64 with padding", enveloped(set_payload(lambda text: text)))
case("envelope: base64 without padding", enveloped(set_payload(lambda text: text.rstrip("="))),
     INVALID_POINTER)
case("envelope: base64 with unused bits",
     enveloped(set_payload(lambda text: text[:-3] + chr(ord(text[-3]) + 1) + "==")), INVALID_POINTER)
case("envelope: base64 with a line break",
     enveloped(set_payload(lambda text: text[:76] + "\n" + text[76:])), INVALID_POINTER)
case("envelope: base64 of RFC 4648 section 5",
     enveloped(lambda value: value["signatures"].append({"keyid": "x", "sig": "A-_A"})), INVALID_POINTER)


def main():
    parser = arguments(__doc__)
    parser.add_argument("--only", metavar="NAME", help="cases whose names contain this")
    options = parser.parse_args()
    wrong, chosen = [], [one for one in CASES if (options.only or "") in one[0]]
    refused = sum(1 for one in chosen if one[2])
    with tempfile.TemporaryDirectory(prefix="packtool-limits-") as name:
        here = pathlib.Path(name)
        releases = Releases(here)
        for case_name, prepare, expected in chosen:
            place = here / "case"
            place.mkdir()
            shop = Shop(releases, place)
            prepare(shop)
            result = shop.install()
            found = code(result)
            if found != expected or shop.differences:
                wrong.append(f"{case_name}: expected '{expected}', packtool '{found}'; "
                             f"{shop.differences or 'client.py agrees with packtool'}\n{result.stdout[:400]}")
                print("WRONG", wrong[-1], flush=True)
            shutil.rmtree(place)
            if wrong and options.fail_fast:
                break
    print(f"limits: {len(chosen)} cases, {refused} beyond a limit, {len(wrong)} wrong")
    return status(wrong, options.json)


if __name__ == "__main__":
    sys.exit(main())
