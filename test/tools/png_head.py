"""Prints what a PNG says of itself: "WIDTH HEIGHT BITS TYPE PIXELS-PER-METRE"; TYPE is 0 gray, 2 RGB,
3 palette, 4 and 6 the first two with alpha."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
at = 8
density = 0
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + length]
    if kind == b"IHDR":
        head = struct.unpack(">IIBB", body[:10])
    if kind == b"pHYs":
        density = struct.unpack(">IIB", body)[0]
    at += 12 + length
print(*head, density)
