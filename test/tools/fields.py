"""fields.py FILE [unknown|empty|scripts|fonts]: a form that asks for appearances (NeedAppearances) and has
none.

unknown: one field more, whose character no font has. empty: text and choices have appearances that
draw nothing. scripts: other fields, in scripts and fonts that are not the standard fonts'. fonts: large values
in fonts of the form's own.
"""

import sys

from pdf_builder import save, stream

FIELDS = [
    # name, rectangle, the rest of a text field, a choice or a button
    (b"plain", b"20 700 220 720", b"/FT/Tx/V(Plain words)"),
    (b"wide", b"20 670 220 690", b"/FT/Tx/V<FEFF00DC006E0069006300F60064006520AC>/Q 1/DA(/T 0 Tf 1 0 0 rg)"),
    (b"right", b"20 640 220 660", b"/FT/Tx/V(To the right)/Q 2/MK<</BC[0 0 1]/BG[.9 .9 1]>>"),
    (b"comb", b"20 610 220 630", b"/FT/Tx/V(COMB4)/Ff 16777216/MaxLen 8"),
    (b"lines", b"20 500 220 600", b"/FT/Tx/Ff 4096/V(The first line\\rand a second one that is long "
     b"enough to be broken where the field ends)"),
    (b"secret", b"20 470 220 490", b"/FT/Tx/Ff 8192/V(hidden)"),
    (b"choice", b"20 440 220 460", b"/FT/Ch/Ff 131072/V(b)/Opt[[(a)(Apples)][(b)(Berries)]]"),
    (b"list", b"20 390 220 430", b"/FT/Ch/V[(x)(y)]/Opt[(x)(y)(z)]"),
    (b"box", b"20 360 36 376", b"/FT/Btn/V/Yes/AS/Yes/MK<</CA(4)/BC[0]>>"),
    (b"off", b"50 360 66 376", b"/FT/Btn/V/Off/AS/Off/MK<</CA(4)/BC[0]>>"),
    (b"radio", b"80 360 96 376", b"/FT/Btn/Ff 32768/V/a/AS/a/MK<</CA(l)/BC[0]>>"),
    (b"turned", b"300 600 320 720", b"/FT/Tx/V(Turned)/MK<</R 90>>"),
    (b"empty", b"20 330 220 350", b"/FT/Tx/V(Drawn anew)/AP<</N 4 0 R>>"),
]
UNKNOWN = (b"unknown", b"20 300 220 320", b"/FT/Tx/V<FEFF0378>")


def utf16(text):
    return b"<FEFF" + text.encode("utf-16-be").hex().upper().encode() + b">"


SCRIPTS = [
    (b"hebrew", b"20 700 220 720", b"/FT/Tx/V" + utf16("שלום עולם")),
    (b"arabic", b"20 670 220 690", b"/FT/Tx/Q 2/V" + utf16("مرحبا")),
    (b"polish", b"20 640 220 660", b"/FT/Tx/Q 1/V" + utf16("Zażółć gęślą jaźń")),
    (b"thai", b"20 610 220 630", b"/FT/Tx/DA(/TiRo 0 Tf 1 0 0 rg)/V" + utf16("สวัสดี")),
    (b"chinese", b"20 580 220 600", b"/FT/Tx/V" + utf16("中文")),
    (b"lines", b"20 500 220 570", b"/FT/Tx/Ff 4096/V" + utf16("Ěščřžý\rשורה שנייה")),
    (b"comb", b"20 470 220 490", b"/FT/Tx/Ff 16777216/MaxLen 8/V" + utf16("Żółw")),
    (b"turned", b"300 600 320 720", b"/FT/Tx/MK<</R 90>>/V" + utf16("Přehled")),
    (b"list", b"20 390 220 460", b"/FT/Ch/V[(b)(d)]/Opt[[(a)(Apples)][(b)(Berries)][(c)(Cherries)]"
     b"[(d)(Dates)]]/MK<</BC[0]>>"),
    (b"below", b"20 340 220 380", b"/FT/Ch/TI 2/V(x)/Opt[(u)(v)[(x)" + utf16("Выбор") + b"](y)]"),
    (b"bold", b"20 310 220 330", b"/FT/Tx/DA(/Bold 12 Tf)/V(Standard in bold)"),
    (b"own", b"20 280 220 300", b"/FT/Tx/DA(/Own 12 Tf)/V" + utf16("OwnŁ")),
]

FONTS = [
    (b"bold", b"20 600 380 680", b"/FT/Tx/DA(/Bold 50 Tf)/V(Standard)"),
    (b"own", b"20 500 380 580", b"/FT/Tx/DA(/Own 50 Tf)/V" + utf16("OwnŁiii")),
    (b"wide", b"20 400 380 480", b"/FT/Tx/Ff 16777216/MaxLen 8/DA(/Own 50 Tf)/V(comb)"),
    (b"turned", b"20 100 100 380", b"/FT/Tx/DA(/Own 0 Tf)/V(turned)/MK<</R 90/BC[1 0 0]>>"),
]

if sys.argv[2:] == ["empty"]:  # appearances that draw nothing
    FIELDS = [(name, rect, rest if b"/AP" in rest or b"/Btn" in rest else rest + b"/AP<</N 4 0 R>>")
              for name, rect, rest in FIELDS]
fields = FIELDS + ([UNKNOWN] if sys.argv[2:] == ["unknown"] else [])
if sys.argv[2:] == ["scripts"]:
    fields = SCRIPTS
if sys.argv[2:] == ["fonts"]:
    fields = FONTS
first = 6
numbers = b" ".join(b"%d 0 R" % (first + i) for i in range(len(fields)))
objects = [
    b"<</Type/Catalog/Pages 2 0 R/AcroForm<</NeedAppearances true/DA(/Helv 12 Tf 0 g)/Fields[%s]"
    b"/DR<</Font<</Helv 5 0 R/Bold<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>/Own<</Type/Font"
    b"/Subtype/Type1/BaseFont/Courier/Encoding<</Differences[200/Lslash]>>>>>>>>>>>>" % numbers,
    b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 740]/Annots[%s]>>" % numbers,
    stream("/Tx BMC EMC", "/Type/XObject/Subtype/Form/BBox[0 0 200 20]"),
    b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
]
for name, rect, rest in fields:
    objects.append(b"<</Type/Annot/Subtype/Widget/F 4/T(%s)/Rect[%s]/P 3 0 R%s>>"
                   % (name, rect, rest))

save(sys.argv[1], objects)
