"""Writes PDFs for the test of to-word: word_pages.py FOLDER."""

import os
import sys
import zlib

folder = sys.argv[1]
FONTS = ("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>"
         "/B<</Type/Font/Subtype/Type1/BaseFont/Times-Bold/Encoding/WinAnsiEncoding>>>>")


def write(name, pages, objects=(), resources="", page_words=""):
    """pages: their content. objects: from number 10 on."""
    bodies = {1: b"<</Type/Catalog/Pages 2 0 R>>"}
    number = 100
    kids = []
    for content in pages:
        data = content.encode("latin-1")
        bodies[number] = (f"<</Type/Page/Parent 2 0 R/Contents {number + 1} 0 R"
                          f"/MediaBox[0 0 400 500]{page_words}"
                          f"/Resources<<{FONTS}{resources}>>>>").encode()
        bodies[number + 1] = b"<</Length %d>>stream\n%s\nendstream" % (len(data), data)
        kids.append(f"{number} 0 R")
        number += 2
    bodies[2] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>".encode()
    bodies.update(enumerate(objects, 10))
    out = b"%PDF-1.7\n"
    at = {}
    for key, body in sorted(bodies.items()):
        at[key] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (key, body)
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for key in sorted(at):
        out += b"%d 1\n%010d 00000 n \n" % (key, at[key])
    out += b"trailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n" % (max(at) + 1, start)
    with open(os.path.join(folder, name + ".pdf"), "wb") as file:
        file.write(out)


def text(x, y, words, size=10, font="F", color=""):
    words = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT {color} /{font} {size} Tf {x} {y} Td ({words}) Tj ET\n"


BODY = ["These are the lines of a paragraph that is long enough to go over", "several of them, and there are more words in it than in most para-",
        "graphs of this kind, until the last of its lines ends early."]


def body(x, y):
    return "".join(text(x, y - 12 * i, line) for i, line in enumerate(BODY))


def page(number):
    return (text(50, 470, "The report of the year") + body(50, 400) + body(50, 300)
            + text(180, 30, f"Page {number} of 3"))


write("flow", [text(50, 440, "A heading", 20, "B") + body(50, 400)
               + text(50, 340, "red", 10, "B", "1 0 0 rg") + "0 g\n"])
write("furniture", [page(1), page(2), page(3)])
GRID = "".join(f"50 {y} m 250 {y} l S\n" for y in (300, 320, 340)) + "".join(
    f"{x} 300 m {x} 340 l S\n" for x in (50, 150, 250))
write("table", [GRID + text(60, 326, "one") + text(160, 326, "two") + text(60, 306, "three")
                + text(160, 306, "four")])
LIST = "".join(text(50, 400 - 14 * i, "\x95") + text(64, 400 - 14 * i, words)
               for i, words in enumerate(["first of all", "and second", "third"]))
write("list", [LIST])
write("link", [text(50, 400, "see the pages of the project")],
      [b"<</Type/Annot/Subtype/Link/Rect[50 395 300 412]/Border[0 0 0]"
       b"/A<</S/URI/URI(https://example.org/a?b=1&c=2)>>>>"], page_words="/Annots[10 0 R]")
PIXELS = zlib.compress(bytes(range(192)))
IMAGE = (b"<</Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceRGB/BitsPerComponent 8"
         b"/Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(PIXELS), PIXELS))
write("picture", ["q 200 0 0 100 100 300 cm /I Do Q\n" + body(50, 200)], [IMAGE],
      "/XObject<</I 10 0 R>>")
write("scan", ["q 400 0 0 500 0 0 cm /I Do Q\n"], [IMAGE], "/XObject<</I 10 0 R>>")
write("ocr", ["q 400 0 0 500 0 0 cm /I Do Q\nBT 3 Tr /F 10 Tf 50 400 Td (text over a scan) Tj ET\n"],
      [IMAGE], "/XObject<</I 10 0 R>>")
write("empty", [""])
COLUMNS = "".join(
    text(40, 400 - 12 * i, "the left column has its own text") + text(220, 400 - 12 * i, "and the right one goes on here")
    for i in range(8))
write("columns", [text(100, 450, "A title over both", 20) + COLUMNS])
write("special", [text(50, 400, "5 < 6 & \"7\" > 2")])
