"""The peer "Python zipfile": packs the current directory. Usage: zip_python.py OUT.zip"""

import os
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1], "x", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for directory, _, names in os.walk("."):
        for name in names:
            archive.write(os.path.join(directory, name))
