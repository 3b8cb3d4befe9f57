"""Writes PDFs for the tests of to-png and to-jpg: pages.py FOLDER [JPEG: a file to embed]."""

import base64
import os
import sys
import zlib

folder = sys.argv[1]
# 8 x 8 gray, lossless, made with OpenJPEG.
J2K = base64.b64decode(
    "/0//UQApAAAAAAAIAAAACAAAAAAAAAAAAAAACAAAAAgAAAAAAAAAAAABBwEB/1IADAAAAAEAAQQEAAH/XAAHQEBISF"
    "D/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAAAuAAH/k9+AgBIPhJZEjHQSzEiP"
    "oF34Kj/AfCHD6gMAIhoPA3/r/9k=")


def stream(words, data):
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (words.encode(), len(data), data)


def write(name, pages, objects=(), resources=""):
    """pages: (content, words of the page's dictionary). objects: from number 10 on."""
    bodies = {1: b"<</Type/Catalog/Pages 2 0 R>>"}
    number = 100
    kids = []
    for content, words in pages:
        if "/MediaBox" not in words:
            words += "/MediaBox[0 0 200 100]"
        bodies[number] = (f"<</Type/Page/Parent 2 0 R/Contents {number + 1} 0 R{words}"
                          f"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
                          f"{resources}>>>>").encode()
        bodies[number + 1] = stream("", content.encode("latin-1"))
        kids.append(f"{number} 0 R")
        number += 2
    bodies[2] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>".encode()
    bodies.update(enumerate(objects, 10))
    out = b"%PDF-1.7\n"
    at = {}
    for key, body in sorted(bodies.items()):
        at[key] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (key, body)
    xref = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for key in sorted(bodies):
        out += b"%d 1\n%010d 00000 n \n" % (key, at[key])
    out += b"trailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n" % (max(bodies) + 1, xref)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(out)


TEXT = "BT /F 20 Tf 10 40 Td (Quick brown fox) Tj ET\n"
SHADE = ("/Shading<</S<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 200 100]/Extend[true true]"
         "/Function<</FunctionType 2/Domain[0 1]/C0[1 .2 0]/C1[0 .5 1]/N 1>>>>>>")

write("gray.pdf", [(TEXT, "")])
write("flat.pdf", [("1 0 0 rg 0 0 50 100 re f 0 0 1 rg 50 0 50 50 re f 0 .5 0 RG 3 w 0 0 m 200 100 l S",
                    "")])
write("shade.pdf", [("/S sh " + TEXT, "")], resources=SHADE)
write("three.pdf", [(TEXT, ""), ("1 0 0 rg 5 5 50 50 re f", ""), ("/S sh", "")], resources=SHADE)
write("boxes.pdf", [("1 0 0 rg 20 20 80 30 re f 0 0 1 rg 20 60 10 10 re f",
                     "/Rotate 90/CropBox[10 10 110 90]/UserUnit 2"),
                    ("0 1 0 rg 0 0 60 60 re f", "/Rotate -90/MediaBox[-20 -20 80 30]")])
write("note.pdf", [("", "/Annots[10 0 R]")],
      [b"<</Type/Annot/Subtype/Stamp/Rect[20 20 80 80]/AP<</N 11 0 R>>/F 4>>",
       stream("/Type/XObject/Subtype/Form/BBox[0 0 60 60]", b"1 0 0 rg 0 0 60 60 re f")])
write("inks.pdf", [("1 0 0 0 k 0 0 50 100 re f 0 1 0 0 k 50 0 50 100 re f 0 0 1 0 k 100 0 50 100 re f "
                    "0 0 0 1 k 150 0 50 100 re f", "")])
write("black.pdf", [("0 0 0 .5 k 0 0 100 100 re f 0 0 0 1 k " + TEXT, "")])
write("huge.pdf", [(TEXT, "/MediaBox[0 0 14400 14400]")])
write("large.pdf", [(TEXT + "1 0 0 rg 50 500 600 300 re f /S sh", "/MediaBox[0 0 1000 1000]")],
      resources=SHADE)
write("broken.pdf", [(TEXT, ""), (TEXT + "q Q Q ] 1 0 ] >> /X Do BT (x", "")])
write("cut.pdf", [(TEXT, ""), ("/P Do", "")], [
    b"<</Type/XObject/Subtype/Image/Width 100/Height 100/BitsPerComponent 8/ColorSpace/DeviceGray"
    b"/Filter/FlateDecode/Length 12>>stream\n" + zlib.compress(bytes(range(250)) * 40)[:12] +
    b"\nendstream"], resources="/XObject<</P 10 0 R>>")

# The same two colours, drawn and as a picture whose samples go from -100 to 100.
LAB = "[/Lab<</WhitePoint[.9642 1 .8249]/Range[-100 100 -100 100]>>]"
write("lab_drawn.pdf", [("/L cs 60 40 -40 sc 0 0 100 100 re f 80 -60 60 sc 100 0 100 100 re f", "")],
      resources=f"/ColorSpace<</L{LAB}>>")
write("lab_picture.pdf", [("200 0 0 100 0 0 cm /P Do", "")],
      [stream(f"/Type/XObject/Subtype/Image/Width 2/Height 1/BitsPerComponent 8/ColorSpace{LAB}",
              bytes((153, 179, 77, 204, 51, 204)))], resources="/XObject<</P 10 0 R>>")

# Transparency groups of all sorts: left out, made isolated, and needed as they are.
GROUP = "/Group<</S/Transparency/CS/DeviceRGB%s>>"
FORM = "/Type/XObject/Subtype/Form/BBox[0 0 200 100]/Resources<</ExtGState<</H<</ca .5>>/M<</BM/Multiply>>" \
    "/D<</BM/Difference>>>>>>"
BARS = "1 0 0 rg 10 10 90 50 re f 0 .6 0 rg 60 30 90 50 re f 0 0 1 rg 90 5 80 60 re f "
write("groups.pdf",
      [(TEXT + "/H gs " + BARS, GROUP % ""),
       ("/M gs " + BARS + TEXT, GROUP % "/I true"),
       ("1 1 0 rg 0 0 200 60 re f /A Do", GROUP % ""),
       ("1 1 0 rg 0 0 200 60 re f /B Do", GROUP % ""),
       ("1 1 0 rg 0 0 200 60 re f /C Do /H gs /A Do", ""),
       ("1 1 0 rg 0 0 200 60 re f /S gs /B Do " + BARS, GROUP % ""),
       ("1 1 0 rg 0 0 200 60 re f /D gs " + BARS, "")],
      [stream(FORM + GROUP % "/K true", ("/H gs " + BARS).encode()),
       stream(FORM + GROUP % "", ("/M gs " + BARS).encode()),
       stream(FORM + GROUP % "/I true", ("/D gs " + BARS).encode()),
       stream(FORM + "/Group<</S/Transparency/CS/DeviceGray>>", ("/H gs " + BARS).encode())],
      resources="/XObject<</A 10 0 R/B 11 0 R/C 12 0 R/G 13 0 R>>/ExtGState<</H<</ca .5>>"
      "/M<</BM/Multiply/ca .7>>/D<</BM/Difference>>"
      "/S<</SMask<</S/Luminosity/G 13 0 R>>>>>>")

if len(sys.argv) > 2:
    with open(sys.argv[2], "rb") as file:
        jpeg = file.read()
    IMAGE = "/Type/XObject/Subtype/Image/BitsPerComponent 8"
    rgb = bytes((x * 4, y * 4, 128) [c] for y in range(50) for x in range(40) for c in range(3))
    write("embedded.pdf",
          [("/J Do /J Do /F Do", ""), ("/J Do /X Do /R Do", ""), ("/C Do", ""),
           ("BI /W 2 /H 2 /BPC 8 /CS /G ID abcd EI", "")],
          [stream(IMAGE + "/Width 200/Height 100/ColorSpace/DeviceRGB/Filter/DCTDecode", jpeg),
           stream(IMAGE + "/Width 8/Height 8/ColorSpace/DeviceGray/Filter/JPXDecode", J2K),
           stream(IMAGE + "/Width 40/Height 50/ColorSpace/DeviceRGB/SMask 13 0 R"
                  "/Filter/FlateDecode", zlib.compress(rgb)),
           stream(IMAGE + "/Width 20/Height 25/ColorSpace/DeviceGray/Filter/FlateDecode",
                  zlib.compress(bytes(range(250)) * 2)),
           # The same picture again, in another object and behind another filter.
           stream(IMAGE + "/Width 200/Height 100/ColorSpace/DeviceRGB"
                  "/Filter[/FlateDecode/DCTDecode]", zlib.compress(jpeg)),
           # A form that draws itself and a picture.
           stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</Me 15 0 R"
                  "/G 16 0 R>>>>", b"/Me Do /G Do"),
           stream(IMAGE + "/Width 10/Height 10/ColorSpace/DeviceGray", bytes(range(100)))],
          resources="/XObject<</J 10 0 R/X 11 0 R/R 12 0 R/C 14 0 R/F 15 0 R>>")
    write("one.pdf", [("/J Do", "")],
          [stream(IMAGE + "/Width 200/Height 100/ColorSpace/DeviceRGB/Filter/DCTDecode", jpeg)],
          resources="/XObject<</J 10 0 R>>")
    JPEG = IMAGE + "/Width 200/Height 100/Filter/DCTDecode/ColorSpace"
    write("meant.pdf", [("/A Do /B Do", ""), ("/C Do", ""), ("/D Do", "")],
          [stream(JPEG + "/DeviceRGB/Decode[1 0 1 0 1 0]", jpeg),
           stream(JPEG + "/DeviceRGB/DecodeParms<</ColorTransform 0>>", jpeg),
           stream(JPEG + "[/DeviceN[/R/G/B]/DeviceRGB 14 0 R]", jpeg),
           stream(JPEG + "/DeviceRGB/Decode[0 1 0 1 0 1]/DecodeParms<</ColorTransform 1>>", jpeg),
           stream("/FunctionType 4/Domain[0 1 0 1 0 1]/Range[0 1 0 1 0 1]", b"{exch}")],
          resources="/XObject<</A 10 0 R/B 11 0 R/C 12 0 R/D 13 0 R>>")
