"""changes.py IN.odt OUT.odt: the same document, which says that its tracked changes are hidden."""

import sys
import zipfile

SHOWN = b'"ShowRedlineChanges" config:type="boolean">true'

with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as new:
    for name in old.namelist():
        new.writestr(name, old.read(name).replace(SHOWN, SHOWN.replace(b"true", b"false")))
