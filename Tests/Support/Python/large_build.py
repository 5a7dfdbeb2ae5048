"""Writes a build that takes seconds to pack: DIRECTORY MEGABYTES, in files of one megabyte of words."""
import os
import random
import sys

directory, count = sys.argv[1], int(sys.argv[2])
generator = random.Random(1)
words = ["%x" % generator.getrandbits(generator.choice((12, 20, 32))) for _ in range(40_000)]
text = " ".join(generator.choice(words) for _ in range(190_000)).encode()[:1_000_000]
os.makedirs(directory)
for index in range(count):
    shift = index * 7919 % len(text)
    with open(os.path.join(directory, "chunk-%04d.js" % index), "wb") as file:
        file.write(b"// %d\n" % index + text[shift:] + text[:shift])
with open(os.path.join(directory, "index.html"), "w") as file:
    file.write("<!doctype html>\n")
