#!/usr/bin/env python3
"""Makes links of doc comments to other modules absolute, in a folder of symbol graphs.

DocC resolves ``Name`` only within a module; ``/PackGround/Name`` works everywhere.
"""

import json
import re
import sys
from pathlib import Path


def main(folder):
    graphs = {path: json.loads(path.read_text()) for path in sorted(Path(folder).glob("*.symbols.json"))}
    names, homes = {}, {}
    for path, graph in graphs.items():
        module = graph["module"]["name"]
        # A graph of extensions, MODULE@OTHER, repeats the names of the types of the other module.
        own = "@" not in path.name
        for symbol in graph["symbols"]:
            components = symbol["pathComponents"]
            names.setdefault(module, set()).update(components if own else components[1:])
            if own:
                homes.setdefault(components[0], set()).add(module)
    for path, graph in graphs.items():
        module = graph["module"]["name"]

        def absolute(link, module=module):
            head = link[1].split("/")[0]
            others = homes.get(head, set())
            if head in names[module] or len(others) != 1:
                return link[0]
            return f"``/{min(others)}/{link[1]}``"

        for symbol in graph["symbols"]:
            for line in symbol.get("docComment", {}).get("lines", []):
                line["text"] = re.sub(r"``([^`/]+(?:/[^`]+)?)``", absolute, line["text"])
        path.write_text(json.dumps(graph))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
