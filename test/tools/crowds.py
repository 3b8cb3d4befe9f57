"""crowds.py FOLDER: a page with one picture (whole.pdf), the same picture cut into strips (strips.pdf), and a page with a
colour picture of finer detail (fine.pdf), all of 200 dpi and without loss."""

import os
import random
import sys
import zlib

from pdf_builder import save, stream

SIDE, STRIPS = 800, 20
POINTS = SIDE * 72 // 200


def picture(block, channels=1):
    """Rows of blocks of `block` by `block` pixels of one random colour, a bit rough so that no lossless filter stores them well."""
    rows = []
    for y in range(SIDE):
        if y % block == 0:
            blocks = [[random.randrange(16, 240) for _ in range(channels)] for _ in range(SIDE // block)]
        rows.append(bytes(value + random.randrange(-2, 3) for x in range(SIDE) for value in blocks[x // block]))
    return rows


def write(name, parts):
    """A page with these pictures one below the other."""
    bodies = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>"]
    names = "".join(f"/P{i} {i + 5} 0 R" for i in range(len(parts)))
    bodies.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {POINTS} {POINTS}]/Contents 4 0 R"
                  f"/Resources<</XObject<<{names}>>>>>>")
    content, top = "", POINTS
    for i, rows in enumerate(parts):
        height = len(rows) * POINTS / SIDE
        top -= height
        content += f"q {POINTS} 0 0 {height:.2f} 0 {top:.2f} cm /P{i} Do Q\n"
    bodies.append(stream(content))
    for rows in parts:
        space = "DeviceGray" if len(rows[0]) == SIDE else "DeviceRGB"
        bodies.append(stream(zlib.compress(b"".join(rows)), f"/Type/XObject/Subtype/Image/Width {SIDE}/Height {len(rows)}"
                             f"/ColorSpace/{space}/BitsPerComponent 8/Filter/FlateDecode"))
    save(os.path.join(sys.argv[1], name), bodies)


random.seed(24)
all_rows = picture(5)
write("whole.pdf", [all_rows])
write("strips.pdf", [all_rows[i * SIDE // STRIPS:(i + 1) * SIDE // STRIPS] for i in range(STRIPS)])
write("fine.pdf", [picture(2, 3)])
