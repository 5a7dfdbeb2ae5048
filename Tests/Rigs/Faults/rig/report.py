"""Reports the runs and their failures as text and as data."""

import json
import re
import sys
import time
from collections import Counter


SCRATCH = re.compile(r"/[^\s\"<>']*packtool-faults-[^/\"'>]+")


class Report:
    def __init__(self, name, json_path=None):
        self.name, self.json_path = name, json_path
        self.started = time.monotonic()
        self.counts = Counter()
        self.ends = Counter()
        self.notes, self.violations = [], []

    def note(self, text):
        self.notes.append(text)
        print(f"note: {text}", file=sys.stderr, flush=True)

    def violation(self, where, problems, reproduce):
        """Records a disturbed run that broke an invariant; the first few are printed at once."""
        where = SCRATCH.sub("…", where)
        problems = [SCRATCH.sub("…", problem) for problem in problems]
        self.violations.append({"where": where, "problems": problems, "reproduce": reproduce})
        if len(self.violations) <= 10:
            print(f"VIOLATION {where}", *problems[:6], f"reproduce: {reproduce}", sep="\n    ",
                  file=sys.stderr, flush=True)

    def finish(self):
        """Prints the summary and returns the exit status."""
        seconds = round(time.monotonic() - self.started, 1)
        summary = {"name": self.name, "seconds": seconds, "counts": dict(sorted(self.counts.items())),
                   "ends": dict(sorted(self.ends.items())), "notes": self.notes,
                   "violations": self.violations}
        if self.json_path:
            with open(self.json_path, "w") as file:
                json.dump(summary, file, indent=1)
                file.write("\n")
        print(f"{self.name}: {seconds} s, {len(self.violations)} violations")
        for what, counter in (("", self.counts), ("ended with ", self.ends)):
            for key, count in sorted(counter.items()):
                print(f"  {count:6}  {what}{key}")
        if len(self.violations) > 10:
            kinds = Counter(problem for violation in self.violations for problem in violation["problems"])
            print("  most frequent:")
            for problem, count in kinds.most_common(8):
                print(f"  {count:6}  {problem[:150]}")
        return 1 if self.violations else 0
