#!/usr/bin/env python3
"""Prints the share of executed lines in each module, after 'swift test --enable-code-coverage'.

    Scripts/coverage.py "$(swift test --show-codecov-path --scratch-path .build/coverage)"
"""

import json
import sys
from collections import Counter
from pathlib import Path


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    total, covered = Counter(), Counter()
    for file in json.loads(Path(sys.argv[1]).read_text())["data"][0]["files"]:
        parts = Path(file["filename"]).parts
        if "Sources" not in parts or ".build" in parts:
            continue
        inner = parts[parts.index("Sources") + 1:]
        for module in ("/".join(inner[:2] if len(inner) > 2 else inner[:1]), "all"):
            total[module] += file["summary"]["lines"]["count"]
            covered[module] += file["summary"]["lines"]["covered"]
    for module in sorted(total, key=lambda name: (name == "all", name)):
        print(f"{module:24}{total[module]:8} lines {100 * covered[module] / max(total[module], 1):6.1f} %")


if __name__ == "__main__":
    main()
