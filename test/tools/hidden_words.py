"""Writes a PDF that has the same word in many places: hidden_words.py make FILE; or prints what Python says of a
list of hits: hidden_words.py ask FILE EXPRESSION, where h is the list, and t(kind) the texts of a kind."""
import json
import sys

CONTENT = rb"""BT /F 12 Tf 72 720 Td (Mr John Smith lives here, IBAN DE89 3704 0044 0532 0130 00 BANK, not DE89 3704 0044 0532 0130 01) Tj
0 -20 Td (The secret is impor-) Tj 0 -14 Td (tant for jo.doe@) Tj 0 -14 Td (example.com and SSN 123-45-6789, 666-45-6789, on) Tj
0 -14 Td (31/12/2024, not 31.02.2024.) Tj ET
BT /F 12 Tf 1 0 0 1 72 600 Tm (S) Tj 20 0 Td (M) Tj 20 0 Td (I) Tj 20 0 Td (T) Tj 20 0 Td (H) Tj ET
BT /F 12 Tf 1 0 0 1 132 560 Tm (SON) Tj 1 0 0 1 100 560 Tm (JACK) Tj ET
BT /F 12 Tf 0 1 -1 0 300 400 Tm (rotated Smith) Tj ET
BT 3 Tr /F 12 Tf 1 0 0 1 72 500 Tm (invisible Smith) Tj ET
/OC /L BDC BT 0 Tr /F 12 Tf 1 0 0 1 72 480 Tm (layered Smith) Tj ET EMC
/Span <</ActualText (Smith)>> BDC BT /F 12 Tf 1 0 0 1 72 460 Tm (Xxxxx) Tj ET EMC
BT /F 12 Tf 1 0 0 1 400 480 Tm (S) Tj 1 0 0 1 400 466 Tm (M) Tj 1 0 0 1 400 452 Tm (I) Tj 1 0 0 1 400 438 Tm (T) Tj
1 0 0 1 400 424 Tm (H) Tj ET
BT /U 12 Tf 1 0 0 1 72 440 Tm <0102030405> Tj 1 0 0 1 72 420 Tm <0607> Tj ET
BT /F 12 Tf 1 0 0 1 -400 300 Tm (outside Smith) Tj ET
q 0 0 10 10 re W n BT /F 12 Tf 1 0 0 1 72 280 Tm (clipped Smith) Tj ET Q
/X Do
BT /F 12 Tf 1 0 0 1 72 240 Tm [(Smi) 30 (th) -400 (kerned)] TJ ET
"""
# Office with a ligature, and Hebrew as it is drawn: backwards.
TO_UNICODE = b"""begincmap 1 begincodespacerange <00> <ff> endcodespacerange
7 beginbfchar <01> <004F> <02> <FB03> <03> <0063> <04> <0065> <05> <00AD> <06> <05D3> <07> <05D9> endbfchar endcmap"""


def stream(entries, data):
    return b"<<" + entries + b"/Length %d>>\nstream\n" % len(data) + data + b"\nendstream"


def objects():
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F 4 0 R>>>>"
    return {
        1: b"<</Type/Catalog/Pages 2 0 R/Outlines 7 0 R/OCProperties<</OCGs[9 0 R]/D<</OFF[9 0 R]>>>>"
           b"/PageLabels<</Nums[0<</P(Smith-)>>]>>/Metadata 12 0 R/Names<</EmbeddedFiles<</Names[(a)13 0 R]>>>>"
           b"/AcroForm<</Fields[15 0 R]/DA(/Helv 0 Tf 0 g)>>/OpenAction<</S/JavaScript/JS(app.alert\\('Smith'\\))>>>>",
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Rotate 90/Resources<</Font<</F 4 0 R/U 16 0 R>>"
           b"/Properties<</L 9 0 R>>/XObject<</X 18 0 R>>>>/Contents 5 0 R/Annots[10 0 R 11 0 R 15 0 R]>>",
        4: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        5: stream(b"", CONTENT),
        6: b"<</Title(About Smith)/Author(Jones)>>",
        7: b"<</First 8 0 R/Last 8 0 R/Count 1>>",
        8: b"<</Title(Chapter Smith)/Parent 7 0 R/Dest[3 0 R/Fit]>>",
        9: b"<</Type/OCG/Name(Smith layer)>>",
        10: b"<</Type/Annot/Subtype/Link/Rect[0 0 10 10]/A<</S/URI/URI(http://smith.example/)>>>>",
        11: b"<</Type/Annot/Subtype/Text/Rect[0 0 10 10]/F 2/Contents(Ask Smith)>>",
        12: stream(b"/Type/Metadata/Subtype/XML", b"<x:xmpmeta><dc:creator>Smith &amp; Co</dc:creator></x:xmpmeta>"),
        13: b"<</Type/Filespec/F(smith.txt)/EF<</F 14 0 R>>>>",
        14: stream(b"/Type/EmbeddedFile/Subtype/text#2Fplain", b"Dear Smith"),
        15: b"<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Smith)/Rect[300 700 400 720]/DA(/Helv 10 Tf 0 g)>>",
        16: b"<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode 17 0 R>>",
        17: stream(b"", TO_UNICODE),
        18: stream(form, b"BT /F 12 Tf 1 0 0 1 72 260 Tm (form Smith) Tj ET"),
    }


def make(path):
    out, offsets = b"%PDF-1.7\n", {}
    for number, body in objects().items():
        offsets[number] = len(out)
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % offsets[number] for number in range(1, len(offsets) + 1))
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1) + table
    with open(path, "wb") as file:
        file.write(out + b"trailer\n<</Size %d/Root 1 0 R/Info 6 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
            len(offsets) + 1, out.index(b"xref\n0")))


def ask(path, expression):
    with open(path, encoding="utf-8") as file:
        hits = json.load(file)["hits"]
    print(eval(expression, {"h": hits, "t": lambda kind: [hit["text"] for hit in hits if hit["kind"] == kind]}))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        ask(sys.argv[2], sys.argv[3])
