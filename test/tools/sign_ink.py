#!/usr/bin/env python3
"""Pictures of signatures for sign.sh, and where they are seen.

    sign_ink.py OUT.png             a red stroke on nothing, 240 by 80 pixels
    sign_ink.py --seen IN.ppm       the box of what is red: left top right bottom, in pixels
"""
import re
import struct
import sys
import zlib


def png(width, height, pixel):
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width))
                    for y in range(height))

    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))
    return (b"\x89PNG\r\n\x1a\n" +
            chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def seen(path):
    data = open(path, "rb").read()
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
    width, height = int(head[1]), int(head[2])
    pixels = data[head.end():]
    red = [(i % width, i // width) for i in range(width * height)
           if pixels[3 * i] > 180 and pixels[3 * i + 1] < 90 and pixels[3 * i + 2] < 90]
    if not red:
        return "nowhere"
    xs, ys = [x for x, _ in red], [y for _, y in red]
    return "%d %d %d %d" % (min(xs), min(ys), max(xs) + 1, max(ys) + 1)


if sys.argv[1] == "--seen":
    print(seen(sys.argv[2]))
else:
    # A band from the left upper corner to the right lower one.
    with open(sys.argv[1], "wb") as out:
        out.write(png(240, 80, lambda x, y: (220, 0, 0, 255) if abs(y * 3 - x) < 12
                      else (0, 0, 0, 0)))
