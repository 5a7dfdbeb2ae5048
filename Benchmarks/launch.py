"""Starts one command and reports its resource usage. Run by runner.py, one process per measurement.

    python -I -S launch.py fork|spawn RESULT STDIN STDOUT STDERR COMMAND …

Why a process of its own: on Linux a child's ru_maxrss starts at the size of the process that
started it, because exec only ever raises the mark. bench.py may be large (it holds trees and
results), so its own children would all seem as large. This file imports next to nothing and, with
`fork`, the child starts with only the anonymous pages of this small interpreter: about 5 MiB, which
bench.py measures with `true` and prints. `spawn` starts faster (no page tables to copy) and is
meant for start-up times, without memory.

RESULT gets one line: wall-clock nanoseconds, user and system seconds (children included),
ru_maxrss as the system gives it (the largest single process), wait status.
"""

import os
import sys
import time


def open_streams(stdin, stdout, stderr):
    """Puts the files on descriptors 0 to 2; the command inherits them."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, (path, mode) in enumerate([(stdin, os.O_RDONLY), (stdout, flags), (stderr, flags)]):
        descriptor = os.open(path, mode, 0o644)
        os.dup2(descriptor, number)
        os.close(descriptor)


def start(method, command):
    if method == "spawn":
        return os.posix_spawnp(command[0], command, os.environ)
    child = os.fork()
    if child == 0:
        try:
            os.execvp(command[0], command)
        finally:
            os._exit(127)
    return child


def main():
    method, result, stdin, stdout, stderr, *command = sys.argv[1:]
    result_file = os.open(result, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    open_streams(stdin, stdout, stderr)
    began = time.monotonic_ns()
    _, status, usage = os.wait4(start(method, command), 0)
    wall = time.monotonic_ns() - began
    fields = (wall, usage.ru_utime, usage.ru_stime, usage.ru_maxrss, status)
    os.write(result_file, " ".join(map(str, fields)).encode())


main()
