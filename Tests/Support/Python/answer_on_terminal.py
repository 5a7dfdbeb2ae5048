"""Runs a command on a terminal of its own and types an answer once a prompt is there.

    python3 answer_on_terminal.py PROMPT ANSWER COMMAND ARGUMENT...

ANSWER may have escapes: \\x03 is Ctrl-C. Prints what the terminal showed, then "ended: CODE", which is
negative for a signal.
"""
import os
import pty
import signal
import sys

prompt, answer, *command = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    # Ignored in what a script starts in the background, and inherited from there.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execvp(command[0], command)
shown = b""
is_typed = False
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # Linux: EIO once the last writer is gone.
        break
    if not piece:
        break
    shown += piece
    if prompt.encode() in shown and not is_typed:
        is_typed = True
        os.write(terminal, answer.encode().decode("unicode_escape").encode())
_, status = os.waitpid(child, 0)
sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
print("ended:", os.waitstatus_to_exitcode(status))
