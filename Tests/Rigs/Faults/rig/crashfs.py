"""A file system that loses data: operations from a trace, and the possible states after a power cut.

The model is more pessimistic than ext4 and POSIX, because origins are on all kinds of disks. Until a barrier,
written bytes may be lost, truncated or read as zeros, and a directory entry may be missing although later
ones exist. Barriers: fsync of a file keeps its bytes (not its name), fsync of a directory keeps its entries,
syncfs keeps everything. A rename is atomic. An inode outlives its names, so a hard link to a staged file only
needs the file's bytes and the link itself.
"""

import functools
import os
from dataclasses import dataclass, field

from .tree import DIRECTORY, Link


class Unmodelled(Exception):
    """A call that the model cannot follow."""


@dataclass
class Op:
    """One step: `kind` is data, cut, add, drop, move, swap, or a barrier: file, folder, all."""
    kind: str
    inode: int = 0        # of the file, or of the directory whose entry changes
    name: str = ""
    child: int = 0        # add and move: the target of the name
    source: tuple = ()    # move and swap: (directory, name)
    other: int = 0        # swap: the new target of the source's name
    offset: int = 0
    data: bytes = b""
    call: str = ""        # for reports


@dataclass
class Disk:
    """The undisturbed file system while reading the trace: resolves names and descriptors to inodes."""
    root: str
    ops: list = field(default_factory=list)
    begin: int = 0        # earlier operations belong to a previously killed run
    kinds: dict = field(default_factory=lambda: {1: DIRECTORY})   # or bytes at the start, or Link
    entries: dict = field(default_factory=lambda: {1: {}})
    sizes: dict = field(default_factory=dict)
    open: dict = field(default_factory=dict)                      # descriptor → [inode, offset, append]

    def new(self, kind):
        inode = len(self.kinds) + 1
        self.kinds[inode] = kind
        if kind is DIRECTORY:
            self.entries[inode] = {}
        elif isinstance(kind, bytes):
            self.sizes[inode] = len(kind)
        return inode

    def load(self, tree):
        """The start state, all of it durable."""
        for path, content in sorted(tree.items()):
            folder, name = self.find(os.path.dirname(path)), os.path.basename(path)
            self.entries[folder][name] = self.new(content)
        self.initial = {inode: dict(names) for inode, names in self.entries.items()}
        return self

    def find(self, path):
        inode = 1
        for part in [part for part in path.split("/") if part and part != "."]:
            inode = self.entries.get(inode, {}).get(part)
            if inode is None:
                return None
        return inode

    def inside(self, full):
        """Path relative to the model's root, or None."""
        full = os.path.normpath(full)
        if full == self.root:
            return ""
        return full[len(self.root) + 1:] if full.startswith(self.root + "/") else None

    def parent(self, relative):
        folder = self.find(os.path.dirname(relative))
        if folder is None:
            raise Unmodelled(f"no directory for {relative}: is a link involved?")
        return folder, os.path.basename(relative)

    def add(self, op, call):
        op.call = call
        if op.kind in ("add", "move", "swap"):
            self.entries[op.inode][op.name] = op.child
        if op.kind == "swap":
            self.entries[op.source[0]][op.source[1]] = op.other
        if op.kind == "move":
            self.entries[op.source[0]].pop(op.source[1])
        if op.kind == "drop":
            self.entries[op.inode].pop(op.name)
        if op.kind == "data":
            self.sizes[op.inode] = max(self.sizes[op.inode], op.offset + len(op.data))
        if op.kind == "cut":
            self.sizes[op.inode] = op.offset
        self.ops.append(op)


def settle(ops, at, safe):
    """Adds to `safe` the operations before `at` that the barrier `ops[at]` makes durable."""
    barrier = ops[at]
    if barrier.kind == "all":
        safe.update(range(at))
    elif barrier.kind == "file":
        safe.update(i for i in range(at) if ops[i].inode == barrier.inode and ops[i].kind in ("data", "cut"))
    elif barrier.kind == "folder":
        # A rename is kept by a barrier on its target directory, not on its source directory.
        safe.update(i for i in range(at)
                    if ops[i].inode == barrier.inode and ops[i].kind in ("add", "drop", "move", "swap"))


@functools.cache
def contents(start, writes, tear):
    """A file's bytes after some of its writes; `tear` is the damage to the last ones."""
    data = bytearray(start)
    for kind, offset, piece in writes:
        if kind == "cut":
            del data[offset:]
            data.extend(bytes(offset - len(data)))
        else:
            data.extend(bytes(max(0, offset - len(data))))
            data[offset:offset + len(piece)] = piece
    if tear == "half":
        del data[len(data) // 2:]
    elif tear == "empty":
        del data[:]
    elif tear == "zeros":
        data = bytearray(len(data))
    return bytes(data)


def state(disk, kept, torn=()):
    """The tree after a crash that kept the operations `kept`, with some files torn.

    `kept` is an iterable of indices in order; `torn` maps inodes to half, empty or zeros.
    """
    torn = dict(torn)
    entries = {inode: dict(names) for inode, names in disk.initial.items()}
    writes = {}
    for index in kept:
        op = disk.ops[index]
        if op.kind in ("data", "cut"):
            writes.setdefault(op.inode, []).append((op.kind, op.offset, op.data))
        elif op.kind in ("add", "move", "swap"):
            entries.setdefault(op.inode, {})[op.name] = op.child
            if op.kind == "move":
                entries.setdefault(op.source[0], {}).pop(op.source[1], None)
            elif op.kind == "swap":
                entries.setdefault(op.source[0], {})[op.source[1]] = op.other
        elif op.kind == "drop":
            entries.setdefault(op.inode, {}).pop(op.name, None)
    tree = {}

    def visit(inode, prefix):
        for name, child in entries.get(inode, {}).items():
            path, kind = prefix + name, disk.kinds[child]
            if kind is DIRECTORY:
                tree[path] = DIRECTORY
                visit(child, path + "/")
            elif isinstance(kind, Link):
                tree[path] = kind
            else:
                tree[path] = contents(kind, tuple(writes.get(child, ())), torn.get(child))

    visit(1, "")
    return tree
