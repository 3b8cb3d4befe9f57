"""open_content.py OUT: a PDF whose pages have content that ends inside a token, or whose data is damaged,
each after the word "Whole". Every page has a field with a blue appearance at its lower edge."""
import base64
import sys
import zlib

import pdf_builder

WHOLE = b"BT /F1 20 Tf 30 350 Td (Whole) Tj ET\n"
LONG = WHOLE + b"BT /F1 8 Tf 30 330 Td 9 TL " + b"".join(
    b"(Line %d of %d) Tj T* " % (i, i * i * 7919) for i in range(300)) + b"ET"
IMAGE = WHOLE + b"q 50 0 0 50 30 100 cm BI /W 64 /H 64 /BPC 8 /CS /G "
FLATE = "/Filter/FlateDecode"


def contents():
    """Lists of the entries and the data of a page's content streams."""
    packed = zlib.compress(LONG)
    half = len(packed) // 2
    broken = packed[:half] + b"\xff\x00\xff\xff" + packed[half + 4:]
    for tail in (b"BT /F1 12 Tf 30 300 Td (never closed", b"((never) closed\\", b"<4142",
                 b"/Span<</ActualText(x)", b"/Span<</A<</B[(x)", b"[(ab) 20 (cd)", b"[(ab) 20 (cd",
                 b"[(ab) 20 (cd) TJ 0 0 1 1 re W n q", b"[<<] >>", b"0 0 1 1 re W n q q (x",
                 b"0 0 m % a comment"):
        yield [("", WHOLE + tail)]
    for tail in (b"", b"ID 0123456789", b"ID " + b"." * 64 * 64,
                 b"/F /Fl ID " + zlib.compress(bytes(range(256)) * 16)[:60]):
        yield [("", IMAGE + tail)]
    for data in (packed[:half], packed[:-9], packed[:-4], broken):
        yield [(FLATE, data)]
        yield [(FLATE, zlib.compress(WHOLE)), (FLATE, data)]
        yield [(FLATE, data), (FLATE, zlib.compress(b"BT /F1 12 Tf 30 60 Td (Second) Tj ET"))]
    yield [("/Filter[/ASCII85Decode/FlateDecode]", base64.a85encode(packed)[:600])]
    yield [("", WHOLE), ("", b"(never closed")]


def main(path):
    objects = pdf_builder.Objects()
    catalog, pages = objects.reserve(), objects.reserve()
    font = objects.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    look = objects.add("/Type/XObject/Subtype/Form/BBox[0 0 100 20]", "0 0 1 rg 0 0 100 20 re f")
    kids, fields = [], []
    for streams in contents():
        parts = [objects.add(keys, data) for keys, data in streams]
        field = objects.add("<</Type/Annot/Subtype/Widget/FT/Tx/T(f%d)/V(x)/Rect[100 20 200 40]/F 4"
                            "/AP<</N %d 0 R>>>>" % (len(fields), look))
        kids.append(objects.add(
            "<</Type/Page/Parent %d 0 R/MediaBox[0 0 300 400]/Contents[%s]/Annots[%d 0 R]"
            "/Resources<</Font<</F1 %d 0 R>>>>>>"
            % (pages, " ".join("%d 0 R" % part for part in parts), field, font)))
        fields.append(field)
    listed = [" ".join("%d 0 R" % number for number in numbers) for numbers in (kids, fields)]
    objects.put(catalog, "<</Type/Catalog/Pages %d 0 R/AcroForm<</Fields[%s]>>>>" % (pages, listed[1]))
    objects.put(pages, "<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), listed[0]))
    pdf_builder.save(path, objects, comment=pdf_builder.BINARY)


main(sys.argv[1])
