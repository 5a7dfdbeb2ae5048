"""Runs the commands of docs/trust.md, and those of docs/guide/releases.md for keys and emergencies.

Each page is followed section by section: its commands run in order, its output lines must be printed, and
each error code in it must occur. Between the commands, installations with a root (phones) perform the
described steps of devices, and an attacker performs the described attacks.
"""
import base64
import calendar
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
DAY = 86_400
PAGE = ('<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Shop</title></head>\n'
        '<body>{}</body></html>\n')
CODE = re.compile(r"`((?:trust|install|channel|signing|proposal)\.[a-z-]+)`")


def fail(problem, *details):
    raise SystemExit("\n".join([f"error: {problem}", *map(str, details)]))


def plain(line):
    """A line without variable parts: ids and times."""
    line = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", line.strip())
    return re.sub(r"\b[0-9a-f]{12,64}\b", "ID", line)


def sections(page):
    """The sections of a page from the first relevant one: title and text."""
    text = (ROOT / "docs" / page).read_text()
    found = re.findall(r"^##+ ([^\n]+)\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL)
    first = next(n for n, (title, _) in enumerate(found) if title in ("With keys", "Keys of one person"))
    return dict(found[first:])


class Section:
    """One section of a page: its commands, its output lines, and its error codes."""

    ended = set()

    def __init__(self, page, title):
        self.key, self.name = (page, title), f"docs/{page}, '{title}'"
        if title not in (found := sections(page)):
            fail(f"docs/{page} has no section '{title}'")
        self.text = body = found[title]
        fences = r"^( *)```(sh|text)\n(.*?)^ *```\n|((?:^    (?! *```)[^\n]*\n)+)"
        self.blocks, self.shown = [], []
        for match in re.finditer(fences, body, re.MULTILINE | re.DOTALL):
            indent, kind, fenced, indented = match.groups()
            if kind == "text":
                self.shown += fenced.splitlines()
            else:
                margin = indent if fenced else "    "
                self.blocks.append(re.sub(f"^{margin}", "", fenced or indented, flags=re.MULTILINE))
        self.codes = set(CODE.findall(body))
        for span in re.findall(r"`(packtool [^`]+)`", body):
            if len(span.split()) > 3:
                fail(f"{self.name}: no test runs '{span}'; move it into a block")

    def block(self, start):
        if not self.blocks or not self.blocks[0].startswith(start):
            fail(f"{self.name}: expected a block that begins with '{start}'", *self.blocks[:1])
        return self.blocks.pop(0)

    def end(self, place):
        """Everything in the section was run, printed and seen."""
        if self.blocks:
            fail(f"{self.name}: no test runs these commands", *self.blocks)
        if missing := self.codes - place.codes:
            fail(f"{self.name}: no command ended with", *missing)
        if missing := [line for line in self.shown if plain(line) not in place.printed]:
            fail(f"{self.name}: nothing printed these lines", *missing)
        Section.ended.add(self.key)


class Place:
    """A directory in which a page's commands run."""

    count = 0

    def __init__(self, work, packtool, source=None):
        self.path = work
        if source:
            shutil.copytree(source.path, work, symlinks=True)
        else:
            work.mkdir(parents=True)
            (work / "usb").mkdir()
            (work / "packtool.yaml").write_text("app: shop\nbase-url: https://cdn.example.com/shop\n")
            for number, name in enumerate(("dist", "evil", "next"), 1):
                (work / name).mkdir()
                (work / name / "index.html").write_text(PAGE.format(number))
                (work / name / "app.css").write_text("body{margin:0}\n")
        self.packtool, self.codes, self.printed = packtool, set(), set()
        self.secrets = dict(source.secrets) if source else {"PACKTOOL_PASSPHRASE": "secret"}
        self.time = None
        self.now = int(time.time())

    def at(self, days):
        """Makes later commands run as if this many days had passed; None restores the machine's clock."""
        self.time = None if days is None else str(int(self.now + days * DAY))

    def run(self, script, status=0):
        """Runs commands as written on a page; returns their output."""
        clock = {"SOURCE_DATE_EPOCH": self.time, "PACKTOOL_CLOCK": self.time} if self.time else {}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=self.path, text=True, timeout=300,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env={"PATH": f"{self.packtool.parent}:{os.environ['PATH']}", "HOME": str(self.path),
                 **self.secrets, **clock})
        Place.count += len(re.findall(r"^\s*packtool ", script, re.MULTILINE))
        self.printed |= {plain(line) for line in done.stdout.splitlines()}
        if done.returncode != status:
            fail(f"exit code {done.returncode} instead of {status}", script, done.stdout[-3000:])
        return done.stdout

    def answer(self, command):
        """The JSON of one command, which may fail."""
        script = f"packtool {command} --json 2>/dev/null || true"
        return json.loads(self.run(script))

    def refused(self, command, code):
        error = self.answer(command).get("error", {})
        if error.get("code") != code:
            fail(f"'packtool {command}' was to end with {code}", error)
        self.codes.add(code)

    def install(self, phone="phone", *, origin="signed", trust="", label=None, root=None):
        """Updates a device, and compares its state."""
        self.run(f"packtool install {origin} --into {phone} {trust and '--trust ' + trust} --quiet")
        state = json.loads((self.path / phone / "state.json").read_text())
        if (label and state["trees"][0].get("label") != label) or (root and state.get("root") != root):
            fail(f"{phone} was to have release {label} and root {root}", state)
        return state

    def secret(self, name, file):
        """Stores a key as a CI secret."""
        self.secrets[name] = (self.path / file).read_text()

    def file(self, name):
        return self.path / name

    @property
    def pointer(self):
        return self.path / "signed/channels/production/pointer.json"


def follow(place, section, start, *, status=0):
    return place.run(section.block(start), status)


def one_person(work, packtool):
    """Follows docs/trust.md; the guide about releases continues in the returned place."""
    section, place = Section("trust.md", "Keys of one person"), Place(work / "one", packtool)
    printed = follow(place, section, "packtool keys init")
    pin = re.search(r"sha256:[0-9a-f]{64}", printed).group()
    follow(place, section, "cp keys/root.key")
    place.secret("RELEASE_KEY", "keys/release.key")
    # Another passphrase for the root key.
    openssl = re.search(r"`(openssl [^`]+ -out (\S+))`", section.text)
    place.run(f"{openssl[1]} -passin pass:secret -passout pass:own\n"
              "packtool keys root keys/1.root.json -o own.json --quiet\n"
              f"PACKTOOL_PASSPHRASE=own packtool keys sign own.json --sign-key {openssl[2]} --quiet")
    follow(place, section, "packtool keys publish")
    follow(place, section, "packtool install")
    place.install("phone-hash", trust=pin, root=1)
    follow(place, section, "packtool renew")
    place.run("packtool keys init --app shop --dir wrong --quiet")
    place.refused("install signed --into phone --trust wrong/1.root.json", "trust.root-differs")
    section.end(place)


def team(work, packtool):
    section, place = Section("trust.md", "Keys of a team"), Place(work / "team", packtool)
    follow(place, section, "packtool keys new anna.key")
    place.secret("CI_KEY", "ci.key")
    if "none until enough keys have signed it" not in follow(place, section, "packtool keys root"):
        fail("a root that nobody signed has a pin")
    if "anna" not in follow(place, section, "packtool keys show"):
        fail("keys show does not name the keys")
    follow(place, section, "packtool keys sign")
    follow(place, section, "packtool keys check")
    place.run("packtool publish dist --to signed --channel beta --sign-key env:CI_KEY --quiet")

    signing = Section("trust.md", "Two people sign one release")
    follow(place, signing, "packtool publish dist")
    if place.pointer.exists():
        fail("a proposal went live before it was signed")
    place.refused("publish --pointer next.json --to signed", "proposal.not-enough")
    printed = follow(place, signing, "packtool hash dist")
    version = printed.split()[0]
    if version not in printed.split("packageHash")[1] or "ci" not in printed:
        fail("keys sign does not print what it signs", printed)
    follow(place, signing, "packtool publish --pointer")
    place.install(trust="1.root.json", root=1)
    place.run("packtool publish next --to signed --sign-key env:CI_KEY --propose a.json --quiet\n"
              "packtool renew signed --sign-key env:CI_KEY --propose b.json --quiet\n"
              "packtool keys sign b.json --trust 1.root.json --sign-key anna.key --quiet\n"
              "packtool keys sign a.json --trust 1.root.json --sign-key anna.key --quiet\n"
              "packtool publish --pointer b.json --to signed --quiet")
    place.run("packtool publish --pointer a.json --to signed", status=3)
    signing.end(place)

    # The pointer names root 2, but the CDN does not have it yet.
    place.run("packtool keys root 1.root.json -o 2.root.json --quiet\n"
              "for key in anna ben; do packtool keys sign 2.root.json --sign-key $key.key --quiet; done\n"
              "packtool keys publish 2.root.json --to signed --quiet\n"
              "packtool renew signed --sign-key env:CI_KEY --propose c.json --quiet\n"
              "packtool keys sign c.json --trust 2.root.json --sign-key ben.key --quiet\n"
              "packtool publish --pointer c.json --to signed --quiet")
    hidden = place.file("signed/root/2.json")
    hidden.rename(place.file("2.json"))
    place.refused("install signed --into phone", "trust.root-missing")
    place.file("2.json").rename(hidden)
    place.install(root=2)
    section.end(place)


def unsigned(work, packtool):
    section, place = Section("trust.md", "From unsigned to signed"), Place(work / "unsigned", packtool)
    place.run("packtool publish next --to cdn --label 1.0 --quiet\n"
              "packtool install cdn --into old-phone --quiet")
    follow(place, section, "packtool status")
    place.secret("RELEASE_KEY", "keys/release.key")
    commands = section.block("packtool keys publish").splitlines()
    place.run(commands[0])
    place.refused("install cdn --into early --trust keys/1.root.json", "trust.unsigned")
    place.refused("renew cdn --expires-in-days 30 --sign-key env:RELEASE_KEY", "signing.unauthorized")
    place.run("packtool publish dist --to cdn", status=2)
    place.run("\n".join(commands[1:]))
    place.install(origin="cdn", trust="keys/1.root.json", label="2.0", root=1)
    place.install("old-phone", origin="cdn", label="2.0")
    # A pointer that was live without a key is restored: the app with the root refuses it, even on a new
    # device.
    place.run("cp cdn/channels/production/log/1.json cdn/channels/production/pointer.json")
    place.refused("install cdn --into fresh --trust keys/1.root.json", "trust.unsigned")
    section.end(place)


def signed(work, packtool, name, *, made=0):
    """A signed origin as in the guide for one person, without releases; its root was made `made` days ago."""
    place = Place(work / name, packtool)
    place.at(made)
    place.run("packtool keys init --app shop --dir keys --quiet\nmv keys/root.key usb\n"
              "packtool keys publish keys/1.root.json --to signed --quiet")
    place.at(None)
    place.secret("RELEASE_KEY", "keys/release.key")
    return place


def released(place):
    place.run("packtool publish dist --to signed --label 1.0 --sign-key env:RELEASE_KEY --quiet")
    place.install(trust="keys/1.root.json", label="1.0", root=1)
    return place


def with_keys(place):
    section = Section("guide/releases.md", "With keys")
    follow(place, section, "packtool renew")
    section.end(place)


def replace_key(work, packtool, start):
    section = Section("guide/releases.md", "Replace a key")
    place = Place(work / "replace", packtool, start)
    # Pointers only signed by the old key, for later.
    other = Place(work / "replace-old", packtool, start)
    for _ in range(4):
        other.run("packtool renew signed --sign-key env:RELEASE_KEY --quiet")
    follow(place, section, "packtool keys new")
    place.secret("RELEASE_KEY", "keys/release-2.key")
    follow(place, section, "packtool renew")
    place.install(label="1.0", root=2)
    before = place.pointer.read_bytes()
    follow(place, section, "packtool keys root")
    after = place.pointer.read_bytes()
    # The pointer does not name root 3: the device keeps root 2 for a day.
    place.pointer.write_bytes(before)
    place.run("cp -R phone phone-day")
    place.install(root=2)
    place.at(1.1)
    place.install("phone-day", root=3)
    place.at(None)
    place.pointer.write_bytes(after)
    place.install(root=3)
    place.install("new-phone", trust="keys/1.root.json", root=3)
    place.pointer.write_bytes(other.pointer.read_bytes())
    place.refused("install signed --into phone", "trust.bad-signature")
    section.end(place)


def replaced(path, content):
    """Writes a new file, as a bucket does: files of the origin share their content by hard links."""
    path.unlink(missing_ok=True)
    path.write_bytes(content)


def forge(place):
    """The possible actions of an attacker with the storage token."""
    envelope = json.loads(place.pointer.read_text())
    payload = json.dumps(json.loads(base64.b64decode(envelope["payload"])) | {"sequence": 99}).encode()
    envelope |= {"payload": base64.b64encode(payload).decode(), "digest": hashlib.sha256(payload).hexdigest(),
                 "signatures": []}
    place.pointer.write_text(json.dumps(envelope))
    replaced(next(place.file("signed/objects").glob("*/app.css")), b"evil")
    for name in ("info.json", "site/index.html", "site/x.html"):
        replaced(place.file(f"signed/{name}"), b"evil")


def stolen_storage_token(work, packtool, start):
    section = Section("guide/releases.md", "The storage token alone")
    place = Place(work / "token", packtool, start)
    forge(place)
    place.refused("install signed --into phone", "trust.unsigned")
    place.run("packtool history signed")
    printed = follow(place, section, "packtool verify", status=1)
    for name in re.findall(r"^FAILED  ((?:objects|releases)/[^:]+):", printed, re.MULTILINE):
        place.file(f"signed/{name}").unlink()
    printed = follow(place, section, "cp signed/")
    if "site/x.html" not in printed:
        fail("verify does not list what the thief added", printed)
    place.install(label="1.0")
    version = json.loads(place.file("phone/state.json").read_text())["current"]
    if json.loads(place.file("signed/info.json").read_text())["version"] != version:
        fail("old clients do not have the good release")
    section.end(place)
    return place.codes


def stolen_token(work, packtool, start):
    section = Section("guide/releases.md", "A stolen CI token")
    place = Place(work / "stolen", packtool, start)
    place.codes |= stolen_storage_token(work, packtool, start)
    # An older pointer of the owner: detected by a device with a newer one.
    first = place.pointer.read_bytes()
    place.run("packtool renew signed --sign-key env:RELEASE_KEY --quiet")
    place.install()
    second = place.pointer.read_bytes()
    place.pointer.write_bytes(first)
    place.refused("install signed --into phone", "install.replayed")
    place.install("new-phone", trust="keys/1.root.json", label="1.0")
    place.pointer.write_bytes(second)

    place.run("packtool publish evil --to signed --label evil --sign-key env:RELEASE_KEY --quiet")
    forged = place.pointer.read_bytes()
    place.install(label="evil")
    place.run("cp -R phone phone-evil\ncp -R phone phone-slow")
    if "evil" not in follow(place, section, "packtool history"):
        fail("history does not show the release of the thief")
    follow(place, section, "packtool rollback")
    place.install(label="1.0")
    section.end(place)

    section = Section("guide/releases.md", "The release key, alone or with the token")
    commands = section.block("packtool keys new")
    place.run(commands)
    place.secret("RELEASE_KEY", "keys/release-2.key")
    place.refused("rollback signed --to-release 1.0 --sign-key env:RELEASE_KEY", "channel.unauthorized")
    # The procedure without the build.
    copy = Place(work / "stolen-package", packtool, place)
    version = copy.run("packtool hash dist").strip()
    package = f"signed/releases/{version}/package.zip"
    if copy.run(f"packtool hash {package}").strip() != version:
        fail("the package of a release has another hash than its build")
    copy.run(f"packtool publish {package} --to signed --label 1.0 --sign-key env:RELEASE_KEY --quiet")
    copy.install("phone-evil", label="1.0", root=2)
    follow(place, section, "packtool publish")
    state = place.install("phone-evil", label="1.0", root=2)
    if state["epoch"] != 2:
        fail("the device is not in the new epoch", state)
    place.install(label="1.0", root=2)
    place.install("new-phone-2", trust="keys/1.root.json", label="1.0", root=2)
    # The attacker still writes: a device that has refreshed its roots refuses it; others accept it for a day.
    place.pointer.write_bytes(forged)
    place.refused("install signed --into phone", "trust.bad-signature")
    place.install("phone-slow", label="evil", root=1)
    place.at(1.1)
    place.refused("install signed --into phone-slow", "trust.bad-signature")
    section.end(place)


def expired(work, packtool):
    section = Section("guide/releases.md", "The root expires")
    place = released(signed(work, packtool, "expires", made=-700))
    late = Place(work / "expired", packtool, place)
    for command in ("status signed", "verify signed --trust keys/1.root.json",
                    "renew signed --sign-key env:RELEASE_KEY --dry-run",
                    "publish next --to signed --sign-key env:RELEASE_KEY --dry-run"):
        if "note: root 1 expires at" not in place.run(f"packtool {command}"):
            fail(f"'packtool {command}' does not say that the root expires")
    commands, check = section.block("packtool keys root"), section.block("packtool verify")
    place.run(commands)
    place.run(check)
    place.install(label="1.0", root=2)
    expires = place.answer("status signed")["rootExpires"]
    if calendar.timegm(time.strptime(expires, "%Y-%m-%dT%H:%M:%SZ")) < place.now + 729 * DAY:
        fail("a new root does not expire after two years", expires)

    # Forty days later, without any action.
    late.at(40)
    late.refused("install signed --into phone", "trust.root-expired")
    if not late.file("phone/current/index.html").is_file():
        fail("the device has lost its release")
    late.run(check, status=1)
    pointer = late.pointer.read_bytes()
    late.run(commands)
    renewed = late.pointer.read_bytes()
    late.pointer.write_bytes(pointer)
    late.refused("install signed --into new-phone --trust keys/1.root.json", "install.expired")
    late.pointer.write_bytes(renewed)
    late.install(label="1.0", root=2)
    late.install("new-phone", trust="keys/1.root.json", label="1.0", root=2)
    late.run(check)

    # Signing commands use the machine's clock, by which this root has expired.
    gone = Place(work / "gone", packtool, start := signed(work, packtool, "gone-start", made=-740))
    for command in ("publish dist --to signed", "publish dist --to signed --propose next.json"):
        gone.refused(f"{command} --sign-key env:RELEASE_KEY", "trust.root-expired")
    if gone.file("signed/objects").exists():
        fail("a publish with an expired root uploaded something")
    gone.run("".join(commands.splitlines(True)[:3]))
    gone.run("packtool publish dist --to signed --sign-key env:RELEASE_KEY --quiet")
    section.end(Merged(place, late, gone, start))


class Merged:
    """The combined output of several places."""

    def __init__(self, *places):
        self.codes = set().union(*(p.codes for p in places))
        self.printed = set().union(*(p.printed for p in places))


def lost_root_key(work, packtool, start):
    section = Section("guide/releases.md", "A root key is lost")
    place = Place(work / "lost", packtool, start)
    place.run("cp -R phone phone-old")
    follow(place, section, "packtool keys new")
    place.install(label="1.0", root=2)
    follow(place, section, "packtool keys init")
    place.refused("install signed-2 --into phone-old --trust keys-2/1.root.json", "trust.root-differs")
    place.refused("install signed-2 --into phone --trust keys-2/1.root.json", "trust.bad-signature")
    place.install("phone-2", origin="signed-2", trust="keys-2/1.root.json", root=1)
    place.run("packtool publish next --to signed --label 1.1 --sign-key env:RELEASE_KEY --quiet")
    place.install(label="1.1", root=2)
    section.end(place)


def trust_guides(packtool, work):
    """The number of commands run."""
    (work / "tools").mkdir(parents=True)
    tool = work / "tools/packtool"
    tool.symlink_to(packtool)
    one_person(work, tool)
    team(work, tool)
    unsigned(work, tool)
    start = released(signed(work, tool, "start"))
    with_keys(Place(work / "with-keys", tool, start))
    replace_key(work, tool, start)
    stolen_token(work, tool, start)
    expired(work, tool)
    lost_root_key(work, tool, start)
    for page in ("trust.md", "guide/releases.md"):
        for title in sections(page):
            if (page, title) not in Section.ended and Section(page, title).blocks:
                fail(f"docs/{page}: no test runs the commands of '{title}'")
    return Place.count
