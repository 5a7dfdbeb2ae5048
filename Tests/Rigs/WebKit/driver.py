"""Drives the process that owns WebKit; prove.py and ../Pages/open.py open their pages with it."""
import json
import os
import subprocess

from network import Network

# WebKit keeps a network process for each context; restarting our process ends them.
CONTEXTS_PER_PROCESS = 25
HERE = os.path.dirname(os.path.abspath(__file__))


class Engine:
    """The process that owns WebKit, restarted after a page has crashed it."""

    def __init__(self, certificate, storage):
        self.network, self.storage, self.process, self.opened = Network(certificate), storage, None, 0
        self.start()

    def start(self):
        read, write = os.pipe()
        self.opened = 0
        self.process = subprocess.Popen(
            [
                "/usr/bin/python3",
                os.path.join(HERE, "engine.py"),
                "--answers",
                str(write),
                "--storage",
                self.storage,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            pass_fds=[write],
        )
        os.close(write)
        self.answers = os.fdopen(read)
        hello = self.answers.readline()
        if not hello:
            raise SystemExit(2)
        self.version = json.loads(hello)["webkit"]

    def load(self, job, table=None, roots=None, offline=False):
        """Loads a page and reports its behavior. Offline, hosts without an entry refuse connections."""
        if self.opened == CONTEXTS_PER_PROCESS:
            self.stop()
            self.start()
        self.opened += not job.get("shared")
        self.network.set(table or {}, roots or {}, offline)
        print(json.dumps(job), file=self.process.stdin, flush=True)
        line = self.answers.readline()
        if not line:
            self.process.wait()
            self.start()
            return {"failure": "the engine ended"}
        report = json.loads(line)
        report["network"] = self.network.asked
        return report

    def stop(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)
