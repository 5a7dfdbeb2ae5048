#!/usr/bin/env python3
"""The scenarios of tuf-conformance without snapshot, targets and delegations, for `install --trust`.

They are black-box tests, written from the names in github.com/theupdateframework/tuf-conformance (2026). Each
case has a valid counterpart: the same origin without the fault, which must install. A refused run must keep
the installed release. client.py, which was written only from docs/formats.md, also decides on each install.
  conformance.py [--only NAME] [--fail-fast] [--json FILE]
"""
import base64
import json
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import client
from agree import DAY, Releases
from lab import NOW, Key, arguments, code, envelope, root, run, status, text

KEYS = [Key(n) for n in range(20)]
ED, P256 = KEYS[1], KEYS[5]
CASES = {}


def case(function):
    """`function(shop, is_bad)` prepares the last install, and returns the code of its refusal."""
    CASES[function.__name__.replace("_", "-")] = function
    return function


class Shop:
    """An origin and one client of it. Root 1: root key 1, release key 2, each alone."""

    def __init__(self, releases, place):
        self.releases, self.place, self.clock = releases, place, NOW
        self.state, self.decisions, self.differences = client.State(), 0, []
        self.origin, self.phone, self.pin = place / "origin", place / "phone", place / "pin.json"
        shutil.copytree(releases.origin, self.origin)
        (self.origin / "root").mkdir()
        self.roots = self.origin / "root"
        self.first = self.sign_root(self.root(), [1])
        self.trust(self.first)
        self.offer(1)

    def root(self, version=1, roots=(1,), threshold=1, release=(2,), releases=1, **more):
        roles = {"root": ([KEYS[n] for n in roots], threshold)}
        if release:
            roles["release"] = ([KEYS[n] for n in release], releases)
        roles |= {name: ([KEYS[n] for n in keys], 1) for name, keys in more.pop("roles", {}).items()}
        return root(version, roles, **more)

    def sign_root(self, value, by):
        return envelope(client.ROOT, value, [KEYS[n] for n in by])

    def trust(self, data):
        """Sets the pin, which is also the origin's root 1."""
        self.pin.write_bytes(data)
        self.publish_root(1, data)

    def publish_root(self, version, data):
        (self.roots / f"{version}.json").write_bytes(data)

    def follow(self, value, by, version=None):
        self.publish_root(version or value["version"], self.sign_root(value, by))

    def payload(self, sequence, release=0, **changes):
        return {**self.releases.payloads[release], "sequence": sequence, "previous": None, "deltas": [],
                "createdAt": text(self.clock), "expires": text(self.clock + 30 * DAY), "root": 1, **changes}

    def offer(self, sequence, by=(2,), release=0, **changes):
        self.put(envelope(client.POINTER, self.payload(sequence, release, **changes), [KEYS[n] for n in by]))

    def put(self, data):
        (self.origin / "channels/production/pointer.json").write_bytes(data)

    def release(self, number=0):
        return self.origin / "releases" / self.releases.payloads[number]["version"]

    def install(self, pinned=True):
        words = ["--trust", self.pin] if pinned else []
        ours = self.decide(pinned)
        result = run("install", self.origin, "--into", self.phone, *words, "--json", now=self.clock)
        self.decisions += 1
        if ours != code(result):
            self.differences.append(f"client.py says '{ours}', packtool '{code(result)}'")
        return result

    def decide(self, pinned):
        """The decision of client.py about the origin."""
        def read(place):
            file = self.origin / place
            return file.read_bytes() if file.is_file() else None

        pointer = read("channels/production/pointer.json")
        if pointer is None:
            return "origin.nothing-published"
        try:
            value = client.decide(self.state, client.own_root(self.pin.read_bytes()) if pinned else None,
                                  self.clock, "production", pointer, lambda n: read(f"root/{n}.json"))
            client.receive(self.state, value, read)
        except client.Refused as refusal:
            return str(refusal)
        return ""

    def must_install(self):
        result = self.install()
        assert result.returncode == 0, result.stdout + result.stderr

    def installed(self):
        page = self.phone / "current/index.html"
        return page.read_text() if page.exists() else None


def changed(data, **members):
    """An envelope with changed members in its payload, but the signatures of the old one."""
    value = json.loads(data)
    payload = json.loads(base64.b64decode(value["payload"])) | members
    return json.dumps(value | {"payload": base64.b64encode(json.dumps(payload).encode()).decode()}).encode()


def unsigned(data):
    return json.dumps(json.loads(data) | {"signatures": []}).encode()


# test_basic

@case
def invalid_initial_root(shop, is_bad):
    shop.trust(b'{"payloadType": 1}' if is_bad else shop.first)
    return "trust.invalid-root"


@case
def unsigned_initial_root(shop, is_bad):
    shop.trust(unsigned(shop.first) if is_bad else shop.first)
    return "trust.bad-signature"


@case
def unsigned_metadata_root(shop, is_bad):
    shop.follow(shop.root(2), [] if is_bad else [1])
    return "trust.bad-signature"


@case
def unsigned_metadata_pointer(shop, is_bad):
    shop.offer(1, by=[] if is_bad else [2])
    return "trust.unsigned"


@case
def url_and_metadata_version_mismatch(shop, is_bad):
    shop.follow(shop.root(3 if is_bad else 2), [1], version=2)
    return "trust.root-cannot-follow"


@case
def root_version_repeated(shop, is_bad):
    shop.follow(shop.root(1 if is_bad else 2), [1], version=2)
    return "trust.root-cannot-follow"


@case
def timestamp_content_changes(shop, is_bad):
    shop.must_install()
    shop.offer(1 if is_bad else 2, label="other")
    return "install.split-view"


@case
def targets_hash_mismatch(shop, is_bad):
    """Neither the package nor any object has the content of its hash."""
    for file in [shop.release() / "package.zip", *(shop.origin / "objects").glob("*/*")]:
        content = file.read_bytes()
        file.unlink()
        file.write_bytes(content[:-1] + bytes([content[-1] ^ is_bad]))
    return "origin.differs"


@case
def metadata_bytes_match(shop, is_bad):
    """Signatures cover bytes: any form of JSON is valid, but only the signed one."""
    data = envelope(client.POINTER, json.dumps(shop.payload(1), indent=7).encode(), [KEYS[2]])
    shop.put(changed(data) if is_bad else data)
    return "trust.bad-signature"


@case
def custom_fields(shop, is_bad):
    data = envelope(client.POINTER, shop.payload(1, later="x"), [KEYS[2]])
    shop.put(changed(data, later="y") if is_bad else data)
    return "trust.bad-signature"


@case
def custom_fields_root(shop, is_bad):
    data = shop.sign_root(shop.root(2) | {"later": "x"}, [1])
    shop.publish_root(2, changed(data, later="y") if is_bad else data)
    return "trust.bad-signature"


@case
def deprecated_keyid_hash_algorithms(shop, is_bad):
    """An unknown member of a key is ignored; its id is its hash."""
    value = shop.root(2)
    for keyid in list(value["keys"]):
        value["keys"][keyid]["keyid_hash_algorithms"] = ["md5"]
        if is_bad and keyid == KEYS[2].id:
            value["keys"]["0" * 64] = value["keys"].pop(keyid)
            value["roles"]["release"]["keys"] = ["0" * 64]
    shop.follow(value, [1])
    return "trust.invalid-root"


@case
def targets_404(shop, is_bad):
    """The package alone is enough: no device needs its manifest."""
    (shop.release() / "info.json").unlink()
    if is_bad:
        (shop.release() / "package.zip").unlink()
        shutil.rmtree(shop.origin / "objects")
    return "origin.missing"


@case
def timestamp_404(shop, is_bad):
    if is_bad:
        (shop.origin / "channels/production/pointer.json").unlink()
    return "origin.nothing-published"


@case
def incorrect_metadata_type(shop, is_bad):
    shop.put(envelope(client.ROOT if is_bad else client.POINTER, shop.payload(1), [KEYS[2]]))
    return "origin.invalid-pointer"


@case
def incorrect_metadata_type_root(shop, is_bad):
    shop.publish_root(2, envelope(client.POINTER if is_bad else client.ROOT, shop.root(2), [KEYS[1]]))
    return "trust.invalid-root"


@case
def faketime(shop, is_bad):
    shop.clock += (31 if is_bad else 29) * DAY
    return "install.expired"


# test_expiration

@case
def root_expired(shop, is_bad):
    shop.follow(shop.root(2, days=1 if is_bad else 9), [1])
    shop.clock += 2 * DAY
    return "trust.root-expired"


@case
def timestamp_expired(shop, is_bad):
    shop.offer(1, expires=text(shop.clock + (1 if is_bad else 3) * DAY))
    shop.clock += 2 * DAY
    return "install.expired"


@case
def expired_local_root(shop, is_bad):
    """Root 2 replaces root 1, which has expired on the device."""
    shop.must_install()
    shop.clock += 400 * DAY
    shop.offer(2)
    if not is_bad:
        shop.follow(shop.root(2, created=shop.clock), [1])
    return "trust.root-expired"


@case
def expired_local_timestamp(shop, is_bad):
    shop.must_install()
    shop.clock += 60 * DAY
    shop.offer(2, expires=text(shop.clock + (-1 if is_bad else 1) * DAY))
    return "install.expired"


@case
def expired_root_on_the_way(shop, is_bad):
    """Only the last root's expiry matters."""
    shop.follow(shop.root(2, days=1), [1])
    shop.follow(shop.root(3, days=1 if is_bad else 9), [1])
    shop.clock += 2 * DAY
    return "trust.root-expired"


# test_file_download

@case
def repository_substitutes_target_file(shop, is_bad):
    """The package and the objects of another, complete release."""
    other = shop.release(1) / "package.zip"
    package = shop.release() / "package.zip"
    if is_bad:
        package.unlink()
        shutil.copy(other, package)
        for file in (shop.origin / "objects").glob("*/*"):
            content = next((shop.origin / "objects").glob("*/*")).read_bytes()
            file.unlink()
            file.write_bytes(content + b" ")
    return "origin.differs"


@case
def multiple_changes_to_target(shop, is_bad):
    for sequence, release in ((1, 0), (2, 1), (3, 2)):
        shop.offer(sequence, release=release)
        shop.must_install()
        assert f"<title>{release}<" in shop.installed()
    shop.offer(2 if is_bad else 4, release=1)
    return "install.replayed"


@case
def artifact_cache(shop, is_bad):
    """An installed release is not downloaded again."""
    if not is_bad:
        shop.must_install()
    (shop.release() / "package.zip").unlink()
    shutil.rmtree(shop.origin / "objects")
    return "origin.missing"


# test_keys

@case
def does_not_meet_threshold(shop, is_bad):
    shop.trust(shop.sign_root(shop.root(release=(2, 3), releases=2), [1]))
    shop.offer(1, by=(2,) if is_bad else (2, 3))
    return "trust.bad-signature"


@case
def has_too_few_keys(shop, is_bad):
    value = shop.root(2)
    value["roles"]["release"]["threshold"] += is_bad
    shop.follow(value, [1])
    return "trust.invalid-root"


@case
def duplicate_keys(shop, is_bad):
    value = shop.root(2, release=(2, 3), releases=2)
    if is_bad:
        value["roles"]["release"]["keys"] = [KEYS[2].id] * 2
    shop.follow(value, [1])
    shop.offer(1, by=(2, 3))
    return "trust.invalid-root"


@case
def duplicate_sig_keyids(shop, is_bad):
    shop.trust(shop.sign_root(shop.root(release=(2, 3), releases=2), [1]))
    shop.offer(1, by=(2, 2) if is_bad else (2, 3))
    return "trust.bad-signature"


@case
def keytype_and_scheme_ed25519(shop, is_bad):
    return schemes(shop, ED, P256, is_bad)


@case
def keytype_and_scheme_p256(shop, is_bad):
    return schemes(shop, P256, ED, is_bad)


def schemes(shop, key, other, is_bad):
    """The signature of a key of the other kind, with this key's id."""
    shop.trust(envelope(client.ROOT, root(1, {"root": ([KEYS[1]], 1), "release": ([key], 1)}), [KEYS[1]]))
    data = envelope(client.POINTER, shop.payload(1), [other if is_bad else key])
    shop.put(data.replace(other.id.encode(), key.id.encode()))
    return "trust.bad-signature"


@case
def invalid_sig_in_valid_metadata(shop, is_bad):
    """A bad signature is harmless if there are enough valid ones."""
    shop.trust(shop.sign_root(shop.root(release=(2, 3)), [1]))
    value = json.loads(envelope(client.POINTER, shop.payload(1), [KEYS[2], KEYS[3]]))
    for signature in value["signatures"][0 if is_bad else 1:]:
        signature["sig"] = base64.b64encode(bytes(64)).decode()
    shop.put(json.dumps(value).encode())
    return "trust.bad-signature"


# test_rollback

@case
def new_timestamp_version_rollback(shop, is_bad):
    shop.offer(5)
    shop.must_install()
    shop.offer(4 if is_bad else 6)
    return "install.replayed"


@case
def root_rollback(shop, is_bad):
    """A client that has seen root 2 applies it although the origin only has root 1 again."""
    shop.follow(shop.root(2, release=(3,)), [1])
    shop.offer(1, by=(3,), root=2)
    shop.must_install()
    (shop.roots / "2.json").unlink()
    shop.offer(2, by=(2,) if is_bad else (3,))
    return "trust.bad-signature"


@case
def targets_role_removal(shop, is_bad):
    shop.must_install()
    shop.follow(shop.root(2, release=() if is_bad else (2,)), [1])
    shop.clock += DAY
    return "trust.no-role"


@case
def new_timestamp_fast_forward_recovery(shop, is_bad):
    """An attacker used up the sequences; a new epoch restarts them, a new root alone does not."""
    shop.offer(2**53 - 2)
    shop.must_install()
    shop.follow(shop.root(2, release=(3,), epoch=1 if is_bad else 2), [1])
    shop.offer(2, by=(3,), root=2)
    return "install.replayed"


@case
def fast_forward_recovery_keeps_the_floor(shop, is_bad):
    shop.must_install()
    shop.follow(shop.root(2, epoch=2, floors={"production": 9}), [1])
    shop.offer(8 if is_bad else 9, root=2)
    return "install.replayed"


@case
def epoch_goes_back(shop, is_bad):
    shop.trust(shop.sign_root(shop.root(epoch=3), [1]))
    shop.follow(shop.root(2, epoch=2 if is_bad else 3), [1])
    return "trust.root-cannot-follow"


# test_updater_key_rotations: root 1 as (keys, threshold), root 2 the same, and its signers

ROTATIONS = {
    "1-of-1": (((1,), 1), ((4,), 1), (1, 4), (1,)),
    "1-of-1-old-key-missing": (((1,), 1), ((4,), 1), (1, 4), (4,)),
    "1-of-1-unused-signatures": (((1,), 1), ((4,), 1), (3, 1, 7, 4), (3, 4, 7)),
    "3-of-5-first-combo": (((1, 3, 4, 6, 7), 3), ((1, 3, 4, 6, 7), 3), (1, 3, 4), (1, 3)),
    "3-of-5-second-combo": (((1, 3, 4, 6, 7), 3), ((1, 3, 4, 6, 7), 3), (1, 4, 6), (4, 6)),
    "3-of-5-third-combo": (((1, 3, 4, 6, 7), 3), ((1, 3, 4, 6, 7), 3), (1, 3, 7), (1, 7)),
    "3-of-5-all": (((1, 3, 4, 6, 7), 3), ((1, 3, 4, 6, 7), 3), (1, 3, 4, 6, 7), (1, 1, 1, 3, 3)),
    "3-of-5-signature-wrong": (((1, 3, 4, 6, 7), 3), ((1, 3, 4, 6, 7), 3), (8, 3, 4, 7), (8, 3, 4)),
    "2-of-5-threshold-not-reached": (((1, 3, 4, 6, 7), 2), ((1, 3, 4, 6, 7), 2), (4, 6), (4,)),
    "5-of-5-one-left-out": (((1, 3, 4, 6, 7), 5), ((1, 3, 4, 6, 7), 5), (1, 3, 4, 6, 7), (1, 3, 4, 6)),
    "1-of-1-to-3-of-5": (((1,), 1), ((3, 4, 6, 7, 8), 3), (1, 3, 4, 6), (1, 3, 4)),
    "3-of-5-to-1-of-1": (((3, 4, 6, 7, 8), 3), ((1,), 1), (3, 4, 6, 1), (3, 4, 1)),
    "threshold-raised": (((1, 3), 1), ((1, 3), 2), (1, 3), (1,)),
    "threshold-lowered": (((1, 3), 2), ((1, 3), 1), (1, 3), (3,)),
}
# The same for the release key: root 1, root 2, and the signers of the pointer.
RELEASE_ROTATIONS = {
    "1-of-1": (((2,), 1), ((4,), 1), (4,), (2,)),
    "1-of-1-unused-signatures": (((2,), 1), ((4,), 1), (2, 4, 6), (2, 6)),
    "3-of-5": (((2,), 1), ((2, 3, 4, 6, 7), 3), (2, 4, 7), (2, 4)),
    "3-of-5-signature-wrong": (((2,), 1), ((2, 3, 4, 6, 7), 3), (2, 4, 8, 7), (2, 4, 8)),
    "threshold-lowered": (((2, 3), 2), ((2, 3), 1), (3,), (4,)),
}


def rotation(old, new, good, bad):
    def prepare(shop, is_bad):
        first = shop.root(1, roots=old[0], threshold=old[1])
        shop.trust(shop.sign_root(first, old[0]))
        shop.follow(shop.root(2, roots=new[0], threshold=new[1]), bad if is_bad else good)
        shop.offer(1, root=2)
        return "trust.bad-signature"
    return prepare


def release_rotation(old, new, good, bad):
    def prepare(shop, is_bad):
        shop.trust(shop.sign_root(shop.root(1, release=old[0], releases=old[1]), [1]))
        shop.follow(shop.root(2, release=new[0], releases=new[1]), [1])
        shop.offer(1, by=bad if is_bad else good, root=2)
        return "trust.bad-signature"
    return prepare


CASES |= {f"root-rotation-{name}": rotation(*how) for name, how in ROTATIONS.items()}
CASES |= {f"release-rotation-{name}": release_rotation(*how) for name, how in RELEASE_ROTATIONS.items()}


@case
def role_of_a_channel(shop, is_bad):
    """A channel's own role replaces the common one (the equivalent of TUF delegations)."""
    shop.trust(shop.sign_root(shop.root(roles={"release:production": (3,)}), [1]))
    shop.offer(1, by=(2,) if is_bad else (3,))
    return "trust.bad-signature"


@case
def role_of_another_channel(shop, is_bad):
    shop.trust(shop.sign_root(shop.root(roles={"release:beta": (3,)}), [1]))
    shop.offer(1, by=(3,) if is_bad else (2,))
    return "trust.bad-signature"


# From its simulator: a stored root is enforced without the flag.

@case
def trust_is_remembered(shop, is_bad):
    shop.must_install()
    shop.offer(2, by=() if is_bad else (2,))
    return "trust.unsigned"


UNPINNED = {"trust-is-remembered"}


def main():
    parser = arguments(__doc__)
    parser.add_argument("--only", metavar="NAME")
    options = parser.parse_args()
    wrong, decisions, printed = [], 0, 0
    with tempfile.TemporaryDirectory(prefix="packtool-trust-") as name:
        here = pathlib.Path(name)
        releases = Releases(here)
        chosen = {n: f for n, f in CASES.items() if options.only in (None, n)}
        for case_name, prepare in chosen.items():
            for is_bad in (False, True):
                place = here / "case"
                place.mkdir()
                shop = Shop(releases, place)
                expected = prepare(shop, is_bad) if is_bad else prepare(shop, is_bad) and ""
                before = shop.installed()
                result = shop.install(pinned=case_name not in UNPINNED)
                found = code(result)
                after = shop.installed()
                decisions += shop.decisions
                wrong += [f"{case_name}, {'bad' if is_bad else 'good'} twin: {difference}"
                          for difference in shop.differences]
                if found != expected or (after != before if is_bad else after is None):
                    twin = "bad" if is_bad else "good"
                    wrong.append(f"{case_name} ({twin}): '{found}', expected '{expected}'\n"
                                 f"{result.stdout[:500]}{result.stderr[:300]}")
                for found in wrong[printed:]:
                    print("WRONG", found, flush=True)
                printed = len(wrong)
                shutil.rmtree(place)
            if wrong and options.fail_fast:
                break
    print(f"conformance: {len(chosen)} cases, each with its good twin, "
          f"{decisions} installs beside client.py, {len(wrong)} wrong")
    return status(wrong, options.json)


if __name__ == "__main__":
    sys.exit(main())
