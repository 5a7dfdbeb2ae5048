"""Prints the pages of topics/, for tests of the app's handler, as lines of tab-separated words:

    page NAME ROOT        a page and the path of its package in URLs; the lines below belong to it
    file PATH CONTENT     a file, both in hexadecimal
    missed URL            a URL that an engine requested without finding a file, for pages of path-strict
"""
import pages

import clients

VERDICTS = pages.verdicts("webkit")
for name, page in sorted(pages.load().items()):
    print("page", name, clients.client(page.profile).root, sep="\t")
    for path, content in page.files.items():
        content = content if isinstance(content, bytes) else content.encode()
        print("file", path.encode().hex(), content.hex(), sep="\t")
    if page.profile == "path-strict":
        for url in VERDICTS.get(name, {}).get("missed", []):
            print("missed", url, sep="\t")
