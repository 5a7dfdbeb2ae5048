#!/usr/bin/env python3
"""The steps of a release; .github/workflows/release.yml runs them, Tests/Rigs/Release rehearses them.

  check VERSION                     before the build: version, changelog, and no tag of it
  verify VERSION COMMIT TARBALL     a tarball of 'make dist', on a machine of its platform
  collect VERSION COMMIT FOLDER     all tarballs; writes SHA256SUMS, binaries.txt and packtool.rb beside them
  tag VERSION COMMIT FOLDER         pushes the tag, whose commit adds packaging/binaries.txt
  draft VERSION FOLDER              a draft of the GitHub release, with all files
  npm VERSION FOLDER                publishes the packages in FOLDER/npm
  image VERSION FOLDER NAME         pushes NAME:VERSION and NAME:VERSION-ci for both architectures
  publish VERSION                   publishes the draft

Each step from 'tag' on does nothing if it is already completed, and refuses to replace published files.
The failed jobs of a run can therefore run again; they use the tarballs of the first run.
"""

import argparse
import base64
import hashlib
import json
import os
import platform
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLATFORMS = ("linux-x86_64", "linux-aarch64", "macos-universal")
# The words of Docker for the platforms of the image.
ARCHITECTURES = {"amd64": "linux-x86_64", "arm64": "linux-aarch64"}
# e_machine of ELF, and the CPU types of a universal Mach-O file.
ELF_MACHINES = {"linux-x86_64": 62, "linux-aarch64": 183}
MACH_CPUS = {0x01000007, 0x0100000C}
PT_INTERP = 3
REQUIRED = (
    "bin/packtool", "share/man/man1/packtool.1", "share/bash-completion/completions/packtool",
    "share/zsh/site-functions/_packtool", "share/fish/vendor_completions.d/packtool.fish",
    "share/doc/packtool/third-party.md", "share/doc/packtool/packtool.spdx.json",
    "share/doc/packtool/licences/LICENSE",
)  # fmt: skip
# In a tarball of its own: 'check --engine' runs it, because a static program cannot load WebKitGTK.
ENGINE = "lib/packtool/packtool-engine"
BOT = "github-actions[bot]"
BOT_ADDRESS = "41898282+github-actions[bot]@users.noreply.github.com"


class Failure(Exception):
    """A message, and the next step."""

    def __init__(self, message, help_text):
        super().__init__(message)
        self.help = help_text


RETRY = "correct the cause, and run the failed jobs of this run again"


def run(*words, check=True, **options):
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, **options)
    if check and done.returncode != 0:
        raise Failure(f"'{' '.join(words[:3])}' failed: {done.stderr.strip() or done.stdout.strip()}", RETRY)
    return done


def sha256(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stem(version, name, program="packtool"):
    return f"{program}-{version}-{name}"


def tarballs(version, folder):
    return {name: folder / f"{stem(version, name)}.tar.gz" for name in PLATFORMS}


def own_platform():
    if sys.platform == "darwin":
        return "macos-universal"
    return f"linux-{platform.machine()}"


# Before the build


def check(given):
    source = ROOT / "Sources/PackTool/Settings/ToolVersion.swift"
    own = re.search(r'toolVersion = "([^"]+)"', source.read_text())
    if not own or own[1] != given.version:
        raise Failure(f"the version of the source is {own[1] if own else 'not found'}, not {given.version}",
                      f"set it in {source.relative_to(ROOT)}, and start the release from that commit")
    notes(given.version)
    if remote_tag(given.version):
        raise Failure(f"the tag v{given.version} exists",
                      "run the failed jobs of its run again; a released version cannot be released again")
    print(f"release: {given.version} can be built")


def notes(version):
    """The section of the changelog."""
    text = (ROOT / "CHANGELOG.md").read_text()
    found = re.search(rf"^## {re.escape(version)}\b.*\n((?:(?!## ).*\n?)*)", text, re.M)
    if not found or not found[1].strip():
        raise Failure(f"CHANGELOG.md has no section '## {version}'",
                      f"rename its section 'Unreleased' to '{version}', and start from that commit")
    return found[1].strip() + "\n"


def remote_tag(version):
    """The object of the tag in the repository, or an empty string."""
    return run("git", "ls-remote", "origin", f"refs/tags/v{version}").stdout.split("\t")[0]


# Tarballs


def verify(given):
    name = verify_tarball(given.version, given.commit, given.tarball)
    if name != own_platform():
        raise Failure(f"a program for {name} does not run on {own_platform()}", f"verify it on {name}")


def verify_tarball(version, commit, tarball):
    """Checks a tarball and runs its program if it can; returns its platform."""
    by_name = {path.name: name for name, path in tarballs(version, tarball.parent).items()}
    if not tarball.is_file() or tarball.name not in by_name:
        raise Failure(f"'{tarball}' is no tarball of packtool {version}",
                      f"build {' or '.join(by_name)} by 'make dist'")
    name = by_name[tarball.name]
    again = f"build the tarball of {name} again, from commit {commit}"
    beside = tarball.with_name(stem(version, name) + ".sha256")
    line = f"{sha256(tarball)}  {tarball.name}\n"
    if not beside.is_file() or beside.read_text() != line:
        raise Failure(f"the checksum of {tarball.name} is not that of {beside.name}", again)
    with tempfile.TemporaryDirectory() as work:
        tree = unpack(tarball, Path(work), REQUIRED, again)
        sbom = (tree / "share/doc/packtool/packtool.spdx.json").read_bytes()
        outside = tarball.with_name(stem(version, name) + ".spdx.json")
        if not outside.is_file() or outside.read_bytes() != sbom:
            raise Failure(f"{outside.name} differs from the SBOM in {tarball.name}", again)
        program = tree / "bin/packtool"
        verify_sbom(sbom, version, commit, program, tarball.name, again)
        verify_format(program.read_bytes(), name, tarball.name, again)
        if name in ELF_MACHINES:
            engine = tarball.with_name(f"{stem(version, name, 'packtool-engine')}.tar.gz")
            if not engine.is_file():
                raise Failure(f"no {engine.name} beside {tarball.name}", again)
            data = (unpack(engine, Path(work), (ENGINE,), again) / ENGINE).read_bytes()
            verify_format(data, name, engine.name, again, static=False)
        ran = name == own_platform()
        if ran:
            try_program(program, version, commit, again)
    print(f"release: {tarball.name}: {tarball.stat().st_size / 1e6:.1f} MB, "
          + ("runs" if ran else "not run on this machine"))
    return name


def unpack(tarball, work, required, again):
    """Unpacks a tarball, after a check of its members; returns the folder in it."""
    top = tarball.name.removesuffix(".tar.gz")
    try:
        archive = tarfile.open(tarball, "r:gz")  # noqa: SIM115
        members = archive.getmembers()
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise Failure(f"{tarball.name} cannot be read: {error}", again) from error
    with archive:
        for member in members:
            parts = member.name.split("/")
            if parts[0] != top or ".." in parts or not (member.isfile() or member.isdir()):
                raise Failure(f"{tarball.name} has the member '{member.name}', not a file in {top}/", again)
        files = {member.name.removeprefix(f"{top}/"): member for member in members if member.isfile()}
        if missing := [path for path in required if path not in files or not files[path].size]:
            raise Failure(f"{tarball.name} lacks {missing[0]}", again)
        for path in required:
            if path.startswith(("bin/", "lib/")) and not files[path].mode & 0o111:
                raise Failure(f"{path} in {tarball.name} is not executable", again)
        archive.extractall(work)
    return work / top


def verify_sbom(sbom, version, commit, program, name, again):
    described = next(part for part in json.loads(sbom)["packages"] if part["SPDXID"] == "SPDXRef-packtool")
    checksums = {entry["algorithm"]: entry["checksumValue"] for entry in described.get("checksums", [])}
    # It may be abbreviated, as the one that the program prints.
    built = described.get("sourceInfo", "").rpartition(" ")[2]
    for what, found, expected in (
        ("the version", described["versionInfo"], version),
        ("the commit", built, commit[:max(12, len(built))]),
        ("the program", checksums.get("SHA256"), sha256(program)),
    ):
        if found != expected:
            raise Failure(f"the SBOM of {name} describes {what} {found}, not {expected}", again)


def verify_format(program, name, tarball, again, static=True):
    """Checks the header of a program: its platform, and on Linux whether it names a dynamic linker."""
    if name in ELF_MACHINES:
        machine, = struct.unpack_from("<H", program, 18)
        right = program[:5] == b"\x7fELF\x02" and machine == ELF_MACHINES[name]
        if right:
            start, = struct.unpack_from("<Q", program, 32)
            size, count = struct.unpack_from("<HH", program, 54)
            kinds = {struct.unpack_from("<I", program, start + at * size)[0] for at in range(count)}
            if static and PT_INTERP in kinds:
                raise Failure(f"the program in {tarball} is not static: it names a dynamic linker", again)
    else:
        magic, count = struct.unpack_from(">II", program)
        cpus = {struct.unpack_from(">I", program, 8 + at * 20)[0] for at in range(min(count, 8))}
        right = magic == 0xCAFEBABE and cpus == MACH_CPUS
    if not right:
        raise Failure(f"the program in {tarball} is not one for {name}", again)


def try_program(program, version, commit, again):
    """Publishes, verifies and installs a build, without the environment of this process."""
    with tempfile.TemporaryDirectory() as home:
        def packtool(*words):
            return run(program, *words, env={"PATH": "/usr/bin:/bin", "HOME": home, "TMPDIR": home})

        printed = packtool("--version").stdout.strip()
        expected = f"packtool {version} (commit {commit[:12]})"
        if printed != expected:
            raise Failure(f"the program prints '{printed}', not '{expected}'", again)
        build = ROOT / "examples/storefront/dist/1.0.0"
        origin, phone = f"{home}/cdn", f"{home}/phone"
        packtool("publish", build, "--to", origin, "--app", "storefront", "--base-url", "https://cdn.example.com/shop")
        packtool("verify", origin)
        packtool("install", origin, "--into", phone, "--quiet")
        run("diff", "-r", build, f"{phone}/current/")


def collect(given):
    folder = given.folder
    for name, tarball in tarballs(given.version, folder).items():
        if not tarball.is_file():
            raise Failure(f"no tarball for {name}: {tarball}", f"run the job that builds {name} again")
        verify_tarball(given.version, given.commit, tarball)
    verify_sources(given.version, folder)
    binaries = "".join(f"{sha256(path)}  {path.name}\n" for path in tarballs(given.version, folder).values())
    (folder / "binaries.txt").write_text(binaries)
    (folder / "packtool.rb").write_text(formula(given.version, binaries, given.repository))
    listed = sorted(path for path in assets(given.version, folder) if path.name != "SHA256SUMS")
    (folder / "SHA256SUMS").write_text("".join(f"{sha256(path)}  {path.name}\n" for path in listed))
    print(f"release: {len(listed)} files in {folder}/SHA256SUMS")


def verify_sources(version, folder):
    """The sources of the LGPL libraries are those that the Linux programs contain."""
    path = folder / f"{stem(version, 'library-sources')}.tar"
    if not path.is_file():
        raise Failure(f"no {path}", "write it by Scripts/library-sources.sh")
    with tarfile.open(path) as archive:
        packed = {Path(name).name for name in archive.getnames()}
    for name in ARCHITECTURES.values():
        sbom = json.loads((folder / f"{stem(version, name)}.spdx.json").read_text())
        for part in sbom["packages"]:
            if "LGPL-" in part["licenseDeclared"]:
                # Without the epoch, and the number of a rebuild of the same source.
                number = re.sub(r"^\d+:|\+b\d+$", "", part["versionInfo"])
                if f"{part['name']}_{number}.dsc" not in packed:
                    raise Failure(f"{path.name} lacks {part['name']} {number}, as in the program for {name}",
                                  "build all platforms with the same Debian packages")


def formula(version, binaries, repository):
    """The Homebrew formula, with the version and checksums of this release."""
    text = (ROOT / "packaging/homebrew/packtool.rb").read_text()
    text = text.replace("OWNER/packtool", repository).replace("0.0.0", version)
    for line in binaries.splitlines():
        digest, name = line.split("  ")
        text, count = re.subn(rf'({re.escape(name)}"\n\s+sha256 )"0{{64}}"', rf'\1"{digest}"', text)
        if count != 1:
            raise Failure(f"packaging/homebrew/packtool.rb has no line for {name}", "add its url and sha256")
    return text


def assets(version, folder):
    """The files of the GitHub release."""
    names = [f"{stem(version, name)}{end}" for name in PLATFORMS for end in (".tar.gz", ".spdx.json")]
    names += [f"{stem(version, name, 'packtool-engine')}.tar.gz" for name in ELF_MACHINES]
    return [folder / name
            for name in (*names, f"{stem(version, 'library-sources')}.tar", "packtool.rb", "SHA256SUMS")]


# Publishing


def tag(given):
    """The commit has the time of its parent, so that a second run makes the same commit."""
    name = f"refs/tags/v{given.version}"
    time = run("git", "show", "--no-patch", "--format=%cI", given.commit).stdout.strip()
    with tempfile.TemporaryDirectory() as work:
        env = os.environ | {"GIT_INDEX_FILE": f"{work}/index"}
        for role in ("AUTHOR", "COMMITTER"):
            env |= {f"GIT_{role}_NAME": BOT, f"GIT_{role}_EMAIL": BOT_ADDRESS, f"GIT_{role}_DATE": time}
        run("git", "read-tree", given.commit, env=env)
        binaries = (given.folder / "binaries.txt").resolve()
        blob = run("git", "hash-object", "-w", binaries).stdout.strip()
        run("git", "update-index", "--add", "--cacheinfo", f"100644,{blob},packaging/binaries.txt", env=env)
        tree = run("git", "write-tree", env=env).stdout.strip()
        subject = f"release: add the checksums of packtool {given.version}"
        commit = run("git", "commit-tree", tree, "-p", given.commit, "-m", subject, env=env).stdout.strip()
    existing = remote_tag(given.version)
    if existing not in ("", commit):
        raise Failure(f"the tag v{given.version} exists, for other tarballs or another commit",
                      "run the failed jobs of its run again, or release another version")
    if not existing:
        run("git", "push", "origin", f"{commit}:{name}")
    print(f"release: v{given.version} is {commit}" + (" already" if existing else ""))


def draft(given):
    files = assets(given.version, given.folder)
    name = f"v{given.version}"
    state = release_state(name)
    if state == "published":
        with tempfile.TemporaryDirectory() as work:
            run("gh", "release", "download", name, "--pattern", "SHA256SUMS", "--dir", work)
            if (Path(work) / "SHA256SUMS").read_bytes() == (given.folder / "SHA256SUMS").read_bytes():
                print(f"release: {name} is published already, with the same files")
                return
        raise Failure(f"the release {name} is published, with other files", "release another version")
    if not state:
        with tempfile.TemporaryDirectory() as work:
            text = Path(work) / "notes.md"
            text.write_text(notes(given.version))
            run("gh", "release", "create", name, "--draft", "--verify-tag",
                "--title", f"packtool {given.version}", "--notes-file", text)
    run("gh", "release", "upload", name, "--clobber", *[path.resolve() for path in files])
    print(f"release: the draft {name} has {len(files)} files")


def release_state(name):
    """'draft', 'published' or an empty string."""
    done = run("gh", "release", "view", name, "--json", "isDraft", check=False)
    if done.returncode == 0:
        return "draft" if json.loads(done.stdout)["isDraft"] else "published"
    if "release not found" in done.stderr:
        return ""
    raise Failure(f"'gh release view {name}' failed: {done.stderr.strip()}", RETRY)


def npm(given):
    """The package 'packtool' is the last one, because it depends on the others."""
    packages = []
    for path in sorted((given.folder / "npm").glob("*.tgz")):
        with tarfile.open(path) as archive:
            manifest = json.load(archive.extractfile("package/package.json"))
        if manifest["version"] != given.version:
            raise Failure(f"{path.name} has the version {manifest['version']}, not {given.version}",
                          "pack it again by packaging/npm/build.js")
        packages.append((len(manifest.get("optionalDependencies", ())), manifest["name"], path))
    packages.sort()
    if [count for count, *_ in packages] != [0, 0, 0, 3]:
        raise Failure(f"{given.folder}/npm has {len(packages)} packages, not 3 of platforms and 'packtool'",
                      "pack all of them by packaging/npm/build.js")
    # The first loop compares all of them, before anything is published.
    missing = [(name, path) for _, name, path in packages if not is_on_npm(name, given.version, path)]
    for name, path in missing:
        run("npm", "publish", path.resolve(), "--provenance", "--access", "public")
        print(f"release: npm has {name} {given.version}")
    if not missing:
        print(f"release: npm has all packages of {given.version} already")


def is_on_npm(name, version, path):
    done = run("npm", "view", f"{name}@{version}", "dist.integrity", check=False)
    if done.returncode != 0 and "E404" not in done.stderr:
        raise Failure(f"'npm view {name}' failed: {done.stderr.strip()}", RETRY)
    published = done.stdout.strip() if done.returncode == 0 else ""
    own = "sha512-" + base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
    if published not in ("", own):
        raise Failure(f"npm has {name} {version} with other content", "release another version")
    return bool(published)


def image(given):
    """Builds only the last stages of the Dockerfile: the programs are those of the tarballs."""
    for target, suffix in (("final", ""), ("ci", "-ci")):
        name = f"{given.name}:{given.version}{suffix}"
        if run("docker", "buildx", "imagetools", "inspect", name, check=False).returncode == 0:
            print(f"release: {name} exists already")
        else:
            parts = []
            for architecture, own in ARCHITECTURES.items():
                parts.append(f"{name}-{architecture}")
                tarball = tarballs(given.version, given.folder)[own].resolve()
                with tempfile.TemporaryDirectory() as work:
                    run("Scripts/image-root.sh", tarball, f"{work}/image")
                    run("docker", "buildx", "build", "--platform", f"linux/{architecture}",
                        "--provenance=false", "--build-context", f"build={work}", "--target", target,
                        "--tag", parts[-1], "--push", ".")
            run("docker", "buildx", "imagetools", "create", "--tag", name, *parts)
            print(f"release: pushed {name}")
        form = "{{.Manifest.Digest}}"
        digest = run("docker", "buildx", "imagetools", "inspect", name, "--format", form).stdout.strip()
        if "GITHUB_OUTPUT" in os.environ:
            with open(os.environ["GITHUB_OUTPUT"], "a") as file:
                print(f"{target}={digest}", file=file)


def publish(given):
    name = f"v{given.version}"
    state = release_state(name)
    if not state:
        raise Failure(f"there is no draft of {name}", "run the step 'draft' first")
    if state == "draft":
        run("gh", "release", "edit", name, "--draft=false", "--latest")
    print(f"release: {name} is published")


def version_number(word):
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", word):
        raise argparse.ArgumentTypeError(f"'{word}' is no version like 1.2.3")
    return word


def commit_id(word):
    if not re.fullmatch(r"[0-9a-f]{40}", word):
        raise argparse.ArgumentTypeError(f"'{word}' is no commit of 40 hex digits")
    return word


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    commands = parser.add_subparsers(required=True)
    for step, *arguments in (
        (check,), (verify, "commit", "tarball"), (collect, "commit", "folder"), (tag, "commit", "folder"),
        (draft, "folder"), (npm, "folder"), (image, "folder", "name"), (publish,),
    ):  # fmt: skip
        command = commands.add_parser(step.__name__)
        command.set_defaults(step=step)
        command.add_argument("version", type=version_number)
        for argument in arguments:
            command.add_argument(argument, type={"commit": commit_id, "name": str}.get(argument, Path))
        if step is collect:
            command.add_argument("--repository", required=True, metavar="OWNER/NAME")
    given = parser.parse_args()
    try:
        given.step(given)
    except Failure as failure:
        sys.exit(f"error: {failure}\nhelp: {failure.help}")


if __name__ == "__main__":
    main()
