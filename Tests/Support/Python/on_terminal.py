"""Runs a command with its standard error on a pseudo terminal and prints what it wrote there.

    python3 on_terminal.py COMMAND ARGUMENT...

Standard output is dropped. Ends with the command's exit code.
"""
import os
import pty
import subprocess
import sys

master, slave = pty.openpty()
process = subprocess.Popen(
    sys.argv[1:], stdin=slave, stdout=subprocess.DEVNULL, stderr=slave, start_new_session=True
)
os.close(slave)
while True:
    try:
        piece = os.read(master, 65536)
    except OSError:  # Linux: EIO once the last writer is gone.
        break
    if not piece:
        break
    sys.stdout.buffer.write(piece)
sys.stdout.flush()
sys.exit(process.wait() & 0xFF)
