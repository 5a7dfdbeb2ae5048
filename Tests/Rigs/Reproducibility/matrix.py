#!/usr/bin/env python3
"""Same content, same bytes: runs packtool on one build in many environments and compares all output.

    Tests/Rigs/Reproducibility/matrix.py            every environment, and random combinations
    Tests/Rigs/Reproducibility/matrix.py --short    the same environments, few combinations; under a minute

In each environment it compares with the first, plain run: `hash`, `hash --listing`, the manifest, the package
at each level, and with SOURCE_DATE_EPOCH set the whole public tree written by `publish`. The first run itself
is compared with Python's hashlib. A few cases at the end differ on purpose (a byte of a file, a time, a
level): they pass if the comparison detects the difference, which proves that it compares something.

Needs only Python; disorderfs, faketime, localedef, setpriv and taskset are used if available, and missing
ones are reported. Prints `N passed, M failed`; exits with 1 on any difference.
"""
import argparse
import concurrent.futures
import contextlib
import hashlib
import os
import pathlib
import random
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
LEVELS = ("fast", "default", "max")
# Later than all tested clocks: a pointer that is expired by the machine's clock is refused.
EPOCH = "4381000000"
NOBODY = 65534


class Surrounding:
    """A combination of the build's location and the tool's environment."""

    def __init__(self, name, **settings):
        self.name = name
        self.binary = settings.pop("binary", None)
        self.env = settings.pop("env", {})
        self.prefix = settings.pop("prefix", [])
        self.umask = settings.pop("umask", 0o022)
        self.base = settings.pop("base", None)
        self.folder = settings.pop("folder", "build")
        self.relative = settings.pop("relative", False)
        self.mount = settings.pop("mount", None)
        self.mtimes = settings.pop("mtimes", None)
        self.modes = settings.pop("modes", False)
        self.nobody = settings.pop("nobody", False)
        self.shuffled = settings.pop("shuffled", None)
        self.bare = settings.pop("bare", False)
        # For cases with an intended difference.
        self.spoil = settings.pop("spoil", None)
        self.epoch = settings.pop("epoch", EPOCH)
        self.levels = settings.pop("levels", dict(zip(LEVELS, LEVELS)))
        self.expects = settings.pop("expects", None)
        assert not settings, settings


def mixed(name, parts):
    """Combines several environments."""
    mixture = Surrounding(name)
    for part in parts:
        for key, value in vars(part).items():
            if key == "env":
                mixture.env = {**mixture.env, **value}
            elif key == "prefix":
                mixture.prefix = mixture.prefix + value
            elif key != "name" and value != vars(Surrounding(""))[key]:
                setattr(mixture, key, value)
    return mixture


def copy_build(source, target, shuffled):
    """Copies the build; with `shuffled`, its files are created in another order."""
    files = sorted(path.relative_to(source) for path in source.rglob("*") if path.is_file())
    if shuffled is not None:
        random.Random(shuffled).shuffle(files)
    for file in files:
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / file, target / file)


def dress(build, surrounding):
    """Gives the copy times, modes and an owner that must not matter."""
    chance = random.Random(surrounding.name)
    for path in [build, *sorted(build.rglob("*"))]:
        if surrounding.modes:
            path.chmod(
                chance.choice((0o755, 0o777, 0o700))
                if path.is_dir()
                else chance.choice((0o644, 0o755, 0o444, 0o4711))
            )
        if surrounding.nobody:
            os.chown(path, NOBODY, NOBODY)
        if surrounding.mtimes:
            moment = chance.uniform(*surrounding.mtimes)
            os.utime(path, (moment, moment))
    if surrounding.spoil:
        file = build / surrounding.spoil
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)


@contextlib.contextmanager
def mounted(build, options):
    """Mounts the build with disorderfs, which lists directories in another order."""
    if not options:
        yield build
        return
    view = build.parent / (build.name + "-view")
    view.mkdir()
    subprocess.run(["disorderfs", *options, str(build), str(view)], check=True, stdout=subprocess.DEVNULL)
    try:
        yield view
    finally:
        for command in (["fusermount", "-u", str(view)], ["umount", str(view)]):
            if (
                shutil.which(command[0])
                and subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0
            ):
                break


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def public_tree(origin):
    """Path and hash of everything served by an origin, including links and modes."""
    lines = []
    for path in sorted(origin.rglob("*")):
        name = path.relative_to(origin).as_posix()
        if name.split("/")[0] == ".packtool":
            continue
        kind = stat.S_IFMT(path.lstat().st_mode)
        if kind == stat.S_IFREG:
            lines.append("%s  %s" % (sha256(path.read_bytes()), name))
        elif kind != stat.S_IFDIR:
            lines.append("link or device  %s" % name)
    return lines


class Runner:
    def __init__(self, source, binary, work):
        self.source, self.binary, self.work = source, binary, work

    def observe(self, surrounding, is_quick=False):
        """Runs every command in one environment, and returns the printed and written data by name."""
        base = pathlib.Path(tempfile.mkdtemp(prefix="s-", dir=surrounding.base or self.work))
        base.chmod(0o755)
        try:
            return self.observe_in(base, surrounding, is_quick)
        finally:
            shutil.rmtree(base)

    def observe_in(self, base, surrounding, is_quick):
        build = base / surrounding.folder
        build.mkdir(parents=True)
        copy_build(self.source, build, surrounding.shuffled)
        dress(build, surrounding)
        output, temporary = base / "out", base / "tmp"
        for directory in (output, temporary):
            directory.mkdir()
            directory.chmod(0o777)
        env = {"PATH": "/usr/bin:/bin", "TMPDIR": str(temporary), "SOURCE_DATE_EPOCH": surrounding.epoch}
        if surrounding.bare:
            env = {"SOURCE_DATE_EPOCH": surrounding.epoch}
        env.update(surrounding.env)
        prefix = list(surrounding.prefix)
        if surrounding.nobody:
            prefix = ["setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups", *prefix]
        app = [
            "--app",
            "storefront",
            "--base-url",
            "https://cdn.example.com/storefront",
            "--launch",
            "index.html",
        ]

        with mounted(build, surrounding.mount) as view:
            shown = view.name + "/" if surrounding.relative else str(view)

            def packtool(*arguments):
                command = [*prefix, str(surrounding.binary or self.binary), *map(str, arguments)]
                done = subprocess.run(
                    command,
                    cwd=view.parent if surrounding.relative else "/",
                    env=env,
                    umask=surrounding.umask,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=120,
                )
                if done.returncode != 0:
                    raise RuntimeError("%s: exit %d\n%s" % (
                        " ".join(command), done.returncode, done.stderr.decode(errors="replace")))
                return done.stdout

            seen = {"hash": packtool("hash", shown), "listing": packtool("hash", shown, "--listing"),
                    "manifest": packtool("manifest", shown, *app)}
            if is_quick:
                packtool("package", shown, "-o", output / "p.zip")
                seen["package default"] = (output / "p.zip").read_bytes()
                return seen
            for level in LEVELS:
                file = output / (level + ".zip")
                packtool("package", shown, "-o", file, "--level", surrounding.levels[level])
                seen["package " + level] = file.read_bytes()
            packtool("publish", shown, "--to", output / "cdn", "--label", "1.0.0", *app)
            seen["origin"] = "\n".join(public_tree(output / "cdn")).encode()
        return seen


def explain(name, expected, actual):
    """The difference in a few lines."""
    if name.startswith("package"):
        return explain_package(expected, actual)
    one, other = (data.decode(errors="replace").splitlines() for data in (expected, actual))
    lines = ["      - " + line for line in one if line not in other][:4]
    lines += ["      + " + line for line in other if line not in one][:4]
    return [line[:200] for line in lines] or ["      the same lines in another order"]


def explain_package(expected, actual):
    def entries(data):
        with tempfile.TemporaryFile() as file:
            file.write(data)
            with zipfile.ZipFile(file) as archive:
                return [(i.filename, i.compress_type, i.CRC, i.compress_size, i.date_time, i.external_attr,
                         i.create_version, i.flag_bits, i.header_offset) for i in archive.infolist()]
    one, other = entries(expected), entries(actual)
    for left, right in zip(one, other):
        if left != right:
            return ["      - %s" % (left,), "      + %s" % (right,)]
    position = next((i for i, pair in enumerate(zip(expected, actual)) if pair[0] != pair[1]), -1)
    return [
        "      the entries agree; first byte that differs: %d of %d and %d"
        % (position, len(expected), len(actual))
    ]


def make_locales(directory, skipped):
    """Creates locales for this run only, found through LOCPATH."""
    made = []
    for name in ("tr_TR", "de_DE"):
        target = directory / (name + ".UTF-8")
        if not shutil.which("localedef"):
            skipped.append("LC_ALL=%s.UTF-8: localedef is not installed" % name)
        elif subprocess.run(["localedef", "-i", name, "-f", "UTF-8", str(target)], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL).returncode > 1 or not target.exists():
            skipped.append("LC_ALL=%s.UTF-8: no source for it (Debian: locales)" % name)
        else:
            made.append(name + ".UTF-8")
    return made


def surroundings(work, binaries, skipped):
    """Every single environment available on this machine."""
    found = [Surrounding("TZ=" + zone, env={"TZ": zone}) for zone in
             ("UTC", "Pacific/Apia", "Asia/Kathmandu", "America/St_Johns", ":nonsense")]
    locales = work / "locales"
    locales.mkdir()
    for name in ["C", "POSIX", "C.UTF-8", "nonsense", *make_locales(locales, skipped)]:
        found.append(Surrounding("LC_ALL=" + name, env={"LC_ALL": name, "LOCPATH": str(locales)}))
    found += [Surrounding("umask %03o" % mask, umask=mask) for mask in (0o000, 0o077)]
    found += [
        Surrounding("a path of 900 bytes", folder="/".join(["long" * 25] * 9)),
        Surrounding("a path with spaces and accents", folder="mein Büro/été ☂/build"),
        Surrounding("a relative path", relative=True),
        Surrounding("times at random", mtimes=(0, 2**31)),
        Surrounding("times before 1980", mtimes=(-10**9, 0)),
        Surrounding("times past 2107", mtimes=(4.4e9, 9e9)),
        Surrounding("modes at random", modes=True),
        Surrounding("made in another order", shuffled=1),
        Surrounding("made in a third order", shuffled=2),
        Surrounding("an empty environment", bare=True),
        Surrounding("deterministic hashing", env={"SWIFT_DETERMINISTIC_HASHING": "1"}),
    ]
    found += [
        Surrounding("PACKTOOL_JOBS=%d" % jobs, env={"PACKTOOL_JOBS": str(jobs)}) for jobs in (1, 2, 7, 64)
    ]
    if shutil.which("taskset"):
        found.append(Surrounding("one processor", prefix=["taskset", "-c", "0"]))
    else:
        skipped.append("one processor: taskset is not installed")
    if not shutil.which("disorderfs"):
        skipped.append("disorderfs: not installed (Debian: disorderfs)")
    elif not os.access("/dev/fuse", os.R_OK | os.W_OK):
        skipped.append("disorderfs: /dev/fuse is not there or not ours")
    else:
        users = ["--multi-user=yes"] if os.geteuid() == 0 else ["--multi-user=no"]
        found += [
            Surrounding(
                "disorderfs, shuffled", mount=[*users, "--shuffle-dirents=yes", "--reverse-dirents=no"]
            ),
            Surrounding("disorderfs, reversed", mount=[*users, "--reverse-dirents=yes"]),
            Surrounding("disorderfs, sorted", mount=[*users, "--sort-dirents=yes", "--reverse-dirents=no"]),
        ]
    if not shutil.which("faketime"):
        skipped.append("faketime: not installed (Debian: faketime)")
    else:
        # A frozen monotonic clock would only hang the tool.
        found += [Surrounding("the year " + day[:4], prefix=["faketime", "-f", "@%s 00:00:00" % day],
                              env={"FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"})
                  for day in ("1970-01-02", "2038-01-20", "2107-12-31")]
    if os.geteuid() == 0 and shutil.which("setpriv"):
        found.append(Surrounding("user nobody", nobody=True))
        found.append(Surrounding("user nobody, umask 077", nobody=True, umask=0o077))
    else:
        skipped.append("user nobody: needs root and setpriv")
    shm = pathlib.Path("/dev/shm")
    if shm.is_dir() and os.access(shm, os.W_OK):
        found.append(Surrounding("in /dev/shm (tmpfs)", base=str(shm)))
    else:
        skipped.append("tmpfs: /dev/shm is not writable")
    disk = ROOT / ".build"
    if disk.is_dir():
        found.append(Surrounding("on the disk of the sources", base=str(disk)))
    for kind, binary in binaries[1:]:
        found.append(Surrounding("the %s build" % kind, binary=binary))
    if len(binaries) < 2:
        skipped.append("debug beside release: only one of them is built")
    return found


def on_purpose():
    """Cases that must differ, with the expected differences."""
    everything = {"hash", "listing", "manifest", "origin", *("package " + level for level in LEVELS)}
    return [
        Surrounding("one bit of one file", spoil="index.html", expects=everything),
        Surrounding("another SOURCE_DATE_EPOCH", epoch="4381000001", expects={"origin"}),
        Surrounding("another level", levels={"fast": "default", "default": "default", "max": "max"},
                    expects={"package fast"}),
    ]


def foreign_check(source, seen):
    """The listing and the version, computed with hashlib."""
    files = sorted(
        (path.relative_to(source).as_posix().encode(), path) for path in source.rglob("*") if path.is_file()
    )
    listing = b"".join(sha256(path.read_bytes()).encode() + b"  " + name + b"\n" for name, path in files)
    return seen["listing"] == listing and seen["hash"] == sha256(listing)[:20].encode() + b"\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="few mixtures: under a minute")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "examples/storefront/dist/1.0.0")
    parser.add_argument(
        "--binary", type=pathlib.Path, help="the packtool to run (default: what is in .build)"
    )
    parser.add_argument("--mixtures", type=int, help="how many random mixtures (default: 160, short: 3)")
    parser.add_argument("--seed", type=int, default=1, help="of the mixtures")
    options = parser.parse_args()
    binaries = [(kind, ROOT / ".build" / kind / "packtool") for kind in ("debug", "release")]
    binaries = [(kind, path) for kind, path in binaries if path.exists()]
    if options.binary:
        binaries = [("given", options.binary.resolve())]
    if not binaries:
        sys.exit("error: there is no packtool in .build\nhelp: run 'swift build' first, or give --binary")
    started, passed, failed, skipped = time.monotonic(), 0, 0, []
    with tempfile.TemporaryDirectory(prefix="packtool-matrix-") as directory:
        work = pathlib.Path(directory)
        work.chmod(0o755)
        runner = Runner(options.build, binaries[0][1], work)
        reference = runner.observe(Surrounding("plain"))

        def problems_of(surrounding, is_quick=False):
            """The differences in one environment, as lines; empty if everything matches."""
            try:
                seen = runner.observe(surrounding, is_quick)
            except (OSError, RuntimeError, subprocess.SubprocessError) as error:
                return ["      " + str(error)]
            differing = [key for key in seen if seen[key] != reference[key]]
            if surrounding.expects is not None:
                return (
                    []
                    if set(differing) == surrounding.expects
                    else [
                        "      should differ in %s, differs in %s"
                        % (sorted(surrounding.expects), sorted(differing))
                    ]
                )
            return [line for key in differing
                    for line in ["    %s differs" % key, *explain(key, reference[key], seen[key])]]

        singles = surroundings(work, binaries, skipped)
        cases = [(surrounding, False) for surrounding in singles]
        cases += [(Surrounding("repeat %d (hash seeds)" % (number + 1)), True) for number in range(20)]
        chance = random.Random(options.seed)
        mixtures = options.mixtures if options.mixtures is not None else (3 if options.short else 160)
        for number in range(mixtures):
            parts = chance.sample(singles, 5)
            cases.append(
                (mixed("mixture %d: %s" % (number + 1, ", ".join(p.name for p in parts)), parts), False)
            )
        cases += [(surrounding, False) for surrounding in on_purpose()]

        results = [
            ("hashlib's listing", [] if foreign_check(options.build, reference) else ["      is another"])
        ]
        # A run mostly waits for the disk.
        with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
            found = pool.map(lambda case: problems_of(*case), cases)
            results += zip((surrounding.name for surrounding, _ in cases), found)
        for name, problems in results:
            passed, failed = passed + (not problems), failed + bool(problems)
            for line in ["FAILED  " + name, *problems] if problems else []:
                print(line, flush=True)
    for reason in skipped:
        print("skipped  " + reason)
    print("%d passed, %d failed, %d skipped; %s; %.0f s" % (
        passed, failed, len(skipped), " and ".join(kind for kind, _ in binaries), time.monotonic() - started))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
