#!/usr/bin/env python3
"""Prints the copyright file of the Debian package, from the output of Scripts/licences.sh.

  Scripts/deb-copyright.py DIRECTORY

Debian has the text of the Apache License in every installation, so that it is named and not repeated;
a project's additions to it (exceptions, notices) and every other licence are printed whole.
"""
import pathlib
import sys

APACHE = "/usr/share/common-licenses/Apache-2.0"
END_OF_APACHE = "END OF TERMS AND CONDITIONS"
EXCEPTION = "Runtime Library Exception"


def words(file):
    text = file.read_text(errors="replace")
    if "Apache License" not in text or END_OF_APACHE not in text:
        return text.strip()
    # After the terms follows advice on how to apply them, then the project's own text.
    own = text[text.index(END_OF_APACHE) + len(END_OF_APACHE):]
    at = own.find(EXCEPTION)
    added = own[own.rindex("\n", 0, at) + 1:].strip() if at >= 0 else ""
    named = f"Licensed under the Apache License, version 2.0; its text is in\n{APACHE}."
    return f"{named}\n\n{added}" if added else named


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    print("packtool: offline packages for the web pages inside an app")
    print("\nCopyright: the packtool authors")
    print(words(root / "LICENSE"))
    print("\nThe program contains other software, listed in third-party.md beside this file.")
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        for file in sorted(folder.iterdir()):
            title = f"{folder.name}, {file.name}"
            print(f"\n\n{title}\n{'-' * len(title)}\n")
            print(words(file))


if __name__ == "__main__":
    main()
