"""crypt_filters.py IN OUT: the crypt filters of an encrypted document, which stand in its encryption
dictionary, as an object of their own. Encryption dictionaries are not encrypted themselves."""

import re
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
number, = re.search(rb"/Encrypt (\d+) 0 R", data).groups()
size = int(re.search(rb"/Size (\d+)", data)[1])
trailer, = re.findall(rb"trailer (<<.*>>)", data)
xref = re.findall(rb"startxref\s+(\d+)", data)[-1]
body, = re.search(rb"\n%s 0 obj\s+(<<.*?>>)\s+endobj" % number, data, re.S).groups()
filters = re.search(rb"/CF (<<.*?>> >>)", body)[1]

entries = []
for entry, text in ((int(number), body.replace(filters, b"%d 0 R" % size)), (size, filters)):
    entries.append(b"%d 1\n%010d 00000 n \n" % (entry, len(data)))
    data += b"%d 0 obj\n%s\nendobj\n" % (entry, text)
trailer = trailer.replace(b"/Size %d" % size, b"/Size %d /Prev %s" % (size + 1, xref))
data += b"xref\n%strailer %s\nstartxref\n%d\n%%%%EOF\n" % (b"".join(entries), trailer, len(data))
with open(sys.argv[2], "wb") as file:
    file.write(data)
