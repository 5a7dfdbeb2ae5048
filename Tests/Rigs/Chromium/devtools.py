"""A client of the DevTools protocol over a pipe: JSON messages, each ended by a zero byte."""
import json
import os
import select
import subprocess
import time


class Gone(Exception):
    """Chromium has ended."""


class DevTools:
    """Chromium, and the messages to and from it; nothing runs in the background."""

    def __init__(self, command):
        to_read, self.writer = os.pipe()
        self.reader, to_write = os.pipe()

        # Chromium reads commands on descriptor 3 and writes to 4.
        def descriptors():
            high = [os.dup(to_read), os.dup(to_write)]
            for number, descriptor in zip((3, 4), high):
                os.dup2(descriptor, number)

        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=descriptors)  # noqa: PLW1509 (engines start one after the other)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.events, self.results = b"", 0, [], {}

    def send(self, method, session=None, **parameters):
        """Sends a command and returns its number."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        try:
            while data:
                data = data[os.write(self.writer, data):]
        except OSError as error:
            raise Gone from error
        return self.number

    def call(self, method, session=None, **parameters):
        """Sends a command and waits for its result; events are kept."""
        number, limit = self.send(method, session, **parameters), time.monotonic() + 20
        while number not in self.results:
            if time.monotonic() > limit:
                raise Gone
            self.pump(0.5)
        answer = self.results.pop(number)
        if "error" in answer:
            raise ValueError(f"{method}: {answer['error'].get('message')}")
        return answer["result"]

    def pump(self, seconds):
        """Reads the messages that arrive within some time."""
        if not select.select([self.reader], [], [], seconds)[0]:
            return
        piece = os.read(self.reader, 1 << 20)
        if not piece:
            raise Gone
        *messages, self.buffer = (self.buffer + piece).split(b"\0")
        for message in messages:
            message = json.loads(message)
            if "id" in message:
                self.results[message["id"]] = message
            else:
                self.events.append(message)

    def close(self):
        os.close(self.writer)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.reader)
