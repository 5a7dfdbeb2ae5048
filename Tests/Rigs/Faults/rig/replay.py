"""Reads a trace as operations of a `crashfs.Disk`: strings, descriptors and one method per call.

Separate from the model: this module knows strace's notation, the model knows the effects of a power cut. A
call that could change a file in a way not handled here raises Unmodelled instead of being skipped.
"""

import os
import re
from pathlib import Path

from .crashfs import Op, Unmodelled
from .tree import DIRECTORY, Link

QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.S)
DESCRIPTOR = re.compile(r"^(AT_FDCWD|-?\d+)(?:<((?:[^>\\]|\\.)*)>)?(\(deleted\))?$")
ESCAPE = re.compile(rb"\\([0-7]{1,3}|x[0-9a-f]{2}|.)", re.S)
SIMPLE = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f", b"a": b"\a", b"b": b"\b"}
# Calls that could change a file without the model noticing: stop instead of proving nothing.
UNMODELLED = {"mmap", "splice", "vmsplice", "io_uring_setup", "pwritev", "pwritev2", "fallocate"}
CALLS = ["openat", "open", "creat", "openat2", "mkdirat", "mkdir", "write", "pwrite64", "writev",
         "fsync", "fdatasync", "syncfs", "sync", "linkat", "link", "renameat2", "renameat", "rename",
         "unlinkat", "unlink", "rmdir", "symlinkat", "symlink", "ftruncate", "truncate", "close",
         "dup", "dup2", "dup3", "fcntl", "lseek", "read", "copy_file_range", "sendfile", *UNMODELLED]


def unescape(text):
    """Bytes of a string as printed by strace."""
    def one(match):
        code = match[1]
        if code[:1] == b"x":
            return bytes([int(code[1:], 16)])
        return bytes([int(code, 8)]) if code[:1].isdigit() else SIMPLE.get(code, code)
    return ESCAPE.sub(one, text)


def split(text):
    """Arguments of a call: commas outside quotes, brackets and descriptor paths."""
    parts, depth, quoted, angled, start, at = [], 0, False, False, 0, 0
    while at < len(text):
        char = text[at]
        if quoted:
            if char == "\\":
                at += 1
            quoted = char != '"'
        elif angled:
            angled = char != ">"
        elif char == '"':
            quoted = True
        elif char == "<":
            angled = text[at + 1:at + 2] != "<"  # a shift such as 1<<3 opens nothing
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    return parts + [text[start:].strip()]


class Reader:
    """Turns calls into operations of a Disk."""

    def __init__(self, disk):
        self.disk = disk

    def run(self, calls):
        self.disk.open.clear()
        for call in calls:
            if call.failed:
                continue
            arguments = split(call.text)
            step = getattr(self, "on_" + call.name, None)
            if step:
                step(call, arguments)
            elif call.name in UNMODELLED and self.touches(call, arguments):
                raise Unmodelled(call.brief())
        return self.disk

    def touches(self, call, arguments):
        if call.name == "mmap" and ("PROT_WRITE" not in call.text or "MAP_SHARED" not in call.text):
            return False
        return f"<{self.disk.root}" in call.text

    @staticmethod
    def string(argument):
        match = QUOTED.match(argument.encode("utf-8", "surrogateescape"))
        return unescape(match[1]).decode("utf-8", "surrogateescape") if match else ""

    @staticmethod
    def number(argument):
        match = DESCRIPTOR.match(argument)
        if not match:
            raise Unmodelled(f"not a descriptor: {argument}")
        path = unescape((match[2] or "").encode("utf-8", "surrogateescape"))
        return match[1], path.decode("utf-8", "surrogateescape")

    def path(self, folder, name):
        """Relative path of (directory descriptor, name) inside the model, or None."""
        base = self.number(folder)[1] if folder else os.getcwd()
        return self.disk.inside(os.path.join(base, self.string(name)))

    # Opening and closing

    def on_openat(self, call, arguments):
        self.opened(call, self.path(arguments[0], arguments[1]), arguments[2])

    def on_open(self, call, arguments):
        self.opened(call, self.path(None, arguments[0]), arguments[1])

    def on_creat(self, call, arguments):
        self.opened(call, self.path(None, arguments[0]), "O_WRONLY|O_CREAT|O_TRUNC")

    def on_openat2(self, call, arguments):
        self.opened(call, self.path(arguments[0], arguments[1]), arguments[2])

    def opened(self, call, relative, flags):
        disk = self.disk
        disk.open.pop(call.result, None)
        if relative is None:
            return
        if "O_TMPFILE" in flags:
            inode = disk.new(b"")
        else:
            inode = disk.find(relative)
        if inode is None:
            if "O_CREAT" not in flags:
                # Reached through a link, such as `current`: reading needs no model.
                if "O_WRONLY" in flags or "O_RDWR" in flags:
                    raise Unmodelled(call.brief())
                return
            folder, name = disk.parent(relative)
            inode = disk.new(b"")
            disk.add(Op("add", folder, name, inode), call.brief())
        elif "O_TRUNC" in flags and disk.sizes.get(inode):
            disk.add(Op("cut", inode), call.brief())
        disk.open[call.result] = [inode, 0, "O_APPEND" in flags]

    def on_close(self, call, arguments):
        self.disk.open.pop(self.number(arguments[0])[0], None)

    def on_dup(self, call, arguments):
        held = self.disk.open.get(self.number(arguments[0])[0])
        if held:
            self.disk.open[call.result] = held

    on_dup2 = on_dup3 = on_dup

    def on_fcntl(self, call, arguments):
        if arguments[1].startswith("F_DUPFD"):
            self.on_dup(call, arguments)

    def held(self, argument):
        return self.disk.open.get(self.number(argument)[0])

    # Bytes

    def on_lseek(self, call, arguments):
        if held := self.held(arguments[0]):
            held[1] = int(call.result)

    def on_read(self, call, arguments):
        if held := self.held(arguments[0]):
            held[1] += int(call.result)

    def written(self, call, held, data, offset=None):
        data = data[:int(call.result)]
        if len(data) != int(call.result):
            raise Unmodelled(f"the trace cuts what was written: {call.brief()}")
        if offset is None:
            offset = self.disk.sizes[held[0]] if held[2] else held[1]
            held[1] = offset + len(data)
        if data:
            self.disk.add(Op("data", held[0], offset=offset, data=data), call.brief())

    def bytes(self, argument):
        return b"".join(unescape(part) for part in
                        QUOTED.findall(argument.encode("utf-8", "surrogateescape")))

    def on_write(self, call, arguments):
        if held := self.held(arguments[0]):
            self.written(call, held, self.bytes(arguments[1]))

    on_writev = on_write

    def on_pwrite64(self, call, arguments):
        if held := self.held(arguments[0]):
            self.written(call, held, self.bytes(arguments[1]), int(arguments[3]))

    def on_ftruncate(self, call, arguments):
        if held := self.held(arguments[0]):
            self.disk.add(Op("cut", held[0], offset=int(arguments[1])), call.brief())

    def on_copy_file_range(self, call, arguments):
        self.copied(call, arguments[0], arguments[1], arguments[2], arguments[3])

    def on_sendfile(self, call, arguments):
        self.copied(call, arguments[1], arguments[2], arguments[0], "NULL")

    def copied(self, call, source, source_offset, target, target_offset):
        """The source must still exist unchanged, which is true for build files."""
        if not (held := self.held(target)):
            return
        path = self.number(source)[1]
        if self.disk.inside(path) is not None or source_offset != "NULL" or target_offset != "NULL":
            raise Unmodelled(call.brief())
        done = self.copies = getattr(self, "copies", {})
        offset = done.get(source, 0) % max(1, os.path.getsize(path))
        done[source] = offset + int(call.result)
        self.written(call, held, Path(path).read_bytes()[offset:offset + int(call.result)])

    # Names

    def on_mkdirat(self, call, arguments):
        self.made(call, self.path(arguments[0], arguments[1]), DIRECTORY)

    def on_mkdir(self, call, arguments):
        self.made(call, self.path(None, arguments[0]), DIRECTORY)

    def on_symlinkat(self, call, arguments):
        self.made(call, self.path(arguments[1], arguments[2]), Link(self.string(arguments[0])))

    def on_symlink(self, call, arguments):
        self.made(call, self.path(None, arguments[1]), Link(self.string(arguments[0])))

    def made(self, call, relative, kind):
        if relative:
            folder, name = self.disk.parent(relative)
            self.disk.add(Op("add", folder, name, self.disk.new(kind)), call.brief())

    def on_linkat(self, call, arguments):
        target = self.path(arguments[2], arguments[3])
        if target is None:
            return
        name = self.string(arguments[1])
        if name == "" or name.startswith("/proc/self/fd/"):
            held = self.disk.open.get(name.rsplit("/", 1)[-1] or self.number(arguments[0])[0])
            inode = held and held[0]
        else:
            source = self.path(arguments[0], arguments[1])
            inode = None if source is None else self.disk.find(source)
        self.linked(call, inode, target)

    def on_link(self, call, arguments):
        target = self.path(None, arguments[1])
        if target is not None:
            self.linked(call, self.disk.find(self.path(None, arguments[0]) or "?"), target)

    def linked(self, call, inode, target):
        if inode is None:
            raise Unmodelled(call.brief())
        folder, name = self.disk.parent(target)
        self.disk.add(Op("add", folder, name, inode), call.brief())

    def on_renameat2(self, call, arguments):
        if len(arguments) > 4 and "RENAME_EXCHANGE" in arguments[4]:
            return self.swapped(call, self.path(arguments[0], arguments[1]),
                                self.path(arguments[2], arguments[3]))
        self.renamed(call, self.path(arguments[0], arguments[1]), self.path(arguments[2], arguments[3]))

    on_renameat = on_renameat2

    def on_rename(self, call, arguments):
        self.renamed(call, self.path(None, arguments[0]), self.path(None, arguments[1]))

    def renamed(self, call, source, target):
        if source is None and target is None:
            return
        if source is None or target is None or self.disk.find(source) is None:
            raise Unmodelled(call.brief())
        here, there = self.disk.parent(source), self.disk.parent(target)
        child = self.disk.find(source)
        self.disk.add(Op("move", there[0], there[1], child, here), call.brief())

    def swapped(self, call, source, target):
        if source is None or target is None:
            raise Unmodelled(call.brief())
        here, there = self.disk.parent(source), self.disk.parent(target)
        self.disk.add(Op("swap", there[0], there[1], self.disk.find(source), here, self.disk.find(target)),
                      call.brief())

    def on_unlinkat(self, call, arguments):
        self.removed(call, self.path(arguments[0], arguments[1]))

    def on_unlink(self, call, arguments):
        self.removed(call, self.path(None, arguments[0]))

    on_rmdir = on_unlink

    def removed(self, call, relative):
        if relative:
            self.disk.add(Op("drop", *self.disk.parent(relative)), call.brief())

    # Barriers

    def on_fsync(self, call, arguments):
        if held := self.held(arguments[0]):
            kind = "folder" if self.disk.kinds[held[0]] is DIRECTORY else "file"
            self.disk.add(Op(kind, held[0]), call.brief())

    on_fdatasync = on_fsync

    def on_syncfs(self, call, arguments):
        self.disk.add(Op("all"), call.brief())

    on_sync = on_syncfs
