"""form_fonts.py FILE FONT [KIND]: a form whose default resources have the TrueType font three times.

A field's default appearance names /Used, the page shows ABC in /Shown, and nothing names /Idle.
KIND "rich": the field has rich text, which may be in any font.
"""

import sys
import zlib

from pdf_builder import save, stream

with open(sys.argv[2], "rb") as file:
    font = file.read()
rich = b"/RV(<p>x</p>)" if sys.argv[3:] == ["rich"] else b""
text = b"BT /Shown 24 Tf 9 40 Td (ABC) Tj ET"
bodies = [
    b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]/DR<</Font 6 0 R>>/DA(/Used 0 Tf 0 g)>>>>",
    b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 199 99]/Contents 4 0 R/Annots[5 0 R]"
    b"/Resources<</Font 6 0 R>>>>",
    stream(text),
    b"<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[9 9 99 29]/DA(/Used 12 Tf 0 g)%s>>" % rich,
    b"<</Used 7 0 R/Shown 10 0 R/Idle 13 0 R>>",
]
for i, name in enumerate((b"Used", b"Shown", b"Idle")):
    own = font + bytes(4 * i)  # streams of their own
    bodies += [
        b"<</Type/Font/Subtype/TrueType/BaseFont/%s/FirstChar 65/LastChar 71/Widths[%s]"
        b"/Encoding/WinAnsiEncoding/FontDescriptor %d 0 R>>" % (name, b"700 " * 7, 8 + 3 * i),
        b"<</Type/FontDescriptor/FontName/%s/Flags 32/FontBBox[0 0 1000 1000]/ItalicAngle 0"
        b"/Ascent 800/Descent -200/CapHeight 700/StemV 80/FontFile2 %d 0 R>>" % (name, 9 + 3 * i),
        stream(zlib.compress(own), "/Filter/FlateDecode/Length1 %d" % len(own)),
    ]
save(sys.argv[1], bodies, version=b"1.5")
