#!/usr/bin/env python3
"""colours.py make OUT.pdf: writes a document with a page for each way colours are said in PDF.
colours.py seen FILE.ppm...: prints the names of pictures that have pixels in colour.
colours.py bright MOST BEFORE.ppm AFTER.ppm: prints how far the second is from the first without
colours, on average, if that is more than MOST.
colours.py saturated OUT.pdf: writes a page that is an image whose detail is all in its blue.
colours.py blue BEFORE.ppm AFTER.ppm: prints how well the blues of two pictures correlate."""
import math
import sys

from pdf_builder import save, stream

SPOT = "[/Separation/Spot/DeviceCMYK 20 0 R]"
INKS = "[/DeviceN[/One/Two]/DeviceRGB 21 0 R]"
LAB = "[/Lab<</WhitePoint[.9505 1 1.089]/Range[-100 100 -100 100]>>]"
RED_BLUE = "<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>"
STITCHED = (f"<</FunctionType 3/Domain[0 1]/Bounds[.5]/Encode[0 1 1 0]/Functions[{RED_BLUE}"
            "<</FunctionType 2/Domain[0 1]/C0[0 1 0]/C1[1 1 0]/N 2>>]>>")
BOX = "20 20 60 60 re f "
BOXES = "/BBox[0 0 100 100]/Resources<<>>"
# Vertices of a triangle: a flag, x, y, and red, green, blue in a byte each.
MESH = bytes([0, 10, 10, 255, 0, 0, 0, 90, 10, 0, 255, 0, 0, 50, 90, 0, 0, 255])

# Content, resources, other keys of the page.
PAGES = [
    ("1 .3 0 rg " + BOX + "0 0 1 RG 8 w 10 10 80 80 re S", "", ""),
    ("0 1 .5 .1 k " + BOX + "q 1 0 0 0 K 8 w 10 10 80 80 re S Q", "", ""),
    (f"/S cs .7 scn {BOX}/N CS .2 .9 SCN 8 w 10 10 80 80 re S", f"/ColorSpace<</S {SPOT}/N {INKS}>>", ""),
    (f"/L cs 60 70 -40 sc {BOX}", f"/ColorSpace<</L {LAB}>>", ""),
    (f"/I cs 1 sc {BOX}", "/ColorSpace<</I[/Indexed/DeviceRGB 1<00ff00ff4000>]>>", ""),
    ("/A sh", f"/Shading<</A<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 100 0]/Function {RED_BLUE}>>>>", ""),
    ("/A sh", f"/Shading<</A<</ShadingType 3/ColorSpace/DeviceRGB/Coords[50 50 0 50 50 60]/Function {STITCHED}"
     "/Extend[true true]>>>>", ""),
    ("/A sh", f"/Shading<</A<</ShadingType 2/ColorSpace {SPOT}/Coords[0 0 0 100]/Function"
     "<</FunctionType 2/Domain[0 1]/C0[0]/C1[1]/N 1>>>>>>", ""),
    ("/A sh", "/Shading<</A 22 0 R>>", ""),
    ("/A sh", "/Shading<</A<</ShadingType 1/ColorSpace/DeviceRGB/Domain[0 1 0 1]/Matrix[100 0 0 100 0 0]"
     "/Function 23 0 R>>>>", ""),
    ("/Pattern cs /P scn " + BOX, "/Pattern<</P 24 0 R>>", ""),
    ("/U cs 1 0 0 /P scn " + BOX, "/ColorSpace<</U[/Pattern/DeviceRGB]>>/Pattern<</P 25 0 R>>", ""),
    ("/Pattern cs /P scn " + BOX, "/Pattern<</P<</PatternType 2/Shading<</ShadingType 2/ColorSpace"
     "/DeviceCMYK/Coords[20 0 80 0]/Function 26 0 R>>>>>>", ""),
    ("1 0 0 rg /F Do", "/XObject<</F 27 0 R>>", ""),
    ("BT /T 60 Tf 20 20 Td (a) Tj ET", "/Font<</T 28 0 R>>", ""),
    ("q 60 0 0 60 20 20 cm BI /W 2 /H 1 /BPC 8 /CS /RGB /F /AHx ID ff800000c0ff> EI Q", "", ""),
    ("q 60 0 0 60 20 20 cm BI /W 2 /H 1 /BPC 8 /CS [/I /RGB 1 <ff0000 0000ff>] /F /AHx ID 0001> EI Q", "", ""),
    ("", "", "/Annots[30 0 R 31 0 R]"),
    ("/G gs 0 0 1 rg " + BOX, "/ExtGState<</G<</SMask<</S/Luminosity/G 32 0 R/BC[1 0 0]>>>>>>", ""),
]

OTHERS = {
    20: "<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 .9 .8 .1]/N 1>>",
    21: stream("{1 exch sub exch 1 exch sub dup 2 index mul 3 1 roll exch}",
               "/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1]"),
    22: stream(MESH, "/ShadingType 4/ColorSpace/DeviceRGB/BitsPerCoordinate 8/BitsPerComponent 8"
               "/BitsPerFlag 8/Decode[0 255 0 255 0 1 0 1 0 1]"),
    23: stream(bytes([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]), "/FunctionType 0"
               "/Domain[0 1 0 1]/Range[0 1 0 1 0 1]/Size[2 2]/BitsPerSample 8"),
    24: stream("1 0 0 rg 0 0 5 5 re f 0 .6 0 rg 5 5 5 5 re f", "/PatternType 1/PaintType 1"
               "/TilingType 1/BBox[0 0 10 10]/XStep 10/YStep 10/Resources<<>>"),
    25: stream("0 0 5 5 re f", "/PatternType 1/PaintType 2/TilingType 1/BBox[0 0 10 10]/XStep 10"
               "/YStep 10/Resources<<>>"),
    26: "<</FunctionType 2/Domain[0 1]/C0[1 0 0 0]/C1[0 0 1 0]/N 1>>",
    27: stream(BOX + "0 0 1 rg 30 30 20 20 re f",
               f"/Type/XObject/Subtype/Form{BOXES}/Group<</S/Transparency/CS/DeviceRGB>>"),
    28: "<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar"
        " 97/Widths[1]/Encoding<</Differences[97/a]>>/CharProcs<</a 29 0 R>>/Resources<<>>>>",
    29: stream("1 0 d0 1 0 1 rg 0 0 1 1 re f"),
    30: "<</Type/Annot/Subtype/Square/Rect[10 10 45 90]/C[1 0 0]/IC[0 1 0]/F 4/AP<</N 33 0 R>>>>",
    31: "<</Type/Annot/Subtype/FreeText/Rect[55 10 90 90]/Contents(Zulu)/DA(/Helv 12 Tf 1 0 0 rg)/F 4"
        "/AP<</N 34 0 R>>>>",
    32: stream("0 1 0 rg 30 30 40 40 re f", f"/Type/XObject/Subtype/Form{BOXES}"
               "/Group<</S/Transparency/CS/DeviceRGB>>"),
    33: stream("0 1 1 rg 0 0 100 100 re f", f"/Type/XObject/Subtype/Form{BOXES}"),
    34: stream("1 .5 0 rg 0 0 100 100 re f", f"/Type/XObject/Subtype/Form{BOXES}"),
}


def saturated(path):
    n = 480
    samples = bytes(v for y in range(n) for x in range(n)
                    for v in (150 + 40 * ((x // 40 + y // 40) % 2), 70,
                              int(34 + 14 * math.sin(x / 2.6) * math.sin(y / 3.1))))
    picture = f"/Type/XObject/Subtype/Image/Width {n}/Height {n}/BitsPerComponent 8/ColorSpace/DeviceRGB"
    save(path, ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 288 288]/Resources<</XObject<</I 4 0 R>>>>"
                "/Contents 5 0 R>>",
                stream(samples, picture), stream("q 288 0 0 288 0 0 cm /I Do Q")])


def make(path):
    objects = dict(OTHERS)
    first = 40
    kids = " ".join(f"{first + 2 * i} 0 R" for i in range(len(PAGES)))
    objects[1] = "<</Type/Catalog/Pages 2 0 R>>"
    objects[2] = f"<</Type/Pages/MediaBox[0 0 100 100]/Count {len(PAGES)}/Kids[{kids}]>>"
    for i, (content, resources, more) in enumerate(PAGES):
        objects[first + 2 * i] = (f"<</Type/Page/Parent 2 0 R/Contents {first + 2 * i + 1} 0 R"
                                  f"/Resources<<{resources}>>{more}>>")
        objects[first + 2 * i + 1] = stream(content)
    save(path, objects)


def pixels(path):
    with open(path, "rb") as file:
        data = file.read()
    magic, width, height = data.split(maxsplit=3)[:3]
    return data[len(data) - int(width) * int(height) * 3:] if magic == b"P6" else b""


def seen(paths):
    for path in paths:
        data = pixels(path)
        if data[0::3] != data[1::3] or data[0::3] != data[2::3]:
            print(path.rsplit("/", 1)[-1])


def bright(most, before, after):
    old, new = pixels(before), pixels(after)
    off = [abs(r * .299 + g * .587 + b * .114 - gray)
           for r, g, b, gray in zip(old[0::3], old[1::3], old[2::3], new[1::3])]
    mean = sum(off) / len(off) if len(old) == len(new) else 255
    if mean > most:
        print(before.rsplit("/", 1)[-1], round(mean, 2))


def blue(before, after):
    a, b = pixels(before)[2::3], pixels(after)[2::3]
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    print(both / math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)))


if sys.argv[1] == "saturated":
    saturated(sys.argv[2])
elif sys.argv[1] == "blue":
    blue(*sys.argv[2:])
elif sys.argv[1] == "make":
    make(sys.argv[2])
elif sys.argv[1] == "seen":
    seen(sys.argv[2:])
else:
    bright(float(sys.argv[2]), *sys.argv[3:])
