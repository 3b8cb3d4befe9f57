"""hinted.py FILE FONT [KIND]: a PDF of some text in the TrueType font, embedded whole.

KIND "tricky": under a name by which readers know fonts that need their instructions; "numbered":
its codes have names that say the numbers of glyphs; "named": names that say nothing.
"""

import struct
import sys
import zlib

from pdf_builder import save, stream

kind = sys.argv[3] if len(sys.argv) > 3 else ""
with open(sys.argv[2], "rb") as file:
    font = file.read()
if kind == "tricky":
    for coding in ("utf-16-be", "ascii"):
        font = font.replace("DejaVu Sans".encode(coding), "MingLiUSans".encode(coding))
if kind in ("numbered", "named"):  # codes that are found in the font alone
    row = font.index(b"cmap", 12)
    at = struct.unpack(">L", font[row + 8:row + 12])[0]
    codes = bytes(n - 29 if 65 <= n <= 71 else 0 for n in range(256))
    own = struct.pack(">HHHHLHHH", 0, 1, 1, 0, 12, 0, 262, 0) + codes
    font = font[:at] + own + font[at + len(own):]
    font = font.replace(b"post", b"tsop", 1)
encoding = b"/Encoding/WinAnsiEncoding"
if kind in ("numbered", "named"):
    name = b"/g%d" if kind == "numbered" else b"/what%dever"
    names = b"".join(name % n for n in range(36, 43))
    encoding = b"/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[65%s]>>" % names
text = b"BT /T 24 Tf 9 40 Td (ABCDEFG) Tj ET"
bodies = [
    b"<</Type/Catalog/Pages 2 0 R>>",
    b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 199 99]/Contents 4 0 R"
    b"/Resources<</Font<</T 5 0 R>>>>>>",
    stream(text),
    b"<</Type/Font/Subtype/TrueType/BaseFont/Own/FirstChar 65/LastChar 71/Widths[%s]%s"
    b"/FontDescriptor 6 0 R>>" % (b"700 " * 7, encoding),
    b"<</Type/FontDescriptor/FontName/Own/Flags %d/FontBBox[0 0 1000 1000]/ItalicAngle 0"
    b"/Ascent 800/Descent -200/CapHeight 700/StemV 80/FontFile2 7 0 R>>"
    % (4 if kind in ("numbered", "named") else 32),
    stream(zlib.compress(font), "/Filter/FlateDecode/Length1 %d" % len(font)),
]
save(sys.argv[1], bodies, version=b"1.5")
