#!/usr/bin/env python3
"""Random roots, keys and signed pointers: packtool and the client of the JVM accept the same.

signed.py CLASSES WORK [--seed N] [--count N]
"""

import argparse
import copy as copies
import json
import pathlib
import random
import sys
import time

import support
from support import packtool

sys.dont_write_bytecode = True
sys.path.insert(0, str(support.HERE.parents[2] / "Tests/Rigs/Trust"))
DAY = 86_400
SHARED = pathlib.Path(support.os.environ.get("PACKTOOL_SHARED", support.HERE.parents[3] / "shared"))
REDUCED = ("k*G has a large x-coordinate", "r = 3, x = n + 3 is the smallest possible x with a reduction")


def vectors(tally, client):
    """Signatures of others, if they are there; and one of docs/formats.md."""
    spki = "302a300506032b6570032100"
    folder = SHARED / "oracles/wycheproof"
    if not folder.exists():
        print("note: no vectors of Wycheproof here")
        return
    names = {"ed25519_test.json": "ed25519", "ecdsa_secp256r1_sha256_p1363_test.json": "ecdsa-p256-sha256"}
    for name, algorithm in names.items():
        for group in json.loads((folder / name).read_text())["testGroups"]:
            public = group["publicKey"]
            key = (
                bytes.fromhex(spki + public["pk"])
                if algorithm == "ed25519"
                else bytes.fromhex(
                    "3059301306072a8648ce3d020106082a8648ce3d030107034200" + public["uncompressed"]
                )
            )
            for test in group["tests"]:
                answer = client(
                    "verify",
                    algorithm,
                    support.base64.b64encode(key).decode(),
                    support.base64.b64encode(bytes.fromhex(test["msg"])).decode(),
                    support.base64.b64encode(bytes.fromhex(test["sig"])).decode(),
                )
                # OpenJDK 17 does not reduce x coordinates above the order, which no honest key ever makes.
                if test["comment"] not in REDUCED:
                    tally.same(f"{name} {test['tcId']}", test["result"] == "valid", answer["verifies"])


class Shop:
    """Roots and pointers of one random origin."""

    def __init__(self, lab, dice, origin, entries, last):
        self.lab, self.dice, self.origin, self.entries, self.last = lab, dice, origin, entries, last
        self.keys = [lab.Key(number) for number in range(8)]
        self.roots, self.signers = {}, {}
        self.epoch, self.sequence = 1, 10
        for file in (origin / "root").glob("*.json") if (origin / "root").exists() else []:
            file.unlink()
        (origin / "root").mkdir(exist_ok=True)
        self.add_root()

    def add_root(self):
        dice, lab = self.dice, self.lab
        version = len(self.roots) + 1
        if version > 1 and dice.random() < 0.2:
            self.epoch += dice.choice([1, 1, -1]) if self.epoch > 1 else 1
        signers = {
            "root": (dice.sample(self.keys, 2), dice.choice([1, 1, 2])),
            "release": (dice.sample(self.keys, 3), dice.choice([1, 2])),
        }
        if dice.random() < 0.3:
            signers["release:production"] = (dice.sample(self.keys, 2), dice.choice([1, 2]))
        if dice.random() < 0.06:
            del signers["release"]
        floors = {"production": self.sequence - dice.choice([0, 1, 5])} if dice.random() < 0.2 else {}
        value = lab.root(
            version,
            signers,
            epoch=self.epoch,
            created=lab.NOW - dice.randrange(0, 20) * DAY,
            days=dice.choice([10, 30, 365, 1827, 1828 if dice.random() < 0.1 else 365]),
            app="shop" if dice.random() < 0.97 else "other",
            floors=floors,
        )
        who = list(signers["root"][0])
        if version > 1:
            who += self.signers[version - 1]["root"][0]
        if dice.random() < 0.06:
            who = who[:1]
        data = lab.envelope("application/vnd.packtool.root+json", value, who)
        self.roots[version], self.signers[version] = data, signers
        if dice.random() < 0.95:
            (self.origin / f"root/{version}.json").write_bytes(data)

    def add_pointer(self, channel="production"):
        dice = self.dice
        self.sequence += dice.choice([0, 1, 1, 1, 2, -1])
        pointer = copies.deepcopy(self.last)
        pointer.update(copies.deepcopy(dice.choice(self.entries)))
        newest = len(self.roots)
        pointer.update(
            sequence=self.sequence,
            previous=None,
            channel=channel,
            fallbacks=[],
            root=dice.choice([newest, newest, newest, newest - 1 or 1, newest + 1]),
            expires=dice.choice([None, self.lab.text(self.lab.NOW + dice.randrange(-3, 40) * DAY)]),
        )
        if dice.random() < 0.05:
            pointer["info"]["url"] = "https://evil.example/info.json"
        by = self.signers[dice.choice([newest, newest, newest, 1])]
        keys, threshold = by.get(f"release:{channel}", by.get("release", (self.keys, 1)))
        who = dice.choice([keys, keys, keys, keys[:threshold], keys[:1], [dice.choice(self.keys)], []])
        data = self.lab.envelope(support.POINTER, pointer, who)
        if dice.random() < 0.05:
            data = data.replace(b'"sig": "A', b'"sig": "B')
        folder = self.origin / "channels" / channel
        (folder / "pointer.json").write_bytes(data)
        (folder / f"log/{self.sequence}.json").write_bytes(data)


def pin(dice, shop, work):
    """A root in the app: its file or its hash; sometimes a wrong one, or none."""
    version = dice.choice([1, 1, 1, len(shop.roots)])
    data = shop.roots[version]
    kind = dice.choice(["file", "file", "file", "hash", "none"])
    if kind == "none":
        return None
    if kind == "hash":
        return f"sha256:{support.hashlib.sha256(data).hexdigest()}@{version}"
    file = work / f"pin-{version}.json"
    file.write_bytes(data)
    return file


def histories(tally, client, lab, work, dice, count):
    from scenarios import releases

    origin, entries, last = releases(work)
    for number in range(count):
        one, other = support.copy(None, work / "one"), support.copy(None, work / "other")
        shop, clock = Shop(lab, dice, origin, entries, last), lab.NOW
        for step in range(dice.choice([2, 3, 4, 5])):
            for _ in range(dice.choice([0, 0, 1, 2])):
                shop.add_root()
            shop.add_pointer()
            clock += dice.choice([0, 60, DAY, 3 * DAY, -2 * DAY])
            trust = pin(dice, shop, work)
            arguments = ["install", origin, "--into", one, "--device", "d"]
            if trust is not None:
                arguments += ["--trust", trust]
            expected = packtool(*arguments, clock=clock, check=False)
            found = client(
                "install",
                origin=origin,
                into=other,
                device="d",
                trust=trust,
                now=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(clock)),
            )
            name = f"signed {number}.{step}"
            tally.same(name, support.compared(expected), support.compared(found))
            both = [support.snapshot(at) if at.exists() else None for at in (one, other)]
            tally.same(f"{name}, files", *both)
            roots = [
                (at / "trust/root.json").read_bytes() if (at / "trust/root.json").exists() else None
                for at in (one, other)
            ]
            tally.true(f"{name}, root", roots[0] == roots[1])
            if dice.random() < 0.3:
                middle = support.copy(one, work / "middle")
                support.copy(other, one)
                support.copy(middle, other)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("classes")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    dice, tally, client = random.Random(arguments.seed), support.Tally(), support.Client(arguments.classes)
    vectors(tally, client)
    try:
        import lab
    except ImportError as error:
        print(f"note: no random roots: {error}; on Debian: apt-get install python3-cryptography")
    else:
        histories(tally, client, lab, arguments.work, dice, arguments.count)
    client.close()
    print(f"{tally.count} comparisons of signatures and roots, {tally.wrong} differences")
    sys.exit(1 if tally.wrong else 0)


if __name__ == "__main__":
    main()
