"""A toy packtool: publish, verify, install and hash in the order that the contract prescribes.

It exists to be broken: `toy-mutants.toml` damages it in the ways that real publishers get damaged, and
the self-test demands that sweep, crash model and race notice each. It imports and opens a great deal
before it starts, so the rig's marker between start-up and work is exercised too.
"""

import base64, ctypes, errno, fcntl, hashlib, json, os, shutil, sys, uuid  # noqa: E401
from urllib.parse import quote, unquote

CHUNK = 16384
syncfs = ctypes.CDLL(None, use_errno=True).syncfs


class Conflict(Exception):
    pass


class Invalid(Exception):
    pass


def sha(data):
    return hashlib.sha256(data).hexdigest()


def read(path):
    with open(path, "rb", buffering=0) as file:
        return file.read()


def optional(path):
    try:
        return read(path)
    except FileNotFoundError:
        return None


def listing(tree):
    rows = [f"{sha(tree[path])}  {path}\n" for path in sorted(tree, key=lambda path: path.encode())]
    return sha("".join(rows).encode())


def walk(root):
    found = {}

    def failed(reason):
        raise reason
    for folder, _, names in os.walk(root, onerror=failed):
        for name in names:
            full = os.path.join(folder, name)
            found[os.path.relpath(full, root)] = read(full)
    return found


def create(path, data):
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        for start in range(0, len(data), CHUNK):
            piece = data[start:start + CHUNK]
            while piece:
                piece = piece[os.write(handle, piece):]
    finally:
        os.close(handle)


def sync_file(path):
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_all(path):
    handle = os.open(path, os.O_RDONLY)
    try:
        if syncfs(handle):
            raise OSError(ctypes.get_errno(), "syncfs", path)
    finally:
        os.close(handle)


def folder(path, dirty):
    if not os.path.isdir(path):
        folder(os.path.dirname(path), dirty)
        try:
            os.mkdir(path)
        except FileExistsError:
            pass
        dirty.add(os.path.dirname(path))
        dirty.add(path)


def place(staged, target, data, dirty):
    """Link without replacing; the same bytes there already are fine."""
    folder(os.path.dirname(target), dirty)
    try:
        os.link(staged, target)
    except FileExistsError:
        if read(target) != data:
            raise Invalid(f"{target} has other bytes") from None
    dirty.add(os.path.dirname(target))


def sync_folders(dirty):
    for path in sorted(dirty):
        sync_file(path)
    dirty.clear()


def replace(staging, target, data):
    """Temp, fsync, rename, fsync of the directory."""
    if optional(target) == data:
        return
    temp = os.path.join(staging, str(uuid.uuid4()))
    create(temp, data)
    sync_file(temp)
    dirty = set()
    folder(os.path.dirname(target), dirty)
    os.rename(temp, target)
    dirty.add(os.path.dirname(target))
    sync_folders(dirty)


def payload(envelope):
    return json.loads(base64.b64decode(json.loads(envelope)["payload"]))


def dump(value):
    return json.dumps(value, sort_keys=True).encode()


def publish(build, origin, base, app, channel):
    home = os.path.join(origin, ".packtool")
    os.makedirs(os.path.join(home, "staging"), exist_ok=True)
    lock = os.open(os.path.join(home, "lock"), os.O_RDWR | os.O_CREAT, 0o644)
    fcntl.flock(lock, fcntl.LOCK_EX)
    for name in os.listdir(os.path.join(home, "staging")):
        shutil.rmtree(os.path.join(home, "staging", name))
    tree = walk(build)
    staging = os.path.join(home, "staging", str(uuid.uuid4()))
    os.mkdir(staging)
    whole = listing(tree)
    version = whole[:20]
    assets = [{"path": path, "sha256": sha(tree[path]), "size": len(tree[path]),
               "url": f"{base}/objects/{sha(tree[path])}/{quote(os.path.basename(path))}"}
              for path in sorted(tree, key=lambda path: path.encode())]
    info = dump({"version": version, "files": [a["url"] for a in assets], "schema": 1, "app": app,
                 "packageHash": whole, "assets": assets})
    commit(origin, staging, channel, tree, assets, info, version, whole, base, app)
    shutil.rmtree(staging)


def commit(origin, staging, channel, tree, assets, info, version, whole, base, app):
    at = os.path.join(origin, "channels", channel)
    log, pointer_path = os.path.join(at, "log"), os.path.join(at, "pointer.json")
    before = optional(pointer_path)
    if before is None or payload(before)["version"] != version:
        dirty, plan = set(), []
        for number, asset in enumerate(assets):
            plan.append((os.path.join(staging, str(number)), unquote(asset["url"].replace(base, origin, 1)),
                         tree[asset["path"]]))
        plan.append((os.path.join(staging, "info"), os.path.join(origin, "releases", version, "info.json"), info))
        for staged, _, data in plan:
            create(staged, data)
        sync_all(staging)
        for staged, target, data in plan:
            place(staged, target, data, dirty)
        folder(log, dirty)
        sync_folders(dirty)
        for _, target, data in plan:
            if read(target) != data:
                raise Invalid(f"{target} does not read back")
        taken = [int(name[:-5]) for name in os.listdir(log)]
        sequence = max([payload(before)["sequence"] if before else 0, *taken]) + 1
        body = {"schema": 1, "app": app, "channel": channel, "sequence": sequence, "version": version,
                "packageHash": whole, "deltas": [],
                "info": {"url": f"{base}/releases/{version}/info.json", "sha256": sha(info), "size": len(info)}}
        pointer = dump({"payloadType": "application/vnd.packtool.pointer+json", "signatures": [],
                        "payload": base64.b64encode(dump(body)).decode()})
        entry = os.path.join(staging, "entry")
        create(entry, pointer)
        sync_file(entry)
        try:
            os.link(entry, os.path.join(log, f"{sequence}.json"))
        except FileExistsError:
            raise Conflict(f"sequence {sequence} was taken") from None
        sync_file(log)
        replace(staging, pointer_path, pointer)
    replace(staging, os.path.join(origin, "info.json"), info)
    site = os.path.join(origin, "site")
    for path in sorted(tree, key=lambda path: path.endswith(".html")):
        replace(staging, os.path.join(site, path), tree[path])


def fetch(origin, base, reference):
    data = read(os.path.join(origin, unquote(reference["url"][len(base) + 1:])))
    if len(data) != reference["size"] or sha(data) != reference["sha256"]:
        raise Invalid(f"{reference['url']} has other bytes")
    return data


def load(origin, envelope):
    pointer = payload(envelope)
    base = pointer["info"]["url"].rsplit("/releases/", 1)[0]
    info = json.loads(fetch(origin, base, pointer["info"]))
    tree = {asset["path"]: fetch(origin, base, asset) for asset in info["assets"]}
    if listing(tree) != pointer["packageHash"]:
        raise Invalid("the assets do not hash to the package hash")
    return pointer, tree


def pointers(origin):
    found = []
    for channel in os.listdir(os.path.join(origin, "channels")) if os.path.isdir(
            os.path.join(origin, "channels")) else []:
        at = os.path.join(origin, "channels", channel)
        found.append(optional(os.path.join(at, "pointer.json")))
        found += [read(os.path.join(at, "log", name)) for name in os.listdir(os.path.join(at, "log"))]
    return [envelope for envelope in found if envelope is not None]


def verify(origin):
    for envelope in pointers(origin):
        load(origin, envelope)


def install(origin, into):
    os.makedirs(into, exist_ok=True)
    envelope = optional(os.path.join(origin, "channels", "production", "pointer.json"))
    if envelope is None:
        raise OSError(errno.ENOENT, "nothing is published yet", origin)
    pointer, tree = load(origin, envelope)
    versions, staging = os.path.join(into, "versions"), os.path.join(into, ".staging")
    shutil.rmtree(staging, ignore_errors=True)
    os.makedirs(versions, exist_ok=True)
    final, current = os.path.join(versions, pointer["version"]), os.path.join(into, "current")
    if not os.path.isdir(final):
        dirty = set()
        for path, data in tree.items():
            folder(os.path.dirname(os.path.join(staging, "tree", path)), dirty)
            create(os.path.join(staging, "tree", path), data)
        sync_all(into)
        os.rename(os.path.join(staging, "tree"), final)
        sync_file(versions)
    if listing(walk(final)) != pointer["packageHash"]:
        raise Invalid("the installed tree does not hash to the package hash")
    os.makedirs(staging, exist_ok=True)
    os.symlink(f"versions/{pointer['version']}", os.path.join(staging, "current"))
    os.rename(os.path.join(staging, "current"), current)
    sync_file(into)
    replace(staging, os.path.join(into, "state.json"),
            dump({"version": pointer["version"], "sequence": pointer["sequence"], "road": "files"}))
    for name in os.listdir(versions):
        if name != pointer["version"]:
            os.makedirs(staging, exist_ok=True)
            os.rename(os.path.join(versions, name), os.path.join(staging, "old"))
            shutil.rmtree(os.path.join(staging, "old"))
    shutil.rmtree(staging)


def main(words):
    options = {words[i]: words[i + 1] for i in range(2, len(words) - 1, 2)}
    if words[0] == "publish":
        publish(words[1], options["--to"], options["--base-url"], options["--app"], options["--channel"])
    elif words[0] == "verify":
        verify(words[1])
    elif words[0] == "install":
        install(words[1], options["--into"])
    else:
        print(listing(walk(words[1]))[:20])


def end(status, reason, remedy):
    """Says it and leaves, also on a disk so full that standard error cannot be written."""
    try:
        os.write(2, f"error: {reason}\nhelp: {remedy}\n".encode())
    except OSError:
        pass
    os._exit(status)


try:
    main(sys.argv[1:])
except Conflict as reason:
    end(3, reason, "run it again")
except (Invalid, ValueError) as reason:
    end(1, reason, "publish again")
except OSError as reason:
    end(2, reason, "mend that and run it again")
