"""A page of 612 by 792 points with a tiling pattern, a shading pattern and an axial shading, in content that is
not closed; its drawing is 300 by 400 points. Usage: page_patterns.py OUT.pdf, or page_patterns.py compare A.pgm B.pgm"""

import os
import subprocess
import sys

CONTENT = """q q 1 0 0 1 50 60 cm
/Pattern cs /T scn 0 0 150 400 re f
/S scn 150 0 150 200 re f
q 150 200 150 200 re W n /A sh Q"""
TILE = "0 0 10 10 re 0.2 g f"


def make(out):
    shading = "<</ShadingType 2/ColorSpace/DeviceGray/Coords[%s]/Function<</FunctionType 2/Domain[0 1]/C0[0]/C1[0.7]/N 1>>/Extend[true true]>>"
    text = f"""<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Pattern<</T 5 0 R/S 6 0 R>>/Shading<</A {shading % '150 200 300 400'}>>>>>>
<<>> stream {CONTENT.replace(chr(10), ' ')}
<</PatternType 1/PaintType 1/TilingType 1/BBox[0 0 20 20]/XStep 20/YStep 20/Matrix[1 0 0 1 7 3]/Resources<<>>>> stream {TILE} 10 10 10 10 re f
<</PatternType 2/Matrix[1 0 0 1 50 60]/Shading {shading % '150 0 300 200'}>>
"""
    subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "pdf_builder.py"), out], input=text.encode(), check=True)


def read(path):
    with open(path, "rb") as file:
        _, size, _, pixels = file.read().split(b"\n", 3)
    return size, pixels


if sys.argv[1] == "compare":
    (size, a), (other, b) = read(sys.argv[2]), read(sys.argv[3])
    far = sum(abs(x - y) > 64 for x, y in zip(a, b))
    print("same" if size == other and len(a) == len(b) and far < len(a) / 500 else f"{size} {other} {far} of {len(a)}")
else:
    make(sys.argv[1])
