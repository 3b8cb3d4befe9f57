"""subsets.py FILE FONT TEXT [KIND]: a PDF of the text in a subset of the TrueType font. A form feed begins a page.

The glyphs keep their numbers. KIND "composite": the codes of the text are numbers of glyphs; "nameless": so they are, and
nothing says which characters these glyphs are; "mapped": the codes are those of characters, and a map leads from them, and from
all others, to glyphs; "moved": the outlines of all its glyphs belong to the letters that follow theirs.
"""

import struct
import sys
import zlib

from pdf_builder import save, stream

target, source, text = sys.argv[1:4]
texts = text.split("\f")
text = "".join(texts)
kind = sys.argv[4] if len(sys.argv) > 4 else ""
with open(source, "rb") as file:
    font = file.read()
tables = {}
for i in range(struct.unpack(">H", font[4:6])[0]):
    tag, _, start, size = struct.unpack(">4sLLL", font[12 + 16 * i:28 + 16 * i])
    tables[tag] = font[start:start + size]
cmap = tables[b"cmap"]


def glyph_of(letter):
    """The glyph of a character, by the font's first map of format 4."""
    for row in range(struct.unpack(">H", cmap[2:4])[0]):
        start = struct.unpack(">L", cmap[8 + 8 * row:12 + 8 * row])[0]
        if cmap[start:start + 2] == b"\0\4":
            break
    n = struct.unpack(">H", cmap[start + 6:start + 8])[0] // 2
    words = struct.unpack(">%dH" % ((len(cmap) - start) // 2), cmap[start:][: (len(cmap) - start) // 2 * 2])
    for i in range(n):
        if words[8 + n + i] <= letter <= words[7 + i]:
            offset = words[8 + 3 * n + i]
            if not offset:
                return (letter + words[8 + 2 * n + i]) & 0xffff
            return (words[8 + 3 * n + i + offset // 2 + letter - words[8 + n + i]]
                    + words[8 + 2 * n + i]) & 0xffff
    return 0


glyphs = {glyph_of(ord(letter)): ord(letter) for letter in text}
count = struct.unpack(">H", tables[b"maxp"][4:6])[0]
long = tables[b"head"][50:52] != b"\0\0"
loca = struct.unpack(">%d%s" % (count + 1, "L" if long else "H"), tables[b"loca"])
if not long:
    loca = [2 * offset for offset in loca]
outlines, offsets = bytearray(), []
for glyph in range(count):
    offsets.append(len(outlines))
    if glyph == 0 or glyph in glyphs:
        which = glyph_of(glyphs[glyph] + 1) if kind == "moved" and glyph else glyph
        outlines += tables[b"glyf"][loca[which]:loca[which + 1]]
        outlines += bytes(-len(outlines) % 4)
offsets.append(len(outlines))
tables[b"glyf"] = bytes(outlines)
tables[b"loca"] = struct.pack(">%dL" % (count + 1), *offsets)
tables[b"head"] = tables[b"head"][:50] + b"\0\1" + tables[b"head"][52:]
if kind == "nameless":
    del tables[b"cmap"]
for tag in list(tables):
    if tag not in (b"cmap", b"cvt ", b"fpgm", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp", b"prep"):
        del tables[tag]
rows, data, start = b"", b"", 12 + 16 * len(tables)
for tag in sorted(tables):
    rows += struct.pack(">4sLLL", tag, 0, start + len(data), len(tables[tag]))
    data += tables[tag] + bytes(-len(tables[tag]) % 4)
font = struct.pack(">LHHHH", 0x10000, len(tables), 128, 3, 16 * len(tables) - 128) + rows + data

tag = "".join(chr(65 + zlib.crc32(text.encode() + bytes([i])) % 26) for i in range(6)).encode()
if kind in ("composite", "nameless"):
    shown = [b"<%s>" % b"".join(b"%04x" % glyph_of(ord(letter)) for letter in page) for page in texts]
    pairs = b"".join(b"<%04x><%04x>" % pair for pair in glyphs.items())
    unicode = (b"/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange<0000><ffff>"
               b"endcodespacerange %d beginbfchar%s endbfchar endcmap" % (len(glyphs), pairs))
    own = (b"<</Type/Font/Subtype/Type0/BaseFont/%s+Own/Encoding/Identity-H%s"
           b"/DescendantFonts[8 0 R]>>" % (tag, b"/ToUnicode 9 0 R" if kind == "composite" else b""))
elif kind == "mapped":
    shown = [b"<%s>" % b"".join(b"%04x" % ord(letter) for letter in page) for page in texts]
    unicode = (b"/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange<0000><ffff>"
               b"endcodespacerange 1 beginbfrange<0000><ffff><0000>endbfrange endcmap")
    own = (b"<</Type/Font/Subtype/Type0/BaseFont/%s+Own/Encoding/Identity-H/ToUnicode 9 0 R/DescendantFonts[8 0 R]>>" % tag)
else:
    shown = [b"(%s)" % page.encode() for page in texts]
    unicode = b""
    own = (b"<</Type/Font/Subtype/TrueType/BaseFont/%s+Own/FirstChar 65/LastChar 90/Widths[%s]"
           b"/Encoding/WinAnsiEncoding/FontDescriptor 6 0 R>>" % (tag, b"700 " * 26))
contents = [stream(b"BT /T 24 Tf 9 40 Td %s Tj ET" % page) for page in shown]


def a_page(content):
    return b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 299 99]/Contents %d 0 R/Resources<</Font<</T 5 0 R>>>>>>" % content


bodies = [
    b"<</Type/Catalog/Pages 2 0 R>>",
    b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
    a_page(4),
    contents[0],
    own,
    b"<</Type/FontDescriptor/FontName/%s+Own/Flags %d/FontBBox[0 0 1000 1000]/ItalicAngle 0"
    b"/Ascent 800/Descent -200/CapHeight 700/StemV 80/FontFile2 7 0 R>>"
    % (tag, 32 if own.find(b"Identity-H") < 0 else 4),
    stream(zlib.compress(font), "/Filter/FlateDecode/Length1 %d" % len(font)),
    b"<</Type/Font/Subtype/CIDFontType2/BaseFont/%s+Own/CIDToGIDMap/Identity/DW 700"
    b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 6 0 R>>"
    % tag,
    stream(unicode),
]
if kind == "mapped":
    to_glyphs = [code * 7919 % 3001 for code in range(65536)]
    for letter in text:
        to_glyphs[ord(letter)] = glyph_of(ord(letter))
    packed = zlib.compress(struct.pack(">65536H", *to_glyphs))
    bodies[7] = bodies[7].replace(b"/CIDToGIDMap/Identity", b"/CIDToGIDMap 10 0 R")
    bodies.append(stream(packed, "/Filter/FlateDecode"))
kids = [3]
for more in contents[1:]:
    bodies += [more, a_page(len(bodies) + 1)]
    kids.append(len(bodies))
bodies[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
save(target, bodies, version=b"1.5")
