"""opentype.py FILE: a page that shows two of the 300 glyphs of an OpenType font with CFF outlines, each of which has a name."""

import struct
import sys
import zlib

from pdf_builder import save, stream

GLYPHS, HEIGHT = 300, 300


def index(items):
    """An INDEX (Adobe technical note 5176, clause 5)."""
    if not items:
        return b"\0\0"
    offsets, at = b"", 1
    for item in items + [b""]:
        offsets += struct.pack(">H", at)
        at += len(item)
    return struct.pack(">HB", len(items), 2) + offsets + b"".join(items)


def number(value):
    return b"\x1c" + struct.pack(">h", value)


def outline(glyph):
    """A box, wider for later glyphs."""
    width = number(100 + glyph)
    return (number(50) + number(0) + b"\x15" + width + b"\x06" + number(HEIGHT) + b"\x07" + number(-100 - glyph) + b"\x06\x0e")


def cff():
    names = [b"glyph.%x" % zlib.crc32(b"%d" % i) for i in range(1, GLYPHS)]
    charset = b"\0" + b"".join(struct.pack(">H", 391 + i) for i in range(GLYPHS - 1))
    outlines = index([b"\x0e"] + [outline(i) for i in range(1, GLYPHS)])
    first, rest = b"\1\0\4\2" + index([b"Own"]), index(names) + b"\0\0"
    at = len(first) + len(index([b" " * 20])) + len(rest)

    def offset(value):
        return b"\x1d" + struct.pack(">l", value)

    top = (offset(at) + b"\x0f" + offset(at + len(charset)) + b"\x11" + b"\x8b" + offset(at + len(charset) + len(outlines))
           + b"\x12")
    top += b"\x8b" * (20 - len(top))
    return first + index([top]) + rest + charset + outlines


tables = {
    b"CFF ": cff(),
    b"head": struct.pack(">LLLLHHQQhhhhHHhhh", 0x10000, 0x10000, 0, 0x5f0f3cf5, 0, 1000, 0, 0, 0, 0, 1000, 1000, 0, 8, 2, 0, 0),
    b"hhea": struct.pack(">LhhhH11hH", 0x10000, 800, -200, 0, 1000, *[0] * 11, 1),
    b"hmtx": struct.pack(">Hh", 500, 0) + bytes(2 * (GLYPHS - 1)),
    b"maxp": struct.pack(">LH", 0x5000, GLYPHS),
}
rows, data, start = b"", b"", 12 + 16 * len(tables)
for tag in sorted(tables):
    rows += struct.pack(">4sLLL", tag, 0, start + len(data), len(tables[tag]))
    data += tables[tag] + bytes(-len(tables[tag]) % 4)
font = zlib.compress(b"OTTO" + struct.pack(">HHHH", len(tables), 64, 2, 16 * len(tables) - 64) + rows + data)
bodies = [
    b"<</Type/Catalog/Pages 2 0 R>>",
    b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</T 5 0 R>>>>>>",
    stream("BT /T 24 Tf 9 40 Td <00070123> Tj ET"),
    b"<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Own/Encoding/Identity-H/DescendantFonts[6 0 R]>>",
    b"<</Type/Font/Subtype/CIDFontType0/BaseFont/ABCDEF+Own/DW 500/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
    b"/FontDescriptor 7 0 R>>",
    b"<</Type/FontDescriptor/FontName/ABCDEF+Own/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200"
    b"/CapHeight 700/StemV 80/FontFile3 8 0 R>>",
    stream(font, "/Subtype/OpenType/Filter/FlateDecode"),
]
save(sys.argv[1], bodies)
