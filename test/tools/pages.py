"""Writes PDFs for the tests of to-png and to-jpg: pages.py FOLDER [JPEG: a file to embed]."""

import base64
import os
import sys
import zlib

from pdf_builder import save, stream

folder = sys.argv[1]
# 8 x 8 gray, lossless, made with OpenJPEG.
J2K = base64.b64decode(
    "/0//UQApAAAAAAAIAAAACAAAAAAAAAAAAAAACAAAAAgAAAAAAAAAAAABBwEB/1IADAAAAAEAAQQEAAH/XAAHQEBISF"
    "D/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAAAuAAH/k9+AgBIPhJZEjHQSzEiP"
    "oF34Kj/AfCHD6gMAIhoPA3/r/9k=")


def write(name, pages, objects=(), resources=""):
    """pages: (content, words of the page's dictionary). objects: from number 10 on."""
    bodies = {1: "<</Type/Catalog/Pages 2 0 R>>", **dict(enumerate(objects, 10))}
    kids = range(100, 100 + 2 * len(pages), 2)
    for number, (content, words) in zip(kids, pages):
        if "/MediaBox" not in words:
            words += "/MediaBox[0 0 200 100]"
        bodies[number] = (f"<</Type/Page/Parent 2 0 R/Contents {number + 1} 0 R{words}"
                          f"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
                          f"{resources}>>>>")
        bodies[number + 1] = stream(content)
    bodies[2] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(f'{kid} 0 R' for kid in kids)}]>>"
    save(os.path.join(folder, name), bodies)


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
       stream(b"1 0 0 rg 0 0 60 60 re f", "/Type/XObject/Subtype/Form/BBox[0 0 60 60]")])
write("inks.pdf", [("1 0 0 0 k 0 0 50 100 re f 0 1 0 0 k 50 0 50 100 re f 0 0 1 0 k 100 0 50 100 re f "
                    "0 0 0 1 k 150 0 50 100 re f", "")])
write("black.pdf", [("0 0 0 .5 k 0 0 100 100 re f 0 0 0 1 k " + TEXT, "")])
write("huge.pdf", [(TEXT, "/MediaBox[0 0 14400 14400]")])
write("large.pdf", [(TEXT + "1 0 0 rg 50 500 600 300 re f /S sh", "/MediaBox[0 0 1000 1000]")],
      resources=SHADE)
write("broken.pdf", [(TEXT, ""), (TEXT + "q Q Q ] 1 0 ] >> /X Do BT (x", "")])
write("cut.pdf", [(TEXT, ""), ("/P Do", "")], [
    stream(zlib.compress(bytes(range(250)) * 40)[:12],
           "/Type/XObject/Subtype/Image/Width 100/Height 100/BitsPerComponent 8/ColorSpace/DeviceGray"
           "/Filter/FlateDecode")], resources="/XObject<</P 10 0 R>>")

# The same two colours, drawn and as a picture whose samples go from -100 to 100.
LAB = "[/Lab<</WhitePoint[.9642 1 .8249]/Range[-100 100 -100 100]>>]"
write("lab_drawn.pdf", [("/L cs 60 40 -40 sc 0 0 100 100 re f 80 -60 60 sc 100 0 100 100 re f", "")],
      resources=f"/ColorSpace<</L{LAB}>>")
write("lab_picture.pdf", [("200 0 0 100 0 0 cm /P Do", "")],
      [stream(bytes((153, 179, 77, 204, 51, 204)),
              f"/Type/XObject/Subtype/Image/Width 2/Height 1/BitsPerComponent 8/ColorSpace{LAB}")],
      resources="/XObject<</P 10 0 R>>")

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
      [stream("/H gs " + BARS, FORM + GROUP % "/K true"),
       stream("/M gs " + BARS, FORM + GROUP % ""),
       stream("/D gs " + BARS, FORM + GROUP % "/I true"),
       stream("/H gs " + BARS, FORM + "/Group<</S/Transparency/CS/DeviceGray>>")],
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
          [stream(jpeg, IMAGE + "/Width 200/Height 100/ColorSpace/DeviceRGB/Filter/DCTDecode"),
           stream(J2K, IMAGE + "/Width 8/Height 8/ColorSpace/DeviceGray/Filter/JPXDecode"),
           stream(zlib.compress(rgb), IMAGE + "/Width 40/Height 50/ColorSpace/DeviceRGB/SMask 13 0 R"
                  "/Filter/FlateDecode"),
           stream(zlib.compress(bytes(range(250)) * 2),
                  IMAGE + "/Width 20/Height 25/ColorSpace/DeviceGray/Filter/FlateDecode"),
           # The same picture again, in another object and behind another filter.
           stream(zlib.compress(jpeg), IMAGE + "/Width 200/Height 100/ColorSpace/DeviceRGB"
                  "/Filter[/FlateDecode/DCTDecode]"),
           # A form that draws itself and a picture.
           stream(b"/Me Do /G Do", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</Me 15 0 R"
                  "/G 16 0 R>>>>"),
           stream(bytes(range(100)), IMAGE + "/Width 10/Height 10/ColorSpace/DeviceGray")],
          resources="/XObject<</J 10 0 R/X 11 0 R/R 12 0 R/C 14 0 R/F 15 0 R>>")
    write("one.pdf", [("/J Do", "")],
          [stream(jpeg, IMAGE + "/Width 200/Height 100/ColorSpace/DeviceRGB/Filter/DCTDecode")],
          resources="/XObject<</J 10 0 R>>")
    JPEG = IMAGE + "/Width 200/Height 100/Filter/DCTDecode/ColorSpace"
    write("meant.pdf", [("/A Do /B Do", ""), ("/C Do", ""), ("/D Do", "")],
          [stream(jpeg, JPEG + "/DeviceRGB/Decode[1 0 1 0 1 0]"),
           stream(jpeg, JPEG + "/DeviceRGB/DecodeParms<</ColorTransform 0>>"),
           stream(jpeg, JPEG + "[/DeviceN[/R/G/B]/DeviceRGB 14 0 R]"),
           stream(jpeg, JPEG + "/DeviceRGB/Decode[0 1 0 1 0 1]/DecodeParms<</ColorTransform 1>>"),
           stream(b"{exch}", "/FunctionType 4/Domain[0 1 0 1 0 1]/Range[0 1 0 1 0 1]")],
          resources="/XObject<</A 10 0 R/B 11 0 R/C 12 0 R/D 13 0 R>>")
