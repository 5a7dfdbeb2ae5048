"""Keeps constant results: the figures of a peer on a pair, by tools, options and content.

One small JSON file for each, below a directory that may be shared by runs. packtool's own figures
are never kept.
"""

import dataclasses
import hashlib
import json
import os
from pathlib import Path

from delta_peers import Figures

# To be raised when the counting changes but tools, options and inputs do not.
COUNTING = 1


class Cache:
    def __init__(self, directory):
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)

    def key(self, subject, pair, tools, limits):
        described = {
            "counting": COUNTING,
            "subject": subject.label,
            "options": subject.options,
            "tools": [tools.identity(tool) for tool in subject.tools],
            "old": pair.old.tree.package_hash,
            "new": pair.new.tree.package_hash,
            "pairing": pair.pairing_digest() if subject.family == "per file" else "-",
            "limits": limits,
        }
        return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()[:32]

    def get(self, key):
        """(rounds, reason for leaving it out, time and machine) or None."""
        try:
            kept = json.loads(self._path(key).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        return [Figures(**round) for round in kept["rounds"]], kept["left_out"], kept["from"]

    def put(self, key, pair, subject, rounds, left_out, origin):
        kept = {"pair": pair.name, "subject": subject.label, "from": origin, "left_out": left_out,
                "rounds": [dataclasses.asdict(figures) for figures in rounds]}
        unfinished = self._path(key).with_suffix(f".{os.getpid()}.part")
        unfinished.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        unfinished.rename(self._path(key))

    def _path(self, key):
        return self.directory / f"{key}.json"
