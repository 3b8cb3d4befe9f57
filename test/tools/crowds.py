"""crowds.py FOLDER: a page with one picture (whole.pdf), the same picture cut into strips (strips.pdf), and a page with a
colour picture of finer detail (fine.pdf), all of 200 dpi and without loss."""

import os
import random
import sys
import zlib

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
    bodies = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"]
    names = "".join(f"/P{i} {i + 5} 0 R" for i in range(len(parts)))
    bodies.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {POINTS} {POINTS}]/Contents 4 0 R"
                  f"/Resources<</XObject<<{names}>>>>>>".encode())
    content, top = "", POINTS
    for i, rows in enumerate(parts):
        height = len(rows) * POINTS / SIDE
        top -= height
        content += f"q {POINTS} 0 0 {height:.2f} 0 {top:.2f} cm /P{i} Do Q\n"
    bodies.append(f"<</Length {len(content)}>>stream\n{content}\nendstream".encode())
    for rows in parts:
        space = "DeviceGray" if len(rows[0]) == SIDE else "DeviceRGB"
        data = zlib.compress(b"".join(rows))
        bodies.append(f"<</Type/XObject/Subtype/Image/Width {SIDE}/Height {len(rows)}/ColorSpace/{space}/BitsPerComponent 8"
                      f"/Filter/FlateDecode/Length {len(data)}>>stream\n".encode() + data + b"\nendstream")
    with open(os.path.join(sys.argv[1], name), "wb") as file:
        places = []
        file.write(b"%PDF-1.7\n")
        for number, body in enumerate(bodies, 1):
            places.append(file.tell())
            file.write(f"{number} 0 obj\n".encode() + body + b"\nendobj\n")
        start = file.tell()
        file.write(f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n".encode())
        file.write("".join(f"{place:010} 00000 n \n" for place in places).encode())
        file.write(f"trailer<</Root 1 0 R/Size {len(bodies) + 1}>>\nstartxref\n{start}\n%%EOF\n".encode())


random.seed(24)
all_rows = picture(5)
write("whole.pdf", [all_rows])
write("strips.pdf", [all_rows[i * SIDE // STRIPS:(i + 1) * SIDE // STRIPS] for i in range(STRIPS)])
write("fine.pdf", [picture(2, 3)])
